import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import {
  IS_LINK_TRENDING,
  LINK_REVIEW,
  IS_STATUS_ELIGIBLE,
  STATUS_REVIEW,
  IS_TAG_TRENDING,
  TAG_REVIEW,
} from './trend-eligibility.ts'
import type { TrendKind } from './review-trend.ts'
import { readTrendsSettings } from './read-trends-settings.ts'

/** A hashtag, status, link or publisher that trends, or would trend if it were approved. */
export interface Trend {
  id: string
  /** The name that the staff uses: a hashtag, the id of a status, a URL or a domain. */
  name: string
  /** For a publisher, the highest score of its links. */
  score: number
  /** Whether the staff approved it; null if it is not reviewed. */
  approved: boolean | null
  /** A description: the title of a page, the author and URL of a status. */
  about: string
}

/** `limit` null: all. */
type OffsetPage = { limit: number | null; offset: number }
const PAGE = 'limit $limit::bigint offset $offset'

const LISTS = {
  tag: statement<{ params: OffsetPage; row: Trend }>(
    `select t.id, t.display_name as name, tt.score, ${TAG_REVIEW} as approved, '' as about
     from trending_tags tt join tags t on t.id = tt.tag_id where ${IS_TAG_TRENDING} order by tt.score desc, t.id desc ${PAGE}`,
  ),
  status: statement<{ params: OffsetPage; row: Trend }>(
    `select s.id, s.id as name, ts.score, ${STATUS_REVIEW} as approved,
       '@' || a.username || coalesce('@' || a.domain, '') || ' ' || s.url as about
     from trending_statuses ts join statuses s on s.id = ts.status_id join accounts a on a.id = s.account_id
       left join status_trend_reviews r on r.status_id = s.id
     where ${IS_STATUS_ELIGIBLE} order by ts.score desc, s.id desc ${PAGE}`,
  ),
  link: statement<{ params: OffsetPage; row: Trend }>(
    `select c.id, c.url as name, tl.score, ${LINK_REVIEW} as approved, c.title as about
     from trending_links tl join preview_cards c on c.id = tl.card_id left join preview_card_providers p on p.id = tl.publisher_id
     where ${IS_LINK_TRENDING} order by tl.score desc, c.id desc ${PAGE}`,
  ),
  publisher: statement<{ params: OffsetPage; row: Trend }>(
    `select p.id, p.domain as name, coalesce(max(tl.score), 0) as score, p.trendable as approved, '' as about
     from preview_card_providers p left join trending_links tl on tl.publisher_id = p.id
     group by p.id order by score desc, p.id desc limit least($limit::bigint, 1000) offset $offset`,
  ),
} satisfies Record<TrendKind, unknown>

/**
 * Returns the trends of a kind, approved or not, highest score first. For publishers, returns all known ones, also
 * those without trending links.
 */
export async function listTrends(
  read: Pick<Read, 'db'>,
  { kind, page = { limit: null, offset: 0 } }: { kind: TrendKind; page?: OffsetPage },
): Promise<Trend[]> {
  return LISTS[kind](read.db, { limit: page.limit, offset: page.offset })
}

/** Returns a function that returns whether trends with this review result are shown to users. */
export async function readApprovalFilter(read: Pick<Read, 'db'>): Promise<(approved: boolean | null) => boolean> {
  const { enabled, unreviewed } = await readTrendsSettings(read)
  return (approved) => enabled && (approved ?? unreviewed)
}
