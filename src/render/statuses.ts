import type { Read } from '../domain/context.ts'
import type { FilterResult } from '../entities/filter.ts'
import type { Status } from '../entities/status.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { NotFound } from '../lib/errors.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { displayDomain } from '../lib/usernames.ts'
import type { Config } from '../platform/config.ts'
import { statement } from '../platform/db/connect.ts'
import { presentAccounts } from './accounts.ts'
import { emojisOf, presentEmojis } from './emojis.ts'
import type { EmojiFacts } from './emojis.ts'
import { filteringViewers, prepareFilterResults } from './filter-results.ts'
import type { FilteringViewers } from './filter-results.ts'
import { loadStatuses } from './load-statuses.ts'
import type { StatusFacts } from './load-statuses.ts'
import { presentMedia } from './media.ts'
import { pollOf, presentPoll } from './polls.ts'
import type { PollFacts } from './polls.ts'

/** How much memory the renderings of statuses may take in one process. */
const CACHE_BYTES = 48 * 1024 * 1024

const caches = new WeakMap<Config, ByteCache<string>>()

/** What is asked anew for each page, whoever looks: versions, counters, and what changes without the status's knowing. */
export interface Shown {
  id: string
  version: number
  account_id: string
  reblog_of_id: string | null
  visibility: Status['visibility']
  pinned: boolean
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

/** What one viewer did with one status. */
export type Deeds = Record<keyof typeof DEEDS, boolean>

/** Who looks, null = anonymous, what they did with each status, and which of their filters it runs into, as JSON. */
interface View {
  viewerId: string | null
  deedsOn: (statusId: string) => Deeds | undefined
  filtered: string
}

/** Writes what does not depend on a viewer, with the keys of one, and knows what the filters of each say. */
interface PreparedStatuses {
  /** `own` writes a viewer's keys for a row. Undefined when the status, or what it boosts, is not there. */
  compose(id: string, own: (row: Shown) => string): Json<Status> | undefined
  /** For a boost: of what it boosts. */
  filtered(viewerId: string, row: Shown): Json<FilterResult[]>
}

/**
 * The text of the one statement per page, whatever its size: the statuses `$1` with what they boost. It also brings the
 * versions, which tell whether a kept rendering counts. `deeds` are the columns of what is asked about viewers, who are
 * those whose ids are `viewers` (`= $2`).
 */
export function selectShown({ deeds, viewers }: { deeds: string; viewers: string }): string {
  const columns = `s.id, s.version, s.account_id, s.reblog_of_id, s.visibility, s.emoji_ids, s.conversation_id,
    s.application_id,
    s.origin_replies_count, s.origin_reblogs_count, s.origin_favourites_count`
  const counter = (name: string) => `greatest(c.${name}, shown.origin_${name}, 0) as ${name}`
  return `with page as (
     select ${columns} from statuses s where s.id = any($1::bigint[])
   ), shown as (
     select * from page
     union
     select ${columns} from page join statuses s on s.id = page.reblog_of_id
   )
   select shown.id, shown.version, shown.account_id, shown.reblog_of_id, shown.visibility,
     exists (select from pins where pins.status_id = shown.id) as pinned,
     (select jsonb_build_object('name', app.name, 'website', app.website, 'public', u.show_application)
        from applications app join users u on u.account_id = shown.account_id
        where app.id = shown.application_id) as application,
     ${['replies_count', 'reblogs_count', 'favourites_count'].map(counter).join(', ')}, ${deeds},
     ${emojisOf('shown.emoji_ids')} as emojis, ${pollOf('shown.id', viewers)} as poll,
     ${emojisOf('a.emoji_ids')} as account_emojis, a.version as account_version, st.followers_count, st.following_count, st.statuses_count, st.last_status_at,
     ${filteringViewers(viewers)} as filtering
   from shown left join status_stats c on c.status_id = shown.id
     join accounts a on a.id = shown.account_id join account_stats st on st.account_id = shown.account_id`
}

const select = statement<Shown & Deeds>(
  selectShown({
    deeds: Object.entries(DEEDS)
      .map(([name, rows]) => `exists (select from ${rows} and d.account_id = $2) as ${name}`)
      .join(', '),
    viewers: '= $2',
  }),
)

/**
 * Statuses by their ids, as this viewer sees them (null = anonymous: without the viewer's own keys). Whether the viewer
 * may see them has been decided before.
 */
export async function renderStatusMap(
  read: Read,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string | null },
): Promise<Map<string, Json<Status>>> {
  if (ids.length === 0) return new Map()
  const rows = await select(read.db, [ids, viewerId])
  const deeds = new Map(rows.map((row) => [row.id, row]))
  const { compose, filtered } = await prepareStatuses(read, { rows })
  const deedsOn = (id: string) => deeds.get(id)
  const own = (row: Shown) => {
    const view = { viewerId, deedsOn, filtered: viewerId === null ? '' : filtered(viewerId, row) }
    return ownKeys(read.config, { row, view })
  }
  const done = new Map<string, Json<Status>>()
  for (const id of ids) {
    const status = done.get(id) ?? compose(id, own)
    if (status !== undefined) done.set(id, status)
  }
  return done
}

