import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'

/** A cell that begins with one of these characters is a formula in spreadsheets. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/
const ESCAPED_FORMULA = /^'+[=+\-@\t\r＝＋－＠]/

export interface CsvRecord {
  /** In the file, from 1. */
  line: number
  cells: string[]
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
    const records = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      to: maxRecords,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return records.map(({ record, info }) => ({
      line: info.lines,
      cells: record.map((cell) => (ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell)),
    }))
  } catch (err) {
    if (err instanceof CsvError) return null
    throw err
  }
}
