import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { UPLOADED_ARCHIVES_FOLDER } from './archive-imports.ts'
import { CONFIRMATION_MINUTES, UNDO_DAYS } from './find-imports.ts'

/** How long lists are retained; archives as long as their import can be undone. */
const RETENTION_DAYS = 7

/** An uploaded archive that is not stored by then was left behind by a crashed process. */
const STORAGE_MINUTES = 360

const confirm = statement<{ params: { id: string; accountId: string; now: Date }; row: { type: string } }>(
  `update account_imports set state = 'scheduled'
   where id = $id and account_id = $accountId and state = 'unconfirmed'
     and created_at > $now::timestamptz - make_interval(mins => ${CONFIRMATION_MINUTES})
     and total_items > 0
   returning type`,
)
const remove = statement<{ params: { id: string; accountId: string }; row: { file_key: string | null } }>(
  `delete from account_imports where id = $id and account_id = $accountId and state = 'unconfirmed'
   returning file_key`,
)
const prune = statement<{ params: { now: Date }; row: { file_key: string | null } }>(
  `delete from account_imports
   where (type <> 'archive' and created_at < $now::timestamptz - make_interval(days => ${RETENTION_DAYS}))
     or (type = 'archive' and coalesce(undone_at, undo_requested_at, finished_at, created_at)
       < $now::timestamptz - make_interval(days => ${UNDO_DAYS}))
     or (state = 'unconfirmed' and created_at < $now::timestamptz - make_interval(
       mins => case when type = 'archive' and total_items = 0 then ${STORAGE_MINUTES} else ${CONFIRMATION_MINUTES} end))
   returning file_key`,
)
const findByFile = statement<{ params: { key: string } }>(`select from account_imports where file_key = $key`)
const findUnfinished = statement<{ row: { account_id: string; is_archive: boolean }; notNull: 'is_archive' }>(
  `select distinct account_id, type = 'archive' as is_archive from account_imports where state in ('scheduled', 'in_progress')`,
)

/**
 * Confirms an import, which a job then applies (Mastodon: POST /settings/imports/:id/confirm).
 * @throws NotFoundError, also if it was confirmed before or has expired
 */
export async function confirmImport(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  const [row] = isId(id) ? await confirm(tx.db, { id, accountId, now: tx.now }) : []
  if (!row) throw new NotFoundError()
  emitDue(tx, { accountId, isArchive: row.type === 'archive' })
}

/** Deletes an unconfirmed import (Mastodon: DELETE /settings/imports/:id). @throws NotFoundError */
export async function cancelImport(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  const [row] = isId(id) ? await remove(tx.db, { id, accountId }) : []
  if (!row) throw new NotFoundError()
  removeUploads(tx, [row])
}

const findUndoing = statement<{ row: { id: string } }>(
  `select id from account_imports where undo_requested_at is not null and undone_at is null`,
)

/**
 * Effect: deletes imports of lists after a week and those of archives after 30 days, and those that were not confirmed
 * in time. Starts the jobs of the unfinished ones again, in case that the job of one is dead.
 */
export async function pruneImports(ctx: Ctx): Promise<void> {
  await ctx.write(async (tx) => {
    removeUploads(tx, await prune(tx.db, { now: tx.now }))
    for (const { id: importId } of await findUndoing(tx.db)) tx.emit('account_import.undo_due', { importId })
    for (const { account_id: accountId, is_archive: isArchive } of await findUnfinished(tx.db)) {
      emitDue(tx, { accountId, isArchive })
    }
  })
  await removeUnusedUploads(ctx)
}

function emitDue(tx: Tx, { accountId, isArchive }: { accountId: string; isArchive: boolean }): void {
  tx.emit(isArchive ? 'account_import.posts_due' : 'account_import.due', { accountId })
}

/** Deletes the uploaded archives of deleted imports. */
function removeUploads(tx: Tx, rows: readonly { file_key: string | null }[]): void {
  const mediaKeys = rows.flatMap((row) => row.file_key ?? [])
  if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
}

/** Deletes uploaded archives without an import, such as those of deleted accounts. */
async function removeUnusedUploads(ctx: Ctx): Promise<void> {
  for await (const { key } of ctx.storage.list({ folder: UPLOADED_ARCHIVES_FOLDER })) {
    if ((await findByFile(ctx.db, { key })).length === 0) await ctx.storage.remove({ keys: [key] })
  }
}
