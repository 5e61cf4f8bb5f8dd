import type { CachedRead, Read } from '../../../domain/context.ts'
import { LINK_REVIEW, STATUS_REVIEW } from '../../../domain/trends/trend-eligibility.ts'
import type {
  AdminTrendsLink,
  AdminTrendsPublisher,
  AdminTrendsStatus,
} from '../../../entities/admin/content/admin-trends.ts'
import type { TrendsLink } from '../../../entities/statuses/card.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { entity } from '../../../lib/json/entity-json.ts'
import { extendEntity } from '../../../lib/json/fragment.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'
import { statement } from '../../../platform/db/statement.ts'
import { renderTrendingLinkMap } from '../../cards/render-trending-links.ts'
import { renderStatusMap } from '../../statuses/render-statuses.ts'

/** `trendable` null: not reviewed. */
interface ReviewsOf {
  params: { ids: readonly string[] }
  row: { id: string; trendable: boolean | null }
}

const findStatusReviews = statement<ReviewsOf>(
  `select s.id, ${STATUS_REVIEW} as trendable from statuses s left join status_trend_reviews r on r.status_id = s.id
   where s.id = any($ids::bigint[])`,
)
const findLinkReviews = statement<ReviewsOf>(
  `select c.id, ${LINK_REVIEW} as trendable from preview_cards c left join trending_links tl on tl.card_id = c.id
     left join preview_card_providers p on p.id = tl.publisher_id
   where c.id = any($ids::bigint[])`,
)

/** Returns the attributes of a review. */
const reviewIn = (reviews: readonly ReviewsOf['row'][]) => {
  const byId = new Map(reviews.map(({ id, trendable }) => [id, trendable]))
  return (id: string) => {
    const trendable = byId.get(id) ?? null
    return { trendable, requires_review: trendable === null }
  }
}

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
  const [statuses, reviews] = await Promise.all([
    renderStatusMap(read, { ids, viewerId }),
    findStatusReviews(read.db, { ids }),
  ])
  const reviewOf = reviewIn(reviews)
  return ids.flatMap((id) => {
    const status = statuses.get(id)
    return status ? [extendEntity<AdminTrendsStatus, Status>(status, reviewOf(id))] : []
  })
}

/** Returns trending links as the staff see them, by the ids of their cards, in this order; unknown ids are omitted. */
export async function renderAdminTrendsLinks(
  read: CachedRead,
  { ids, viewerId, now }: { ids: readonly string[]; viewerId: string; now: Date },
): Promise<EntityJson<AdminTrendsLink>[]> {
  if (ids.length === 0) return []
  const [links, reviews] = await Promise.all([
    renderTrendingLinkMap(read, { ids, viewerId, now }),
    findLinkReviews(read.db, { ids }),
  ])
  const reviewOf = reviewIn(reviews)
  return [...links].map(([id, link]) => extendEntity<AdminTrendsLink, TrendsLink>(link, { id, ...reviewOf(id) }))
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
