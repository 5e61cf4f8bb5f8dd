import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { writeCsv } from '../../../lib/text/csv.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { readArchiveFailure } from './archive-failures.ts'
import type { ArchiveFailure } from './archive-failures.ts'
import { ARCHIVE_FAILURES_FILE, FILTER_FAILURES_FILE, IMPORT_FORMATS } from './import-formats.ts'
import type { ImportType } from './import-formats.ts'

/** An import that is not confirmed by then is deleted. */
export const CONFIRMATION_MINUTES = 10

/** How long an import from an archive can be undone. */
export const UNDO_DAYS = 30

/** How many imports the page lists. */
const RECENT = 10

/** How many failed rows one statement reads. */
const BATCH_SIZE = 1_000

export interface AccountImport {
  id: string
  /** `archive`: posts. */
  type: ImportType | 'archive'
  overwrite: boolean
  state: 'unconfirmed' | 'scheduled' | 'in_progress' | 'finished'
  fileName: string
  total: number
  processed: number
  imported: number
  /** How many entries are in the list of failures. */
  failed: number
  createdAt: Date
  finishedAt: Date | null
  /** Of an archive, how many of the posts that were created exist. */
  posts: number
  /** Until when these can be deleted together; null: they cannot, or not any more. */
  undoableUntil: Date | null
  /** `requested`: they are being deleted. */
  undo: 'requested' | 'done' | null
}

const SELECT = `select i.id, i.type, i.overwrite, i.state, i.file_name as "fileName", i.total_items as total,
  i.processed_items as processed, i.imported_items as imported, i.created_at as "createdAt",
  i.finished_at as "finishedAt",
  (select count(*)::int from archive_import_statuses p where p.import_id = i.id) as posts,
  case when i.type = 'archive' and i.state = 'finished' and i.undo_requested_at is null
      and i.finished_at + make_interval(days => ${UNDO_DAYS}) > $now::timestamptz
    then i.finished_at + make_interval(days => ${UNDO_DAYS}) end as "undoableUntil",
  case when i.undone_at is not null then 'done' when i.undo_requested_at is not null then 'requested' end as undo,
  (select count(*)::int from account_import_rows r where r.import_id = i.id and r.failed) as failed
  from account_imports i where i.account_id = $accountId
    and (i.state <> 'unconfirmed' or i.created_at > $now::timestamptz - make_interval(mins => ${CONFIRMATION_MINUTES}))
    -- a file that is still being read
    and not (i.state = 'unconfirmed' and i.total_items = 0)`

const findOne = statement<{
  params: { id: string; accountId: string; now: Date }
  row: AccountImport
  notNull: 'failed' | 'posts'
}>(`${SELECT} and i.id = $id`)
const findRecent = statement<{
  params: { accountId: string; now: Date }
  row: AccountImport
  notNull: 'failed' | 'posts'
}>(`${SELECT} order by i.id desc limit ${RECENT}`)
const findFailed = statement<{
  params: { importId: string; after: string }
  row: { id: string; cells: string[] }
}>(
  `select r.id, r.cells from account_import_rows r
   where r.import_id = $importId and r.failed and r.id > $after::bigint order by r.id limit ${BATCH_SIZE}`,
)

/** Returns an import of the account. @throws NotFoundError, also for an expired one and for another account's */
export async function findImport(
  read: Read,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<AccountImport> {
  const [row] = isId(id) ? await findOne(read.db, { id, accountId, now }) : []
  if (!row) throw new NotFoundError()
  return row
}

/** Returns the latest imports of an account. */
export async function listImports(
  read: Read,
  { accountId, now }: { accountId: string; now: Date },
): Promise<AccountImport[]> {
  return findRecent(read.db, { accountId, now })
}

/** Returns the name of the file with the failed rows of an import. */
export function failuresFileOf({ type }: Pick<AccountImport, 'type'>): string {
  if (type === 'archive') return ARCHIVE_FAILURES_FILE
  return type === 'filters' ? FILTER_FAILURES_FILE : IMPORT_FORMATS[type].failuresFile
}

/** The texts of the list of posts that were not imported, in the language of the reader. */
export interface ArchiveFailureTexts {
  /** The heading of the reasons. */
  heading: string
  describe(failure: ArchiveFailure): string
}

/**
 * Returns the failed rows of an import of the caller, in parts, in the format in which they can be imported again; of an
 * archive, the ids of the posts with the reasons
 * (Mastodon: GET /settings/imports/:id/failures.csv).
 */
export async function* exportFailures(
  read: Read,
  { id: importId, type }: Pick<AccountImport, 'id' | 'type'>,
  { heading, describe }: ArchiveFailureTexts,
): AsyncGenerator<string> {
  if (type === 'filters') yield '{"custom_filters":['
  else yield writeCsv([type === 'archive' ? ['#uri', heading] : IMPORT_FORMATS[type].columns])
  for (let after = '0', isFirst = true; ; isFirst = false) {
    const rows = await findFailed(read.db, { importId, after })
    const cells = rows.map((row) => (type === 'archive' ? describedCells(row.cells, describe) : row.cells))
    if (type !== 'filters') yield writeCsv(cells)
    else if (rows.length > 0) yield `${isFirst ? '' : ','}${cells.flat().join(',')}`
    if (rows.length < BATCH_SIZE) break
    after = rows.at(-1)!.id
  }
  if (type === 'filters') yield ']}'
}

function describedCells(cells: readonly string[], describe: ArchiveFailureTexts['describe']): string[] {
  const { uri, failure } = readArchiveFailure(cells)
  return [uri, describe(failure)]
}
