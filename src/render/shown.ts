import type { Read } from '../domain/context.ts'
import type { Status } from '../entities/status.ts'
import type { Changes } from '../platform/db/changes.ts'
import { statement } from '../platform/db/connect.ts'
import { Kept } from '../platform/db/kept.ts'
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

/** How much memory one process may take for them, and what one takes beside its poll and its emojis. */
const KEPT_BYTES = 24 * 1024 * 1024
const ROW_BYTES = 900

const kept = new Kept<Shown>({
  maxBytes: KEPT_BYTES,
  hasChanged: (changes, { value, since }) =>
    changes.hasChanged('status', value.id, since) ||
    changes.hasChanged('status counters', value.id, since) ||
    (value.application !== null && changes.hasChanged('user', value.account_id, since)) ||
    (value.poll !== null && hasEndedSince(value.poll, changes)),
})

function hasEndedSince({ expired, expires_at: expiresAt }: PollFacts, { now }: Changes): boolean {
  return !expired && expiresAt !== null && Date.parse(expiresAt) <= now
}

/** The statuses by their ids, with what they boost and what any of these quote. */
export async function findShown(
  read: Read,
  { ids, changes }: { ids: readonly string[]; changes: Changes },
): Promise<Map<string, Shown>> {
  const found = new Map<string, Shown>()
  const add = async (wanted: readonly string[]) => {
    const missing: string[] = []
    for (const id of wanted) {
      const row = found.get(id) ?? kept.get(changes, id)
      if (row === undefined) missing.push(id)
      else found.set(id, row)
    }
    if (missing.length === 0) return
    const since = changes.moment
    for (const row of await select(read.db, [missing])) {
      found.set(row.id, row)
      const bytes = ROW_BYTES + (row.poll || row.emojis ? 2 * JSON.stringify([row.poll, row.emojis]).length : 0)
      kept.set(changes, row.id, { value: row, since, bytes })
    }
  }
  await add(ids)
  await add([...found.values()].flatMap((row) => row.reblog_of_id ?? []))
  const quoted = [...found.values()].flatMap((row) => row.quoted_id ?? [])
  const before = new Set(found.keys())
  await add(quoted)
  for (const id of quoted) if (!before.has(id) && found.get(id)?.deleted) found.delete(id)
  return found
}
