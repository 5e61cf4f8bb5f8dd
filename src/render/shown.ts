import type { Status } from '../entities/status.ts'
import { emojisOf } from './emojis.ts'
import type { EmojiFacts } from './emojis.ts'
import { filteringViewers } from './filter-results.ts'
import type { FilteringViewers } from './filter-results.ts'
import { pollOf } from './polls.ts'
import type { PollFacts } from './polls.ts'
import { QUOTE_COLUMNS, QUOTE_FACTS, STANDINGS } from './quotes.ts'
import type { QuoteFacts } from './quotes.ts'

/** What is asked anew for each page, whoever looks: versions, counters, and what changes without the status's knowing. */
export interface Shown extends QuoteFacts {
  id: string
  version: number
  account_id: string
  reblog_of_id: string | null
  visibility: Status['visibility']
  /** Whether there is a quote to look at. */
  quotes: boolean
  /** Asked of what is the viewers' own. */
  pinned: boolean | null
  /** What it was written with, and whether its author lets others know. */
  application: { name: string; website: string | null; public: boolean } | null
  replies_count: number
  reblogs_count: number
  favourites_count: number
  emojis: EmojiFacts[] | null
  poll: PollFacts | null
  account_version: number
  account_emojis: EmojiFacts[] | null
  followers_count: number
  following_count: number
  statuses_count: number
  last_status_at: Date | null
  filtering: FilteringViewers | null
}

/** What a viewer may have done with the status `shown`, and the rows that tell it, each with its account. */
export const DEEDS = {
  favourited: 'favourites d where d.status_id = shown.id',
  reblogged: 'statuses d where d.reblog_of_id = shown.id and d.deleted_at is null',
  bookmarked: 'bookmarks d where d.status_id = shown.id',
  muted: 'conversation_mutes d where d.conversation_id = shown.conversation_id',
} as const

/** All that is asked so about viewers: what they did, and how they stand to its author. */
export const QUESTIONS = { ...DEEDS, ...STANDINGS } as const

/** The answers for one viewer. */
export type Answers = Record<keyof typeof QUESTIONS, boolean>

/** What a rendering is made of, whoever looks: what `Shown` names of the row `s` of `statuses`. */
const OF_STATUS = `s.id, s.version, s.account_id, s.reblog_of_id, s.visibility, s.emoji_ids, s.conversation_id,
  s.application_id, s.quote_automatic, s.quote_manual,
  s.origin_replies_count, s.origin_reblogs_count, s.origin_favourites_count`

const PAGE = `page as (
     select ${OF_STATUS} from statuses s where s.id = any($1::bigint[])
   ), outer_ones as (
     select * from page
     union
     select ${OF_STATUS} from page join statuses s on s.id = page.reblog_of_id
   )`

/** `shown`: the page and what it boosts, with what is quoted by any of these. */
const WITH_QUOTED = `with ${PAGE}, quoting as (
     select outer_ones.*, ${QUOTE_COLUMNS} from outer_ones left join quotes quote on quote.status_id = outer_ones.id
   ), shown as (
     select * from quoting
     union
     select ${OF_STATUS}, ${QUOTE_COLUMNS} from quoting join statuses s on s.id = quoting.quoted_id and s.deleted_at is null
       left join quotes quote on quote.status_id = s.id
   )`

const WITHOUT_QUOTED = `with ${PAGE}, shown as (
     select outer_ones.*, ${QUOTE_COLUMNS} from outer_ones left join quotes quote on quote.status_id = outer_ones.id
   )`

/**
 * The text of the one statement per page, whatever its size: the statuses `$1` with what they boost and, where `quoted`
 * is said, what all of these quote. It also brings the versions, which tell whether a kept rendering counts. `columns`
 * are those of what is asked about viewers, who are those whose ids are `viewers` (`= $2`).
 */
export function selectShown({
  columns: asked,
  viewers,
  quoted,
}: {
  columns: string
  viewers: string
  quoted: boolean
}): string {
  const counter = (name: string) => `greatest(c.${name}, shown.origin_${name}, 0) as ${name}`
  return `${quoted ? WITH_QUOTED : WITHOUT_QUOTED}
   select shown.id, shown.version, shown.account_id, shown.reblog_of_id, shown.visibility,
     shown.quote_id is not null as quotes,
     shown.account_id ${viewers} and exists (select from pins where pins.status_id = shown.id) as pinned,
     (select jsonb_build_object('name', app.name, 'website', app.website, 'public', u.show_application)
        from applications app join users u on u.account_id = shown.account_id
        where app.id = shown.application_id) as application,
     ${['replies_count', 'reblogs_count', 'favourites_count'].map(counter).join(', ')},
     coalesce(c.quotes_count, 0) as quotes_count, ${QUOTE_FACTS}, ${asked},
     ${emojisOf('shown.emoji_ids')} as emojis, ${pollOf('shown.id', viewers)} as poll,
     ${emojisOf('a.emoji_ids')} as account_emojis, a.version as account_version, st.followers_count, st.following_count, st.statuses_count, st.last_status_at,
     ${filteringViewers(viewers)} as filtering
   from shown left join status_stats c on c.status_id = shown.id
     join accounts a on a.id = shown.account_id join account_stats st on st.account_id = shown.account_id`
}
