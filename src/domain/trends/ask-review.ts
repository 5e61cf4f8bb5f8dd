import { statement } from '../../platform/db/statement.ts'
import { readSetting, writeSetting } from '../settings.ts'
import type { Tx } from '../context.ts'
import { LINK_TRENDS, LINK_VERDICT, STATUS_MAY_TREND, STATUS_VERDICT, TAG_TRENDS, TAG_VERDICT } from './eligible.ts'
import { readTrendsSettings } from './settings.ts'

/** The staff is asked no more often than this. */
const PAUSE_MS = 6 * 3_600_000
/** Under which it is noted when they were asked last. */
const ASKED = 'trends:review_asked'

/** So many of each kind are asked about at once. */
const ASKED_ABOUT = 10

/** What waits for the staff, by its names. */
export interface Unreviewed {
  tags: string[]
  /** Their titles. */
  links: string[]
  /** Their addresses. */
  statuses: string[]
}

// Each marks what it finds, so that nothing is asked about twice as long as it trends.
const askAboutTags = statement<{ params: { now: Date }; row: { name: string } }>(
  `with found as (
     select t.id, t.display_name as name, tt.score from trending_tags tt join tags t on t.id = tt.tag_id
     where ${TAG_TRENDS} and ${TAG_VERDICT} is null and t.reviewed_at is null and tt.review_asked_at is null
     order by tt.score desc limit ${ASKED_ABOUT}
   ), marked as (update trending_tags set review_asked_at = $now where tag_id = any(array(select id from found)))
   select name from found order by score desc`,
)
const askAboutLinks = statement<{ params: { now: Date }; row: { name: string } }>(
  `with found as (
     select c.id, c.title as name, tl.score, tl.publisher_id from trending_links tl join preview_cards c on c.id = tl.card_id
       left join publishers p on p.id = tl.publisher_id
     where ${LINK_TRENDS} and ${LINK_VERDICT} is null and tl.review_asked_at is null
     order by tl.score desc limit ${ASKED_ABOUT}
   ), marked as (update trending_links set review_asked_at = $now where card_id = any(array(select id from found))
   ), known as (
     update publishers set review_asked_at = $now
     where id = any(array(select publisher_id from found)) and review_asked_at is null)
   select name from found order by score desc`,
)
const askAboutStatuses = statement<{ params: { now: Date }; row: { name: string } }>(
  `with found as (
     select s.id, s.url as name, ts.score from trending_statuses ts join statuses s on s.id = ts.status_id
       left join reviewed_statuses r on r.status_id = s.id
     where ${STATUS_MAY_TREND} and ${STATUS_VERDICT} is null and ts.review_asked_at is null
     order by ts.score desc limit ${ASKED_ABOUT}
   ), marked as (update trending_statuses set review_asked_at = $now where status_id = any(array(select id from found)))
   select name from found order by score desc`,
)

/** What the staff should look at and was not asked about before; null: nothing, or they were asked a little while ago. */
export async function askForReview(tx: Tx): Promise<Unreviewed | null> {
  const { enabled, unreviewed } = await readTrendsSettings(tx)
  if (!enabled || unreviewed) return null
  const last = await readSetting<string>(tx, { name: ASKED })
  if (last !== null && tx.now.getTime() - Date.parse(last) < PAUSE_MS) return null
  const ask = async (find: typeof askAboutTags) => (await find(tx.db, { now: tx.now })).map(({ name }) => name)
  const found = {
    tags: await ask(askAboutTags),
    links: await ask(askAboutLinks),
    statuses: await ask(askAboutStatuses),
  }
  if (Object.values(found).every((names) => names.length === 0)) return null
  await writeSetting(tx, { name: ASKED, value: tx.now.toISOString() })
  return found
}
