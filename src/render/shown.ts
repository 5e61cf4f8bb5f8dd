import type { Read } from '../domain/context.ts'
import type { Status } from '../entities/status.ts'
import { statement } from '../platform/db/connect.ts'
import { emojisOf } from './emojis.ts'
import type { EmojiFacts } from './emojis.ts'
import { pollOf } from './polls.ts'
import type { PollFacts } from './polls.ts'
import { QUOTE_COLUMNS, QUOTE_FACTS } from './quotes.ts'
import type { QuoteFacts } from './quotes.ts'

/** What is shown of a status, whoever looks, and changes more often than its text: its version, counters, and the like. */
export interface Shown extends QuoteFacts {
  id: string
  version: number
  account_id: string
  reblog_of_id: string | null
  visibility: Status['visibility']
  deleted: boolean
  /** Whether there is a quote to look at. */
  quotes: boolean
  pinned: boolean
  /** What it was written with, and whether its author lets others know. */
  application: { name: string; website: string | null; public: boolean } | null
  replies_count: number
  reblogs_count: number
  favourites_count: number
  emojis: EmojiFacts[] | null
  poll: PollFacts | null
}

const counter = (name: string) => `greatest(c.${name}, shown.origin_${name}, 0) as ${name}`

/** One statement for a page, whatever its size: the statuses `$1`, with what they boost. */
const select = statement<Shown>(
  `select shown.id, shown.version, shown.account_id, shown.reblog_of_id, shown.visibility,
     shown.deleted_at is not null as deleted, shown.quote_id is not null as quotes,
     exists (select from pins where pins.status_id = shown.id) as pinned,
     (select jsonb_build_object('name', app.name, 'website', app.website, 'public', u.show_application)
        from applications app join users u on u.account_id = shown.account_id
        where app.id = shown.application_id) as application,
     ${['replies_count', 'reblogs_count', 'favourites_count'].map(counter).join(', ')},
     coalesce(c.quotes_count, 0) as quotes_count, ${QUOTE_FACTS},
     ${emojisOf('shown.emoji_ids')} as emojis, ${pollOf('shown.id')} as poll
   from (
     select s.*, ${QUOTE_COLUMNS} from statuses s left join quotes quote on quote.status_id = s.id
     where s.id = any($1::bigint[] || array(
       select b.reblog_of_id from statuses b where b.id = any($1::bigint[]) and b.reblog_of_id is not null))
   ) shown left join status_stats c on c.status_id = shown.id`,
)

/** The statuses with what they boost, as they are now; unknown ids have no row. */
export async function loadShown(read: Read, { ids }: { ids: readonly string[] }): Promise<Shown[]> {
  return select(read.db, [ids])
}