/** Finds everything of the rows' statuses that does not depend on a viewer, and the filters of those who have some. */
export async function prepareStatuses(read: Read, { rows }: { rows: readonly Shown[] }): Promise<PreparedStatuses> {
  const authors = new Map(
    rows.map((row) => [
      row.account_id,
      { ...row, id: row.account_id, version: row.account_version, emojis: row.account_emojis },
    ]),
  )
  const [bodies, accounts, resultsOf] = await Promise.all([
    findBodies(read, rows),
    presentAccounts(read, { counters: [...authors.values()] }),
    prepareFilterResults(read, { viewers: rows[0]?.filtering ?? null }),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const compose = (id: string, own: (row: Shown) => string): Json<Status> | undefined => {
    const row = byId.get(id)
    const body = bodies.get(id)
    const account = row && accounts.get(row.account_id)
    const reblog = row?.reblog_of_id == null ? 'null' : compose(row.reblog_of_id, own)
    if (!row || body === undefined || account === undefined || reblog === undefined) return undefined
    const emojis = row.emojis === null ? '[]' : toJson(presentEmojis(read.config, row.emojis))
    return `${body},"account":${account},"reblog":${reblog},"emojis":${emojis}${counters(row)}${own(row)}}` as Json<Status>
  }
  const filtered = (viewerId: string, row: Shown): Json<FilterResult[]> => {
    const { id, version, account_id: accountId, poll } = byId.get(row.reblog_of_id ?? row.id) ?? row
    return resultsOf(viewerId, { id, version, accountId, body: bodies.get(id), pollOptions: poll?.options ?? [] })
  }
  return { compose, filtered }
}

/** Statuses in the order of the ids; unknown ids are left out. */
export async function renderStatuses(
  read: Read,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string | null },
): Promise<Json<Status>[]> {
  const map = await renderStatusMap(read, { ids, viewerId })
  return ids.map((id) => map.get(id)).filter((status) => status !== undefined)
}

/** One status. @throws NotFound */
export async function renderStatus(
  read: Read,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<Json<Status>> {
  const [status] = await renderStatuses(read, { ids: [id], viewerId })
  if (status === undefined) throw new NotFound()
  return status
}

function counters(row: Shown): string {
  return `,"replies_count":${row.replies_count},"reblogs_count":${row.reblogs_count},"favourites_count":${row.favourites_count}`
}

/**
 * What depends on who looks: the poll, what it was written with, and what the viewer did with it; on a boost, with what
 * it boosts.
 */
export function ownKeys(config: Config, { row, view }: { row: Shown; view: View }): string {
  const { viewerId, deedsOn, filtered } = view
  const poll = `,"poll":${row.poll === null ? 'null' : toJson(presentPoll(config, { ...row, poll: row.poll, viewerId }))}`
  const shared = poll + applicationOf(row, viewerId)
  if (viewerId === null) return shared
  const deeds = deedsOn(row.reblog_of_id ?? row.id)
  const did = Object.keys(DEEDS).map((name) => `"${name}":${deeds?.[name as keyof Deeds] ?? false}`)
  const pinnable = row.account_id === viewerId && row.reblog_of_id === null && row.visibility !== 'direct'
  return `${shared},${did.join()},"filtered":${filtered}${pinnable ? `,"pinned":${row.pinned}` : ''}`
}

/** An author may keep to themselves what they write with. A boost is written with nothing. */
function applicationOf({ application, account_id, reblog_of_id }: Shown, viewerId: string | null): string {
  if (reblog_of_id !== null) return ''
  const isShown = application !== null && (application.public || account_id === viewerId)
  return `,"application":${isShown ? toJson({ name: application.name, website: application.website }) : 'null'}`
}

/** The kept part of each status, without the closing brace; what is not kept yet is loaded in one statement. */
async function findBodies(read: Read, rows: readonly Shown[]): Promise<Map<string, string>> {
  const cache = cacheOf(read.config)
  const bodies = new Map<string, string>()
  const missing: string[] = []
  for (const { id, version } of rows) {
    const kept = cache.get(`${id}.${version}`)
    if (kept === undefined) missing.push(id)
    else bodies.set(id, kept)
  }
  for (const facts of await loadStatuses(read, { ids: missing })) {
    const body = toJson(presentStatus(read.config, facts)).slice(0, -1)
    bodies.set(facts.id, body)
    cache.set(`${facts.id}.${facts.version}`, body, body.length * 2)
  }
  return bodies
}

type LaterKeys =
  | 'account'
  | 'reblog'
  | 'replies_count'
  | 'reblogs_count'
  | 'favourites_count'
  | 'favourited'
  | 'reblogged'
  | 'muted'
  | 'bookmarked'
  | 'filtered'
  | 'pinned'
  | 'application'
  | 'emojis'
  | 'poll'

/** The part of a status that is the same for everybody. */
function presentStatus(config: Config, facts: StatusFacts): Omit<Status, LaterKeys> {
  return {
    id: facts.id,
    uri: facts.uri,
    url: facts.url,
    created_at: facts.created_at.toISOString(),
    edited_at: facts.edited_at?.toISOString() ?? null,
    content: facts.is_boost ? '' : facts.content,
    visibility: facts.visibility,
    sensitive: facts.sensitive,
    spoiler_text: facts.spoiler_text,
    language: facts.language,
    in_reply_to_id: facts.in_reply_to_id,
    in_reply_to_account_id: facts.in_reply_to_account_id,
    quotes_count: 0,
    media_attachments: (facts.media ?? []).map((media) => presentMedia(config, media)),
    mentions: (facts.mentions ?? []).map(({ id, username, domain, url }) => ({
      id,
      username,
      url,
      acct: domain === null ? username : `${username}@${displayDomain(domain)}`,
    })),
    tags: (facts.tags ?? []).map((name) => ({ name, url: `${config.origin}/tags/${encodeURIComponent(name)}` })),
    card: null,
    quote: null,
    quote_approval: { automatic: [], manual: [], current_user: 'denied' },
    tagged_collections: [],
    ...(facts.local_only ? { local_only: true as const } : {}),
  }
}

function cacheOf(config: Config): ByteCache<string> {
  let cache = caches.get(config)
  if (!cache) caches.set(config, (cache = new ByteCache({ maxBytes: CACHE_BYTES })))
  return cache
}
