import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { indexEmbeds } from '../search/index-embeds.ts'

/** So many statuses are changed in one transaction. */
const BATCH = 500

// Statuses in their order, before what hangs on them: whoever edits one holds it first, too.
const holdUnsettled = statement<{ params: { linkId: string }; row: { id: string } }>(
  `select s.id from statuses s where s.id = any(array(
     select sl.status_id from status_links sl join links l on l.id = sl.link_id
     where l.id = $linkId and sl.card_id is distinct from l.card_id order by sl.status_id limit ${BATCH}))
   order by s.id for no key update`,
)
// What was edited in between may have another link by now.
const settle = statement<{ params: { linkId: string; statusIds: readonly string[] } }>(
  `update status_links sl set card_id = l.card_id from links l
   where l.id = $linkId and sl.link_id = l.id and sl.status_id = any($statusIds::bigint[])`,
)
const raise = statement<{ params: { ids: readonly string[] } }>(
  `update statuses set version = version + 1 where id = any($ids::bigint[])`,
)

/** Effect: has the statuses with a link show its card. */
export async function showCard(ctx: Ctx, { linkId }: { linkId: string }): Promise<void> {
  let count: number
  do {
    count = await ctx.write(async (tx) => {
      const ids = (await holdUnsettled(tx.db, { linkId })).map((row) => row.id)
      if (ids.length === 0) return 0
      await settle(tx.db, { linkId, statusIds: ids })
      await renew(tx, ids)
      return ids.length
    })
  } while (count > 0)
}

const holdCarriers = statement<{ params: { cardId: string; after: string }; row: { id: string } }>(
  `select s.id from statuses s where s.id = any(array(
     select status_id from status_links where card_id = $cardId and status_id > $after
       order by status_id limit ${BATCH}))
   order by s.id for no key update`,
)

/** Effect: a card says something else now, and so do the statuses that show it. */
export async function renewCarriers(ctx: Ctx, { cardId }: { cardId: string }): Promise<void> {
  let last: string | undefined = '0'
  while (last !== undefined) {
    const after: string = last
    last = await ctx.write(async (tx) => {
      const ids = (await holdCarriers(tx.db, { cardId, after })).map((row) => row.id)
      if (ids.length > 0) await renew(tx, ids)
      return ids.at(-1)
    })
  }
}

/** Statuses have another card, by which they are found, too. */
async function renew(tx: Tx, ids: readonly string[]): Promise<void> {
  await raise(tx.db, { ids })
  await indexEmbeds(tx, { ids })
}
