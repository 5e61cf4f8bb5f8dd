import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { lockSetting } from '../core/settings-store.ts'

/**
 * The setting with the position of the job: hashtags of statuses below this id may not be marked yet. Absent if all are
 * marked. A migration sets it, if there were hashtags of statuses before.
 */
const POSITION_SETTING = 'hashtags:unmarked'

/** About how many rows one transaction marks. */
const BATCH_SIZE = 2_000

/** The maximum duration of one job. The clock starts the next one. */
const MAX_MS = 20_000

const mark = statement<{ params: { below: string }; row: { lowest: string | null } }>(
  `with batch as materialized (
     select (select status_id from status_tags where status_id < $below::bigint order by status_id desc
       limit 1 offset ${BATCH_SIZE - 1}) as lowest
   ), marked as (
     update status_tags st set local = s.local from statuses s, batch
     where s.id = st.status_id and st.status_id < $below::bigint and st.status_id >= coalesce(batch.lowest, 0)
       and st.local is null
   )
   select lowest from batch`,
)
const advance = statement<{ params: { lowest: string } }>(
  `update settings set value = to_jsonb($lowest::text), updated_at = now() where name = '${POSITION_SETTING}'`,
)
const removePosition = statement(`delete from settings where name = '${POSITION_SETTING}'`)

/** Effect: marks the hashtags of statuses from before there was a mark as those of local or remote statuses. */
export async function markLocalHashtags(ctx: Ctx): Promise<void> {
  const stopAt = performance.now() + MAX_MS
  while (performance.now() < stopAt && (await ctx.write(markBatch)));
}

/** Returns whether there are more. */
async function markBatch(tx: Tx): Promise<boolean> {
  const below = await lockSetting<string>(tx, { name: POSITION_SETTING })
  if (below === null) return false
  const [batch] = await mark(tx.db, { below })
  const lowest = batch!.lowest
  await (lowest === null ? removePosition(tx.db) : advance(tx.db, { lowest }))
  return lowest !== null
}
