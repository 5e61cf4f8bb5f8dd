import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { ValidationError } from '../../../lib/errors.ts'
import { countJsonValues } from '../../../lib/json/count-json-values.ts'
import { cleanText } from '../../../lib/text/clean-text.ts'
import { readCsv } from '../../../lib/text/csv.ts'
import type { Read } from '../../context.ts'
import { readFilterEntry } from './filter-entry.ts'
import { IMPORT_FORMATS } from './import-formats.ts'
import type { CsvImportType, ImportType } from './import-formats.ts'

export const MAX_IMPORT_MEGABYTES = 20
export const MAX_IMPORT_ROWS = 20_000

/** The limits of filters allow less than this. Parsing more values would block the event loop for too long. */
const MAX_FILTER_MEGABYTES = 5
const MAX_FILTER_VALUES = 50_000
const MB = 1_048_576

/** The longest key that the index stores. */
const MAX_KEY_BYTES = 2_048

/** How many rows are read without a pause. */
const ROWS_PER_STEP = 500

/** The first columns of all types, by which a header is recognised. */
const FIRST_COLUMNS: ReadonlySet<string> = new Set(
  Object.values(IMPORT_FORMATS).map(({ columns }) => columnName(columns[0]!)),
)

/** A row of an uploaded file. */
export interface ImportFileRow {
  /** What it names (`ImportFormat.readKey`); null: nothing valid. */
  key: string | null
  /** In the columns of the exported file; of a filter, its JSON. */
  cells: string[]
}

/**
 * Reads an uploaded file. Rows that repeat an earlier one are left out.
 * @throws ValidationError with the attribute `file`: it is too large, empty, not in the format, or of another type
 */
export async function readImportFile(
  read: Pick<Read, 'config'>,
  { type, path, byteSize }: { type: ImportType; path: string; byteSize: number },
): Promise<ImportFileRow[]> {
  const maxBytes = (type === 'filters' ? MAX_FILTER_MEGABYTES : MAX_IMPORT_MEGABYTES) * MB
  if (byteSize > maxBytes) throw fileError('ERR_FILE_TOO_LARGE', 'is too large')
  const rows = type === 'filters' ? await readFilters(path) : await readRows(read, { type, path })
  if (rows.length === 0) throw fileError('ERR_FILE_EMPTY', 'is empty')
  if (rows.length > MAX_IMPORT_ROWS) throw fileError('ERR_FILE_TOO_LONG', `has more than ${MAX_IMPORT_ROWS} rows`)
  if (rows.every(({ key }) => key === null)) throw fileError('ERR_FILE_TYPE', 'is not of the selected type')
  return rows
}

/** Returns an error of the uploaded file. */
export function fileError(code: string, text: string): ValidationError {
  return new ValidationError([{ attribute: 'file', code, text }])
}

async function readRows(
  read: Pick<Read, 'config'>,
  { type, path }: { type: CsvImportType; path: string },
): Promise<ImportFileRow[]> {
  const { columns, keyColumn, readKey } = IMPORT_FORMATS[type]
  // One record more than the header and all rows shows that the file is too long.
  const records = await readCsv(decodeUtf8(path), { maxRecords: MAX_IMPORT_ROWS + 2 })
  if (!records) throw fileError('ERR_FILE_FORMAT', 'is not a valid file')
  const names = records[0]?.cells.map(columnName) ?? []
  // A list may have the name of a column as its title, but a header contains no address.
  const hasHeader = FIRST_COLUMNS.has(names[0] ?? '') && !names[keyColumn]?.includes('@')
  if (hasHeader && !names.includes(columnName(columns[keyColumn]!))) {
    throw fileError('ERR_FILE_TYPE', 'is not of the selected type')
  }
  const positions = columns.map((column, index) => (hasHeader ? names.indexOf(columnName(column)) : index))
  const rows = new Map<string, ImportFileRow>()
  for (const [index, { cells: found }] of (hasHeader ? records.slice(1) : records).entries()) {
    // Other requests are served in between.
    if (index % ROWS_PER_STEP === 0) await setImmediate()
    const cells = positions.map((position) => cleanText(found[position] ?? '').trim())
    const key = storableKey(readKey(read, cells[keyColumn]!))
    // The same account may be in several lists.
    const identity = JSON.stringify([key ?? cells[keyColumn], type === 'lists' ? cells[0] : ''])
    if (!rows.has(identity)) rows.set(identity, { key, cells })
  }
  return [...rows.values()]
}

/** Reads the JSON of `exportFilters`. */
async function readFilters(path: string): Promise<ImportFileRow[]> {
  const bytes = await readFile(path)
  const text = parseFile(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (countJsonValues(text, { max: MAX_FILTER_VALUES }) > MAX_FILTER_VALUES)
    throw fileError('ERR_FILE_TOO_LARGE', 'is too large')
  const content = parseFile(() => JSON.parse(text) as unknown)
  const filters = (content as { custom_filters?: unknown } | null)?.custom_filters
  if (!Array.isArray(filters)) throw fileError('ERR_FILE_TYPE', 'is not of the selected type')
  return filters.map((entry) => {
    const filter = readFilterEntry(entry)
    return { key: storableKey(filter && filter.title), cells: [JSON.stringify(filter ?? entry)] }
  })
}

/** Returns the result of parsing a file. @throws ValidationError if that fails */
function parseFile<T>(parse: () => T): T {
  try {
    return parse()
  } catch {
    throw fileError('ERR_FILE_FORMAT', 'is not a valid file')
  }
}

/** Returns the key of a row; null if it is too long to name anything. */
function storableKey(key: string | null): string | null {
  return key !== null && Buffer.byteLength(key) <= MAX_KEY_BYTES ? key : null
}

/** @throws ValidationError for other encodings than UTF-8 */
async function* decodeUtf8(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(path)) yield decoder.decode(chunk as Buffer, { stream: true })
    yield decoder.decode()
  } catch (err) {
    if (err instanceof TypeError) throw fileError('ERR_FILE_FORMAT', 'is not a valid file')
    throw err
  }
}

function columnName(cell: string): string {
  return cell.replace(/^#/, '').trim().toLowerCase()
}
