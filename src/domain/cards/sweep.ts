import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { startOfHistory } from '../tags/days.ts'

/** So many go in one transaction. */
const BATCH = 500

const prune = statement<{ params: { before: Date } }>(
  `delete from link_uses where day < ($before::timestamptz at time zone 'UTC')::date`,
)
// A link that a status is being connected with is held by whoever does that.
const removeLinks = statement<{ params: { now: Date }; row: { id: string } }>(
  `delete from links where id = any(array(
     select l.id from links l
     where l.due_at < $now and not exists (select from status_links sl where sl.link_id = l.id)
     order by l.due_at limit ${BATCH} for update skip locked))
   returning id`,
)
const removeCards = statement<{ params: { now: Date }; row: { id: string; image_key: string | null } }>(
  `delete from preview_cards where id = any(array(
     select c.id from preview_cards c
     where c.created_at < $now::timestamptz - interval '1 hour'
       and not exists (select from links l where l.card_id = c.id)
       and not exists (select from status_links sl where sl.card_id = c.id)
     order by c.id limit ${BATCH} for update skip locked))
   returning id, image_key`,
)

/** Effect: forgets uses that are no longer told, links that no status has any more, and the cards of none. */
export async function sweepCards(ctx: Ctx): Promise<void> {
  await ctx.write((tx) => prune(tx.db, { before: startOfHistory(tx.now) }))
  await inBatches(() => ctx.write(async (tx) => (await removeLinks(tx.db, { now: tx.now })).length))
  await inBatches(() =>
    ctx.write(async (tx) => {
      const gone = await removeCards(tx.db, { now: tx.now })
      const mediaKeys = gone.flatMap((card) => card.image_key ?? [])
      if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
      return gone.length
    }),
  )
}

async function inBatches(remove: () => Promise<number>): Promise<void> {
  while ((await remove()) === BATCH);
}
