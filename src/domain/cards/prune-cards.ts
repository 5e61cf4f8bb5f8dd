import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { startOfHistory } from '../core/usage-history.ts'

/** The number of rows that are deleted in one transaction. */
const BATCH_SIZE = 500

const prune = statement<{ params: { before: Date } }>(
  `delete from preview_link_uses where day < ($before::timestamptz at time zone 'UTC')::date`,
)
// Skips links that another transaction is adding to a status, because it has locked them.
const removeLinks = statement<{ params: { now: Date }; row: { id: string } }>(
  `delete from preview_links where id = any(array(
     select l.id from preview_links l
     where l.due_at < $now and not exists (select from status_preview_links sl where sl.link_id = l.id)
     order by l.due_at limit ${BATCH_SIZE} for update skip locked))
   returning id`,
)
const removeCards = statement<{ params: { now: Date }; row: { id: string; image_key: string | null } }>(
  `delete from preview_cards where id = any(array(
     select c.id from preview_cards c
     where c.created_at < $now::timestamptz - interval '1 hour'
       and not exists (select from preview_links l where l.card_id = c.id)
       and not exists (select from status_preview_links sl where sl.card_id = c.id)
     order by c.id limit ${BATCH_SIZE} for update skip locked))
   returning id, image_key`,
)

/**
 * Effect: deletes link uses that are older than the trends history, unused links, and unused cards with their images.
 */
export async function pruneCards(ctx: Ctx): Promise<void> {
  await ctx.write((tx) => prune(tx.db, { before: startOfHistory(tx.now) }))
  await repeatInBatches(() => ctx.write(async (tx) => (await removeLinks(tx.db, { now: tx.now })).length))
  await repeatInBatches(() =>
    ctx.write(async (tx) => {
      const removed = await removeCards(tx.db, { now: tx.now })
      const mediaKeys = removed.flatMap((card) => card.image_key ?? [])
      if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
      return removed.length
    }),
  )
}

async function repeatInBatches(remove: () => Promise<number>): Promise<void> {
  while ((await remove()) === BATCH_SIZE);
}
