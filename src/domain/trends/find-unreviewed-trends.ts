import { statement } from '../../platform/db/statement.ts'
import { readSetting, writeSetting } from '../core/settings-store.ts'
import type { Tx } from '../context.ts'
import {
  IS_LINK_TRENDING,
  LINK_REVIEW,
  IS_STATUS_ELIGIBLE,
  STATUS_REVIEW,
  IS_TAG_TRENDING,
  TAG_REVIEW,
} from './trend-eligibility.ts'
import { readTrendsSettings } from './read-trends-settings.ts'

/** The minimum time between two e-mails to the staff about unreviewed trends. */
const REVIEW_COOLDOWN_MS = 6 * 3_600_000
/** The setting with the time of the last such e-mail. */
const REVIEW_REQUESTED_SETTING = 'trends:review_asked'

/** The maximum number of trends of each kind per e-mail. */
const MAX_PER_KIND = 10

/** The trends that need a review, by name. */
export interface UnreviewedTrends {
  tags: string[]
  /** The titles of the pages. */
  links: string[]
  /** The URLs of the statuses. */
  statuses: string[]
}

// Each statement marks the trends that it returns, so that none is returned twice while it trends.
const selectUnreviewedTags = statement<{ params: { now: Date }; row: { name: string } }>(
  `with unreviewed_trends as (
     select t.id, t.display_name as name, tt.score from trending_tags tt join tags t on t.id = tt.tag_id
     where ${IS_TAG_TRENDING} and ${TAG_REVIEW} is null and t.reviewed_at is null and tt.review_requested_at is null
     order by tt.score desc limit ${MAX_PER_KIND}
   ), marked as (update trending_tags set review_requested_at = $now where tag_id = any(array(select id from unreviewed_trends)))
   select name from unreviewed_trends order by score desc`,
)
const selectUnreviewedLinks = statement<{ params: { now: Date }; row: { name: string } }>(
  `with unreviewed_trends as (
     select c.id, c.title as name, tl.score, tl.publisher_id from trending_links tl join preview_cards c on c.id = tl.card_id
       left join preview_card_providers p on p.id = tl.publisher_id
     where ${IS_LINK_TRENDING} and ${LINK_REVIEW} is null and tl.review_requested_at is null
     order by tl.score desc limit ${MAX_PER_KIND}
   ), marked as (update trending_links set review_requested_at = $now where card_id = any(array(select id from unreviewed_trends))
   ), publishers as (
     update preview_card_providers set review_requested_at = $now
     where id = any(array(select publisher_id from unreviewed_trends)) and review_requested_at is null)
   select name from unreviewed_trends order by score desc`,
)
const selectUnreviewedStatuses = statement<{ params: { now: Date }; row: { name: string } }>(
  `with unreviewed_trends as (
     select s.id, s.url as name, ts.score from trending_statuses ts join statuses s on s.id = ts.status_id
       left join status_trend_reviews r on r.status_id = s.id
     where ${IS_STATUS_ELIGIBLE} and ${STATUS_REVIEW} is null and ts.review_requested_at is null
     order by ts.score desc limit ${MAX_PER_KIND}
   ), marked as (update trending_statuses set review_requested_at = $now where status_id = any(array(select id from unreviewed_trends)))
   select name from unreviewed_trends order by score desc`,
)

/**
 * Returns the trends that the staff should review and were not returned before; null if there are none, or if the last
 * review was requested too recently.
 */
export async function findUnreviewedTrends(tx: Tx): Promise<UnreviewedTrends | null> {
  const { enabled, unreviewed } = await readTrendsSettings(tx)
  if (!enabled || unreviewed) return null
  const last = await readSetting<string>(tx, { name: REVIEW_REQUESTED_SETTING })
  if (last !== null && tx.now.getTime() - Date.parse(last) < REVIEW_COOLDOWN_MS) return null
  const selectNames = async (find: typeof selectUnreviewedTags) =>
    (await find(tx.db, { now: tx.now })).map(({ name }) => name)
  const trends = {
    tags: await selectNames(selectUnreviewedTags),
    links: await selectNames(selectUnreviewedLinks),
    statuses: await selectNames(selectUnreviewedStatuses),
  }
  if (Object.values(trends).every((names) => names.length === 0)) return null
  await writeSetting(tx, { name: REVIEW_REQUESTED_SETTING, value: tx.now.toISOString() })
  return trends
}
