import type { CachedRead } from '../../domain/context.ts'
import { startOfHistory } from '../../domain/core/usage-history.ts'
import type { PreviewCardShared, TrendsLink } from '../../entities/statuses/card.ts'
import { joinFragment } from '../../lib/json/fragment.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { statement } from '../../platform/db/statement.ts'
import { usageHistory } from '../tags/usage-history.ts'
import type { DailyUseRow } from '../tags/usage-history.ts'
import { cardJson } from './card-row.ts'
import type { CardRow } from './card-row.ts'
import { cardForViewer, createCardRecord, findCardAccounts } from './render-cards.ts'

const selectCards = statement<{ params: { ids: readonly string[] }; row: { id: string; card: CardRow } }>(
  `select c.id, ${cardJson('c.url')} as card
   from unnest($ids::bigint[]) with ordinality as ids (id, position) join preview_cards c on c.id = ids.id
   order by ids.position`,
)

// An account that links to several URLs of the same page on a day counts once.
const selectUses = statement<{ params: { cardIds: readonly string[]; since: Date }; row: DailyUseRow; notNull: 'id' }>(
  `select l.card_id as id, u.day - date '1970-01-01' as day, sum(u.uses) as uses, count(distinct u.account_id) as accounts
   from preview_links l join preview_link_uses u on u.link_id = l.id
   where l.card_id = any($cardIds::bigint[]) and u.day >= ($since::timestamptz at time zone 'UTC')::date
   group by l.card_id, u.day`,
)

interface TrendingLinksInput {
  /** The ids of cards. */
  ids: readonly string[]
  viewerId: string | null
  now: Date
}

/** Returns links in the order of the ids, with their public uses on each of the last seven days. */
export async function renderTrendingLinks(
  read: CachedRead,
  input: TrendingLinksInput,
): Promise<EntityJson<TrendsLink>[]> {
  return [...(await renderTrendingLinkMap(read, input)).values()]
}

/** Returns the same by the ids; unknown ids have no entry. */
export async function renderTrendingLinkMap(
  read: CachedRead,
  { ids, viewerId, now }: TrendingLinksInput,
): Promise<Map<string, EntityJson<TrendsLink>>> {
  if (ids.length === 0) return new Map()
  const [rows, uses] = await Promise.all([
    selectCards(read.db, { ids }),
    selectUses(read.db, { cardIds: ids, since: startOfHistory(now) }),
  ])
  const cards = rows.map(({ id, card }) => ({ id, record: createCardRecord(read.config, card) }))
  const cardAccounts = await findCardAccounts(read, { cards: cards.map(({ record }) => record) })
  const historyOf = usageHistory({ uses, now })
  return new Map(
    cards.map(({ id, record }) => [
      id,
      joinFragment<TrendsLink, PreviewCardShared>(record.shared, {
        ...cardForViewer(record, { cardAccounts, viewerId }),
        history: historyOf(id),
      }),
    ]),
  )
}
