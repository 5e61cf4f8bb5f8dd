import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

// In this file, the caller has locked the restored status, the one that it quotes, and the counters of both.
const isLive = (column: string) => `exists (select from statuses s where s.id = q.${column} and s.deleted_at is null)`

const restore = (column: 'status_id' | 'quoted_status_id', other: 'status_id' | 'quoted_status_id') =>
  statement<{
    params: { statusId: string; now: Date }
    row: { status_id: string; quoted_status_id: string | null; state: string }
  }>(
    `update quotes q set state = q.state_before_deletion, state_before_deletion = null, updated_at = $now
     where q.${column} = $statusId and q.state = 'deleted' and q.state_before_deletion is not null and ${isLive(other)}
     returning q.status_id, q.quoted_status_id, q.state`,
  )
const restoreOwn = restore('status_id', 'quoted_status_id')
const restoreOthers = restore('quoted_status_id', 'status_id')
const incrementQuotes = statement<{ params: { quotedId: string | null } }>(
  `update status_stats set quotes_count = quotes_count + 1 where status_id = $quotedId`,
)
const incrementVersions = statement<{ params: { statusIds: readonly string[] } }>(
  `update statuses set version = version + 1 where id = any($statusIds::bigint[])`,
)

/**
 * Undoes what the deletion of a restored status did to its own quote and to the quotes of it, if both statuses of a
 * quote are visible again. The caller counts the quotes of the restored status.
 */
export async function restoreQuotes(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  const [own] = await restoreOwn(tx.db, { statusId, now: tx.now })
  if (own?.state === 'accepted') await incrementQuotes(tx.db, { quotedId: own.quoted_status_id })
  const quotingIds = (await restoreOthers(tx.db, { statusId, now: tx.now })).map((quote) => quote.status_id)
  await incrementVersions(tx.db, { statusIds: quotingIds })
  for (const id of quotingIds) tx.emit('status.quote_state_changed', { statusId: id, at: tx.now.getTime() })
}
