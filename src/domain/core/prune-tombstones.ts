import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'

const TOMBSTONE_DAYS = 30
const DAY_MS = 86_400_000

/** How many rows one statement deletes, so that none blocks others for long. */
const BATCH_SIZE = 5_000

const prune = statement<{ params: { before: Date }; row: { uri: string } }>(
  `delete from tombstones where (uri, owner_uri) in (
     select uri, owner_uri from tombstones where not is_local and created_at < $before
       order by created_at limit ${BATCH_SIZE})
   returning uri`,
)

/**
 * Effect: deletes tombstones of remote objects after 30 days. Those of local statuses and accounts stay, since other
 * servers get 410 for them.
 */
export async function pruneTombstones(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - TOMBSTONE_DAYS * DAY_MS)
  let rows
  do rows = await prune(ctx.db, { before })
  while (rows.length === BATCH_SIZE)
}
