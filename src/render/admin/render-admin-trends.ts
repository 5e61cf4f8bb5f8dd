import type { CachedRead, Read } from '../../domain/context.ts'
import { LINK_REVIEW, STATUS_REVIEW } from '../../domain/trends/trend-eligibility.ts'
import type { AdminTrendsLink, AdminTrendsPublisher, AdminTrendsStatus } from '../../entities/admin/admin-trends.ts'
import type { TrendsLink } from '../../entities/statuses/card.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { entity } from '../../lib/json/entity-json.ts'
import { extendEntity } from '../../lib/json/fragment.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { statement } from '../../platform/db/statement.ts'
import { renderTrendingLinkMap } from '../cards/render-trending-links.ts'
import { renderStatusMap } from '../statuses/render-statuses.ts'

const findUnreviewedStatuses = statement<{ params: { ids: readonly string[] }; row: { id: string } }>(
  `select s.id from statuses s left join status_trend_reviews r on r.status_id = s.id
   where s.id = any($ids::bigint[]) and ${STATUS_REVIEW} is null`,
)
const findUnreviewedLinks = statement<{ params: { ids: readonly string[] }; row: { id: string } }>(
  `select c.id from preview_cards c left join trending_links tl on tl.card_id = c.id
     left join preview_card_providers p on p.id = tl.publisher_id
   where c.id = any($ids::bigint[]) and ${LINK_REVIEW} is null`,
)

interface PublisherRow {
  id: string
  domain: string
  trendable: boolean | null
  reviewed_at: Date | null
  review_requested_at: Date | null
}

const findPublishers = statement<{ params: { ids: readonly string[] }; row: PublisherRow }>(
  `select p.id, p.domain, p.trendable, p.reviewed_at, p.review_requested_at
   from unnest($ids::bigint[]) with ordinality as ids (id, position) join preview_card_providers p on p.id = ids.id
   order by ids.position`,
)

/** Returns trending statuses as the staff see them, in the order of the ids; unknown ids are omitted. */
export async function renderAdminTrendsStatuses(
  read: CachedRead,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string },
): Promise<EntityJson<AdminTrendsStatus>[]> {
  if (ids.length === 0) return []
  const [statuses, unreviewed] = await Promise.all([
    renderStatusMap(read, { ids, viewerId }),
    findUnreviewedStatuses(read.db, { ids }),
  ])
  const unreviewedIds = new Set(unreviewed.map(({ id }) => id))
  return ids.flatMap((id) => {
    const status = statuses.get(id)
    return status ? [extendEntity<AdminTrendsStatus, Status>(status, { requires_review: unreviewedIds.has(id) })] : []
  })
}

/** Returns trending links as the staff see them, by the ids of their cards, in this order; unknown ids are omitted. */
export async function renderAdminTrendsLinks(
  read: CachedRead,
  { ids, viewerId, now }: { ids: readonly string[]; viewerId: string; now: Date },
): Promise<EntityJson<AdminTrendsLink>[]> {
  if (ids.length === 0) return []
  const [links, unreviewed] = await Promise.all([
    renderTrendingLinkMap(read, { ids, viewerId, now }),
    findUnreviewedLinks(read.db, { ids }),
  ])
  const unreviewedIds = new Set(unreviewed.map(({ id }) => id))
  return [...links].map(([id, link]) =>
    extendEntity<AdminTrendsLink, TrendsLink>(link, { id, requires_review: unreviewedIds.has(id) }),
  )
}

/** Returns publishers in the order of the ids; unknown ids are omitted. */
export async function renderTrendsPublishers(
  read: Read,
  { ids }: { ids: readonly string[] },
): Promise<AdminTrendsPublisher[]> {
  if (ids.length === 0) return []
  const publishers = await findPublishers(read.db, { ids })
  return publishers.map(({ id, domain, trendable, reviewed_at: reviewedAt, review_requested_at: requestedAt }) =>
    entity<AdminTrendsPublisher>({
      id,
      domain,
      trendable,
      reviewed_at: reviewedAt?.toISOString() ?? null,
      requested_review_at: requestedAt?.toISOString() ?? null,
      requires_review: reviewedAt === null,
    }),
  )
}
