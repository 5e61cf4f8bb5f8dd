import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { deleteOutgoingQuotes } from '../../quotes/detach-quotes.ts'

/** How long hidden statuses are retained for the staff. */
export const RETENTION_DAYS = 30
const DAY_MS = 86_400_000

/** Returns the time until which staff can restore a status that they delete now. */
export function restorationDeadlineOf({ now }: { now: Date }): Date {
  return new Date(now.getTime() + RETENTION_DAYS * DAY_MS)
}

/** The number of statuses that are deleted in one transaction. */
const BATCH_SIZE = 200

const findHidden = statement<{ params: { now: Date }; row: { id: string } }>(
  `select id from statuses where deleted_at < $now::timestamptz - make_interval(days => ${RETENTION_DAYS})
   order by deleted_at, id limit ${BATCH_SIZE} for update skip locked`,
)
const removeMedia = statement<{
  params: { statusIds: readonly string[] }
  row: { file_key: string | null; preview_key: string | null }
}>(`delete from media_attachments where status_id = any($statusIds::bigint[]) returning file_key, preview_key`)
const remove = statement<{ params: { statusIds: readonly string[] } }>(
  `delete from statuses where id = any($statusIds::bigint[])`,
)

/** Effect: purges statuses that were hidden 30 days ago and retained only for the staff who manage reports. */
export async function purgeHiddenStatuses(ctx: Ctx): Promise<void> {
  let count: number
  do {
    count = await ctx.write(async (tx) => {
      const statusIds = (await findHidden(tx.db, { now: tx.now })).map((row) => row.id)
      if (statusIds.length === 0) return 0
      await deleteOutgoingQuotes(tx, { statusIds })
      const media = await removeMedia(tx.db, { statusIds })
      const mediaKeys = media.flatMap((one) => [one.file_key, one.preview_key]).filter((key) => key !== null)
      await remove(tx.db, { statusIds })
      if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
      return statusIds.length
    })
  } while (count === BATCH_SIZE)
}
