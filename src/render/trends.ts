import type { Read } from '../domain/context.ts'
import { startOfHistory } from '../domain/tags/days.ts'
import type { TrendsLink } from '../entities/card.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { statement } from '../platform/db/connect.ts'
import { cardJson } from './card-facts.ts'
import type { CardFacts } from './card-facts.ts'
import { findCardPeople, keepCard, presentCard } from './cards.ts'
import { presentHistories } from './histories.ts'
import type { DailyUseRow } from './histories.ts'

const findCards = statement<{ id: string; facts: CardFacts }>(
  `select c.id, ${cardJson('c.url')} as facts
   from unnest($1::bigint[]) with ordinality as wanted (id, place) join preview_cards c on c.id = wanted.id
   order by wanted.place`,
)

// Whoever used several addresses of the same page on a day is one person.
const findUses = statement<DailyUseRow>(
  `select l.card_id as id, u.day - date '1970-01-01' as day, sum(u.uses) as uses, count(distinct u.account_id) as accounts
   from links l join link_uses u on u.link_id = l.id
   where l.card_id = any($1::bigint[]) and u.day >= ($2::timestamptz at time zone 'UTC')::date
   group by l.card_id, u.day`,
)

/** Cards with how much the pages were linked to in public on each of the last seven days, in the order of the ids. */
export async function renderTrendingLinks(
  read: Read,
  { ids, viewerId, now }: { ids: readonly string[]; viewerId: string | null; now: Date },
): Promise<Json<TrendsLink>[]> {
  if (ids.length === 0) return []
  const [rows, uses] = await Promise.all([findCards(read.db, [ids]), findUses(read.db, [ids, startOfHistory(now)])])
  const cards = rows.map(({ id, facts }) => ({ id, card: keepCard(read.config, facts) }))
  const people = await findCardPeople(read, { cards: cards.map(({ card }) => card) })
  const historyOf = presentHistories({ uses, now })
  return cards.map(({ id, card }) => {
    const shown = presentCard(card, { people, viewerId }).slice(0, -1)
    return `${shown},"history":${toJson(historyOf(id))}}` as Json<TrendsLink>
  })
}
