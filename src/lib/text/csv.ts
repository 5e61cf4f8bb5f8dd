import { Readable } from 'node:stream'
import { CsvError, parse as createParser } from 'csv-parse'
import type { Options } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'

/** A cell that begins with one of these characters is a formula in spreadsheets. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/
const ESCAPED_FORMULA = /^'+[=+\-@\t\r＝＋－＠]/

/** The maximum length of a record of a stream, so that a quote without end does not collect the whole stream. */
const MAX_RECORD_CHARACTERS = 65_536

const OPTIONS = {
  bom: true,
  info: true,
  relax_column_count: true,
  skip_records_with_empty_values: true,
  trim: true,
} satisfies Options

export interface CsvRecord {
  /** In the file, from 1. */
  line: number
  cells: string[]
}

interface ParsedRecord {
  record: string[]
  info: { lines: number }
}

/**
 * Returns records as CSV with line feeds. A cell that spreadsheets would execute as a formula gets an apostrophe, which
 * makes it a text.
 */
export function writeCsv(records: readonly (readonly string[])[]): string {
  return stringify(records.map((cells) => cells.map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell))))
}

/**
 * Parses CSV with any line ends and an optional byte order mark, and removes the apostrophes of `writeCsv`. Returns at
 * most `maxRecords` records without the blank ones; null for text that is not CSV.
 */
export function parseCsv(text: string, { maxRecords }: { maxRecords: number }): CsvRecord[] | null {
  try {
    const records = parse(text, { ...OPTIONS, to: maxRecords }) as unknown as ParsedRecord[]
    return records.map(toCsvRecord)
  } catch (err) {
    if (err instanceof CsvError) return null
    throw err
  }
}

/** Parses a stream of CSV like `parseCsv`, in steps that do not block other work. */
export async function readCsv(
  chunks: AsyncIterable<string>,
  { maxRecords }: { maxRecords: number },
): Promise<CsvRecord[] | null> {
  const source = Readable.from(chunks)
  const parser = createParser({ ...OPTIONS, max_record_size: MAX_RECORD_CHARACTERS })
  source.once('error', (err) => parser.destroy(err))
  const records: CsvRecord[] = []
  try {
    for await (const parsed of source.pipe(parser)) {
      records.push(toCsvRecord(parsed as ParsedRecord))
      if (records.length === maxRecords) break
    }
    return records
  } catch (err) {
    if (err instanceof CsvError) return null
    throw err
  } finally {
    source.destroy()
  }
}

function toCsvRecord({ record, info }: ParsedRecord): CsvRecord {
  return { line: info.lines, cells: record.map((cell) => (ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell)) }
}
