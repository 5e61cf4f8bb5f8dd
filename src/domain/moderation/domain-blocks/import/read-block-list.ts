import { PayloadTooLargeError, UnprocessableError } from '../../../../lib/errors.ts'
import { cleanText } from '../../../../lib/text/clean-text.ts'
import { parseCsv } from '../../../../lib/text/csv.ts'
import { canonicalDomain } from '../../../../lib/usernames.ts'
import { MAX_COMMENT_CHARACTERS } from '../../../domain-blocks/set-domain-block.ts'
import { storeBlockListError } from './block-list-errors.ts'
import type { BlockListError } from './block-list-errors.ts'
import type { ImportedBlock } from './decide-import.ts'

export const MAX_IMPORT_BYTES = 1024 * 1024
const MAX_ROWS = 10_000

/** Invalid domains are stored as typed, up to this length. */
const MAX_DOMAIN_CHARACTERS = 300

/** The columns of Mastodon's lists, in their order, without the leading `#`. */
export const BLOCK_LIST_COLUMNS = [
  'domain',
  'severity',
  'reject_media',
  'reject_reports',
  'public_comment',
  'obfuscate',
] as const

type Column = (typeof BLOCK_LIST_COLUMNS)[number]

export interface BlockListRow {
  line: number
  block: ImportedBlock
  /** Why the row is invalid, as `storeBlockListError` returns it; null: it is valid. */
  error: string | null
}

const SEVERITIES: ReadonlySet<string> = new Set<ImportedBlock['severity']>(['noop', 'silence', 'suspend'])
const BOOLEANS: Readonly<Record<string, boolean>> = { '': false, false: false, true: true, '0': false, '1': true }

/**
 * Reads a list of domain blocks in Mastodon's format (CSV). Without a header, the columns are in Mastodon's order; a
 * missing severity is `suspend`. `ownDomains`: the domains of this server, which cannot be blocked.
 * @throws PayloadTooLargeError; UnprocessableError for text that is not CSV, an empty list, or too many rows
 */
export function readBlockList(text: string, { ownDomains }: { ownDomains: readonly string[] }): BlockListRow[] {
  if (text.length > MAX_IMPORT_BYTES) throw new PayloadTooLargeError('A list of domain blocks has at most 1 MB')
  const records = parseCsv(text, { maxRecords: MAX_ROWS + 2 })
  if (!records) throw new UnprocessableError('The list is not a valid CSV file')
  const names = records[0]?.cells.map((cell) => cell.replace(/^#/, '').toLowerCase()) ?? []
  const hasHeader = names[0] === 'domain' || records[0]?.cells[0]?.startsWith('#') === true
  if (hasHeader && !names.includes('domain')) throw new UnprocessableError('The list has no column #domain')
  const columns: readonly string[] = hasHeader ? names : BLOCK_LIST_COLUMNS
  const rows = hasHeader ? records.slice(1) : records
  if (rows.length === 0) throw new UnprocessableError('The list has no domains')
  if (rows.length > MAX_ROWS) throw new UnprocessableError(`A list has at most ${MAX_ROWS} domains`)
  const lines = new Map<string, number>()
  return rows.map(({ line, cells }) => {
    const { block, error } = readRow((column) => cells[columns.indexOf(column)] ?? '', ownDomains)
    const first = error === null ? lines.get(block.domain) : undefined
    if (first !== undefined) return { line, block, error: storeBlockListError('repeated', first) }
    if (error === null) lines.set(block.domain, line)
    return { line, block, error: error && storeBlockListError(error) }
  })
}

function readRow(
  cell: (column: Column) => string,
  ownDomains: readonly string[],
): { block: ImportedBlock; error: BlockListError | null } {
  const typed = cell('domain')
  // A block includes the subdomains.
  const domain = typed.length > MAX_DOMAIN_CHARACTERS ? null : canonicalDomain(typed.replace(/^\*\./, ''))
  const severity = cell('severity').toLowerCase() || 'suspend'
  const flags = (['reject_media', 'reject_reports', 'obfuscate'] as const).map(
    (column) => BOOLEANS[cell(column).toLowerCase()],
  )
  const publicComment = cleanText(cell('public_comment')).trim()
  const isSeverity = SEVERITIES.has(severity)
  const [rejectMedia = false, rejectReports = false, obfuscate = false] = flags
  const block: ImportedBlock = {
    domain: domain ?? cleanText(typed).slice(0, MAX_DOMAIN_CHARACTERS).toWellFormed(),
    severity: isSeverity ? (severity as ImportedBlock['severity']) : 'suspend',
    rejectMedia,
    rejectReports,
    publicComment: publicComment.slice(0, MAX_COMMENT_CHARACTERS).toWellFormed(),
    obfuscate,
  }
  const error =
    problemOfDomain(typed, { domain, ownDomains }) ??
    (isSeverity ? null : 'unknown_severity') ??
    (flags.includes(undefined) ? 'invalid_value' : null) ??
    (publicComment.length > MAX_COMMENT_CHARACTERS ? 'comment_too_long' : null)
  return { block, error }
}

function problemOfDomain(
  typed: string,
  { domain, ownDomains }: { domain: string | null; ownDomains: readonly string[] },
): BlockListError | null {
  if (typed.replace(/^\*\./, '').includes('*')) return 'obfuscated_domain'
  if (domain === null) return 'invalid_domain'
  return ownDomains.some((own) => canonicalDomain(own) === domain) ? 'own_domain' : null
}
