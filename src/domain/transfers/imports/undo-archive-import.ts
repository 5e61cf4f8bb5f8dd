import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { deleteStatus } from '../../statuses/write/delete-status.ts'
import { UNDO_DAYS } from './find-imports.ts'

/** How many posts one job deletes, each in its own transaction. */
const POSTS_PER_JOB = 50

const request = statement<{ params: { id: string; accountId: string; now: Date }; row: { id: string } }>(
  `update account_imports set undo_requested_at = $now
   where id = $id and account_id = $accountId and type = 'archive' and state = 'finished' and undo_requested_at is null
     and finished_at > $now::timestamptz - make_interval(days => ${UNDO_DAYS})
     and exists (select from archive_import_statuses p where p.import_id = $id)
   returning id`,
)
const findUndone = statement<{ params: { importId: string }; row: { account_id: string } }>(
  `select account_id from account_imports
   where id = $importId and undo_requested_at is not null and undone_at is null`,
)
// A reply is deleted before the post that it replies to, and does not become a post without a parent meanwhile.
const findPosts = statement<{ params: { importId: string }; row: { id: string } }>(
  `select p.status_id as id from archive_import_statuses p
   where p.import_id = $importId order by p.status_id desc limit ${POSTS_PER_JOB}`,
)
const removeRecord = statement<{ params: { statusId: string } }>(
  `delete from archive_import_statuses where status_id = $statusId`,
)
const finish = statement<{ params: { importId: string; now: Date } }>(
  `update account_imports set undone_at = $now where id = $importId and undo_requested_at is not null and undone_at is null`,
)

/**
 * Requests the deletion of the posts of an import from an archive, which a job carries out. Not in Mastodon.
 * @throws NotFoundError, also if the import is not finished, was undone before, or is too old
 */
export async function requestUndo(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  const [row] = isId(id) ? await request(tx.db, { id, accountId, now: tx.now }) : []
  if (!row) throw new NotFoundError()
  tx.emit('account_import.undo_due', { importId: id })
}

/**
 * Effect: deletes some of the posts that an import has created, newest first, and emits the event again until none
 * remains. Posts that the user has deleted meanwhile, or imported before, are not among them.
 */
export async function undoArchiveImport(ctx: Ctx, { importId }: { importId: string }): Promise<void> {
  const [undone] = await findUndone(ctx.db, { importId })
  if (!undone) return
  const { account_id: accountId } = undone
  const posts = await findPosts(ctx.db, { importId })
  for (const { id: statusId } of posts) {
    await ctx
      .write(async (tx) => {
        // The row of a post that is evidence in a report, and only hidden, stays otherwise.
        await removeRecord(tx.db, { statusId })
        await deleteStatus(tx, { accountId, statusId, deleteMedia: true, silentIfNotFederated: true })
      })
      .catch(async (err: unknown) => {
        if (!(err instanceof NotFoundError)) throw err
        await ctx.write((tx) => removeRecord(tx.db, { statusId }))
      })
  }
  await ctx.write(async (tx) => {
    if (posts.length < POSTS_PER_JOB) await finish(tx.db, { importId, now: tx.now })
    else tx.emit('account_import.undo_due', { importId })
  })
}
