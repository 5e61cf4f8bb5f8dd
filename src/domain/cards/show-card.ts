import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { indexEmbeds } from '../search/index-embeds.ts'

/** The number of statuses that are updated in one transaction. */
const BATCH_SIZE = 500

// Locks the statuses in the order of their ids and before their links. Edits also lock the status first.
const lockOutdatedStatuses = statement<{ params: { linkId: string }; row: { id: string } }>(
  `select s.id from statuses s where s.id = any(array(
     select sl.status_id from status_preview_links sl join preview_links l on l.id = sl.link_id
     where l.id = $linkId and sl.card_id is distinct from l.card_id order by sl.status_id limit ${BATCH_SIZE}))
   order by s.id for no key update`,
)
// A status that was edited in between may have another link.
const updateStatusLinks = statement<{ params: { linkId: string; statusIds: readonly string[] } }>(
  `update status_preview_links sl set card_id = l.card_id from preview_links l
   where l.id = $linkId and sl.link_id = l.id and sl.status_id = any($statusIds::bigint[])`,
)
const incrementVersions = statement<{ params: { ids: readonly string[] } }>(
  `update statuses set version = version + 1 where id = any($ids::bigint[])`,
)

/** Effect: sets the card of the statuses with a link to the card of the link. */
export async function updateStatusCards(ctx: Ctx, { linkId }: { linkId: string }): Promise<void> {
  let count: number
  do {
    count = await ctx.write(async (tx) => {
      const ids = (await lockOutdatedStatuses(tx.db, { linkId })).map((row) => row.id)
      if (ids.length === 0) return 0
      await updateStatusLinks(tx.db, { linkId, statusIds: ids })
      await incrementAndReindex(tx, ids)
      return ids.length
    })
  } while (count > 0)
}

const lockStatusesWithCard = statement<{ params: { cardId: string; after: string }; row: { id: string } }>(
  `select s.id from statuses s where s.id = any(array(
     select status_id from status_preview_links where card_id = $cardId and status_id > $after
       order by status_id limit ${BATCH_SIZE}))
   order by s.id for no key update`,
)

/** Effect: updates the statuses that show a changed card. */
export async function updateStatusesWithCard(ctx: Ctx, { cardId }: { cardId: string }): Promise<void> {
  let last: string | undefined = '0'
  while (last !== undefined) {
    const after: string = last
    last = await ctx.write(async (tx) => {
      const ids = (await lockStatusesWithCard(tx.db, { cardId, after })).map((row) => row.id)
      if (ids.length > 0) await incrementAndReindex(tx, ids)
      return ids.at(-1)
    })
  }
}

/** Increments the versions of statuses whose card changed, and updates the search index, which contains the cards. */
async function incrementAndReindex(tx: Tx, ids: readonly string[]): Promise<void> {
  await incrementVersions(tx.db, { ids })
  await indexEmbeds(tx, { ids })
}
