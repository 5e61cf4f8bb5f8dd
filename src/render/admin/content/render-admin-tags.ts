import type { Read } from '../../../domain/context.ts'
import { readTrendsSettings } from '../../../domain/trends/read-trends-settings.ts'
import type { AdminTag } from '../../../entities/admin/content/admin-tag.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { entity } from '../../../lib/json/entity-json.ts'
import { statement } from '../../../platform/db/statement.ts'
import { renderTags } from '../../tags/render-tags.ts'

interface ReviewRow {
  id: string
  usable: boolean
  listable: boolean
  trendable: boolean | null
  reviewed: boolean
}

const findReviews = statement<{ params: { ids: readonly string[] }; row: ReviewRow }>(
  `select id, usable, listable, trendable, reviewed_at is not null as reviewed from tags where id = any($ids::bigint[])`,
)

/** Returns hashtags as the staff see them, in the order of the ids; unknown ids are omitted. */
export async function renderAdminTags(
  read: Read,
  { ids, viewerId, now }: { ids: readonly string[]; viewerId: string; now: Date },
): Promise<AdminTag[]> {
  if (ids.length === 0) return []
  const [tags, reviews, { unreviewed }] = await Promise.all([
    renderTags(read, { ids, viewerId, now }),
    findReviews(read.db, { ids }),
    readTrendsSettings(read),
  ])
  const reviewOf = new Map(reviews.map((review) => [review.id, review]))
  return tags.flatMap((tag) => {
    const review = reviewOf.get(tag.id)
    if (review === undefined) return []
    const { usable, listable, trendable, reviewed } = review
    return [
      entity<AdminTag>({
        ...tag,
        following: tag.following,
        featuring: tag.featuring,
        trendable: trendable ?? unreviewed,
        usable,
        listable,
        requires_review: !reviewed,
      }),
    ]
  })
}

/** Returns one hashtag (Mastodon: GET /api/v1/admin/tags/:id). @throws NotFoundError */
export async function renderAdminTag(
  read: Read,
  { id, ...input }: { id: string; viewerId: string; now: Date },
): Promise<AdminTag> {
  const [tag] = await renderAdminTags(read, { ids: [id], ...input })
  if (tag === undefined) throw new NotFoundError()
  return tag
}
