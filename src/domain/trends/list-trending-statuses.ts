import { Cache } from '../../platform/db/cache.ts'
import { statement } from '../../platform/db/statement.ts'
import { createVisibilityFilter } from '../access/find-visible-statuses.ts'
import type { CachedRead } from '../context.ts'
import { isNotHiddenFrom } from '../timelines/public/read-public-timeline.ts'
import { findReadableLanguages } from './readable-languages.ts'
import { readTrendsSettings } from './read-trends-settings.ts'
import { IS_STATUS_ELIGIBLE, STATUS_REVIEW } from './trend-eligibility.ts'

/** A row of `trending_statuses`, with what decides whether it is shown to users at all. */
interface TrendingStatus {
  id: string
  author: string
  language: string | null
  is_eligible: boolean
  approved: boolean | null
}

// Also returns the statuses that are not eligible now, because the cache depends on them, too.
const findAll = statement<{ row: TrendingStatus }>(
  `select s.id, s.account_id as author, s.language, ${IS_STATUS_ELIGIBLE} as is_eligible, ${STATUS_REVIEW} as approved
   from trending_statuses ts join statuses s on s.id = ts.status_id
     left join status_trend_reviews r on r.status_id = s.id
   order by ts.score desc, s.id desc`,
)

const STATUS_BYTES = 250

const cache = new Cache<TrendingStatus[]>({
  isInvalidated: (invalidations, { value, since }) =>
    invalidations.isInvalidated('trends', '0', since) ||
    value.some(
      ({ id, author }) =>
        invalidations.isInvalidated('status', id, since) || invalidations.isInvalidated('account', author, since),
    ),
})

const filterShown = createVisibilityFilter(isNotHiddenFrom)

/**
 * Returns the ids of trending statuses: those in the viewer's languages first, then by score; only the first one of
 * each author, so that no author fills the list. Excludes statuses that the viewer may not see or hides, as of now, not
 * as of the last measurement. `viewerId` is null for an anonymous viewer. `language` is the language of the request,
 * used if the viewer chose none. Mastodon: GET /api/v1/trends/statuses
 */
export async function listTrendingStatuses(
  read: CachedRead,
  {
    viewerId,
    language,
    page: { limit, offset },
  }: { viewerId: string | null; language: string; page: { limit: number; offset: number } },
): Promise<string[]> {
  const { enabled, unreviewed } = await readTrendsSettings(read)
  if (!enabled) return []
  const shown = (await findTrendingStatuses(read)).filter((one) => one.is_eligible && (one.approved ?? unreviewed))
  const isReadable = await findReadableLanguages(read, { viewerId, language })
  const candidates = [
    ...shown.filter((one) => isReadable(one.language)),
    ...shown.filter((one) => !isReadable(one.language)),
  ]
  const idsByAuthor = new Map<string, string>()
  for (let next = 0; idsByAuthor.size < offset + limit && next < candidates.length;) {
    const some = candidates.slice(next, (next += offset + limit))
    const ids = some.flatMap(({ id, author }) => (idsByAuthor.has(author) ? [] : id))
    const visible = new Set(await filterShown(read, { ids, viewerId }))
    for (const { id, author } of some) if (visible.has(id) && !idsByAuthor.has(author)) idsByAuthor.set(author, id)
  }
  return [...idsByAuthor.values()].slice(offset, offset + limit)
}

/** Returns all rows of `trending_statuses`, the highest score first. */
async function findTrendingStatuses({ db, invalidations }: CachedRead): Promise<TrendingStatus[]> {
  const cached = cache.get(invalidations, '')
  if (cached) return cached
  const since = invalidations.epoch
  const found = await findAll(db)
  cache.set(invalidations, '', { value: found, since, bytes: found.length * STATUS_BYTES })
  return found
}
