import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { ARCHIVES_FOLDER } from '../archives/account-archives.ts'
import { mayImport } from './run-imports.ts'
import { storeArchiveFailure } from './archive-failures.ts'
import type { ArchiveFailure } from './archive-failures.ts'

/** The folder of the storage with the uploaded archives of unfinished imports, which are never served. */
export const UPLOADED_ARCHIVES_FOLDER = `${ARCHIVES_FOLDER}uploaded/`

/** An import of posts that a job continues. */
export interface RunningArchiveImport {
  id: string
  /** The key of the archive in the storage. */
  fileKey: string
  /** Its actor.json. */
  actor: string
}

/** An entry of an archive that is still to be imported. */
export interface WaitingEntry {
  id: string
  /** The JSON of an activity; empty if it was too long. Of another entry, the URI of a status. */
  json: string
  kind: 'activity' | 'favourite' | 'bookmark'
}

// The state is checked again after waiting for a concurrent job, which may have finished the import. That job emits the
// event again, so the next import does not wait.
const startNext = statement<{
  params: { accountId: string }
  row: RunningArchiveImport
  notNull: 'fileKey' | 'actor'
}>(
  `update account_imports i set state = 'in_progress'
   where i.id = (select id from account_imports where account_id = $accountId and state in ('scheduled', 'in_progress')
       and type = 'archive' order by id limit 1)
     and i.state in ('scheduled', 'in_progress')
   returning i.id, i.file_key as "fileKey", i.actor`,
)
const findWaiting = statement<{
  params: { importId: string; limit: number }
  row: WaitingEntry
  notNull: 'json' | 'kind'
}>(
  `select id, cells[1] as json, coalesce(cells[2], 'activity') as kind from account_import_rows
   where import_id = $importId and not failed
   order by id limit $limit`,
)
const takeBytes = statement<{ params: { importId: string; byteSize: number }; row: { id: string } }>(
  `update account_imports set file_bytes_left = file_bytes_left - $byteSize::bigint
   where id = $importId and file_bytes_left >= $byteSize::bigint returning id`,
)
// Each statement counts an entry together with the change of its row, so that it counts once, however often a job runs.
const finishEntry = statement<{ params: { id: string }; row: { id: string } }>(
  `with taken as (delete from account_import_rows where id = $id and not failed returning import_id)
   update account_imports i set processed_items = processed_items + 1, imported_items = imported_items + 1
   from taken where i.id = taken.import_id returning i.id`,
)
const skipEntry = statement<{ params: { id: string } }>(
  `with taken as (delete from account_import_rows where id = $id and not failed returning import_id)
   update account_imports i set total_items = total_items - 1 from taken where i.id = taken.import_id`,
)
const listEntry = statement<{
  params: { id: string; cells: readonly string[]; imported: number }
  row: { id: string }
}>(
  `with taken as (
     update account_import_rows set failed = true, cells = $cells where id = $id and not failed returning import_id)
   update account_imports i set processed_items = processed_items + 1, imported_items = imported_items + $imported::int
   from taken where i.id = taken.import_id returning i.id`,
)
const insertPost = statement<{ params: { importId: string; statusId: string } }>(
  `insert into archive_import_statuses (import_id, status_id) values ($importId, $statusId)`,
)
const failAll = statement<{ params: { importId: string; cells: readonly string[] } }>(
  `update account_import_rows set failed = true, cells = $cells where import_id = $importId and not failed`,
)
const finish = statement<{
  params: { id: string; now: Date }
  row: { file_key: string }
  notNull: 'file_key'
}>(
  `update account_imports i set state = 'finished', processed_items = i.total_items, finished_at = $now, file_key = null,
     actor = null
   from account_imports before
   where i.id = $id and before.id = i.id and i.state = 'in_progress' returning before.file_key`,
)

/**
 * Returns the oldest unfinished import of posts of an account; null if there is none. The imports of an account that is
 * suspended or has moved meanwhile are finished, with their remaining posts as failures.
 */
export async function startArchiveImport(
  ctx: Ctx,
  { accountId }: { accountId: string },
): Promise<RunningArchiveImport | null> {
  for (;;) {
    const [running] = await ctx.write((tx) => startNext(tx.db, { accountId }))
    if (!running || (await mayImport(ctx, { accountId }))) return running ?? null
    await ctx.write(async (tx) => {
      await failAll(tx.db, { importId: running.id, cells: storeArchiveFailure('', { reason: 'account-refused' }) })
      await finishArchiveImport(tx, { id: running.id })
    })
  }
}

/** Returns the next entries of an import, in the order of the archive. */
export async function listWaitingEntries(
  read: Read,
  { importId, limit }: { importId: string; limit: number },
): Promise<WaitingEntry[]> {
  return findWaiting(read.db, { importId, limit })
}

/** Records that a post is imported, or that it was present. Returns false if another job has recorded it. */
export async function finishArchiveEntry(tx: Tx, { id }: { id: string }): Promise<boolean> {
  return (await finishEntry(tx.db, { id })).length > 0
}

/** Records the status that an import has created for a post, so that the import can be undone. */
export async function recordImportedPost(
  tx: Tx,
  { importId, statusId }: { importId: string; statusId: string },
): Promise<void> {
  await insertPost(tx.db, { importId, statusId })
}

/** Leaves out an entry that is no post to import, such as a boost. */
export async function skipArchiveEntry(tx: Tx, { id }: { id: string }): Promise<void> {
  await skipEntry(tx.db, { id })
}

/**
 * Adds a post to the list of failures: it was not imported, or not completely. `uri`: its id, if it is known. Returns
 * false if another job has recorded it.
 */
export async function listArchiveFailure(
  tx: Tx,
  { id, uri, failure, isImported }: { id: string; uri: string; failure: ArchiveFailure; isImported: boolean },
): Promise<boolean> {
  return (
    (await listEntry(tx.db, { id, cells: storeArchiveFailure(uri, failure), imported: isImported ? 1 : 0 })).length > 0
  )
}

/** Returns whether an import may read a file of so many bytes, and counts them. */
export async function takeFileBytes(
  tx: Tx,
  { importId, byteSize }: { importId: string; byteSize: number },
): Promise<boolean> {
  return (await takeBytes(tx.db, { importId, byteSize })).length > 0
}

/** Finishes an import, and deletes the uploaded archive. */
export async function finishArchiveImport(tx: Tx, { id }: { id: string }): Promise<void> {
  const [row] = await finish(tx.db, { id, now: tx.now })
  if (row) tx.emit('media.removed', { mediaKeys: [row.file_key] })
}
