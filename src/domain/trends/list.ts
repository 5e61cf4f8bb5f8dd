import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { LINK_TRENDS, LINK_VERDICT, STATUS_MAY_TREND, STATUS_VERDICT, TAG_TRENDS, TAG_VERDICT } from './eligible.ts'
import type { TrendKind } from './judge.ts'
import { readTrendsSettings } from './settings.ts'

/** Something that trends, or would if the staff let it. */
export interface Trend {
  id: string
  /** By which the staff calls it: a hashtag, the id of a status, an address, a domain. */
  name: string
  /** Of a publisher, that of the strongest page. */
  score: number
  /** What the staff says; null: nothing yet. */
  verdict: boolean | null
  /** As others see it: the title of a page, who wrote a status and where it is. */
  about: string
}

const LISTS = {
  tag: statement<{ row: Trend }>(
    `select t.id, t.display_name as name, tt.score, ${TAG_VERDICT} as verdict, '' as about
     from trending_tags tt join tags t on t.id = tt.tag_id where ${TAG_TRENDS} order by tt.score desc, t.id desc`,
  ),
  status: statement<{ row: Trend }>(
    `select s.id, s.id as name, ts.score, ${STATUS_VERDICT} as verdict,
       '@' || a.username || coalesce('@' || a.domain, '') || ' ' || s.url as about
     from trending_statuses ts join statuses s on s.id = ts.status_id join accounts a on a.id = s.account_id
       left join reviewed_statuses r on r.status_id = s.id
     where ${STATUS_MAY_TREND} order by ts.score desc, s.id desc`,
  ),
  link: statement<{ row: Trend }>(
    `select c.id, c.url as name, tl.score, ${LINK_VERDICT} as verdict, c.title as about
     from trending_links tl join preview_cards c on c.id = tl.card_id left join publishers p on p.id = tl.publisher_id
     where ${LINK_TRENDS} order by tl.score desc, c.id desc`,
  ),
  publisher: statement<{ row: Trend }>(
    `select p.id, p.domain as name, coalesce(max(tl.score), 0) as score, p.trendable as verdict, '' as about
     from publishers p left join trending_links tl on tl.publisher_id = p.id
     group by p.id order by score desc, p.id desc limit 1000`,
  ),
} satisfies Record<TrendKind, unknown>

/** What trends of a kind, whatever the staff says about it, the strongest first; every publisher that is known. */
export async function listTrends(read: Pick<Read, 'db'>, { kind }: { kind: TrendKind }): Promise<Trend[]> {
  return LISTS[kind](read.db)
}

/** Whether readers are shown what has this verdict. */
export async function readShownVerdicts(read: Pick<Read, 'db'>): Promise<(verdict: boolean | null) => boolean> {
  const { enabled, unreviewed } = await readTrendsSettings(read)
  return (verdict) => enabled && (verdict ?? unreviewed)
}
