import type { Read } from '../domain/context.ts'
import type { Status } from '../entities/status.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { NotFound } from '../lib/errors.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { displayDomain } from '../lib/usernames.ts'
import type { Config } from '../platform/config.ts'
import { statement } from '../platform/db/connect.ts'
import { presentAccounts } from './accounts.ts'
import { loadStatuses } from './load-statuses.ts'
import type { StatusFacts } from './load-statuses.ts'
import { presentMedia } from './media.ts'

/** How much memory the renderings of statuses may take in one process. */
const CACHE_BYTES = 48 * 1024 * 1024

const caches = new WeakMap<Config, ByteCache<string>>()

/** What is asked anew for each page: versions, counters, and what the viewer did. */
interface Overlay {
  id: string
  version: number
  account_id: string
  reblog_of_id: string | null
  visibility: Status['visibility']
  replies_count: number
  reblogs_count: number
  favourites_count: number
  favourited: boolean
  reblogged: boolean
  account_version: number
  followers_count: number
  following_count: number
  statuses_count: number
  last_status_at: Date | null
}

// One statement per page, whatever its size. It also brings the versions, which tell whether a kept rendering counts.
const overlay = statement<Overlay>(
  `with page as (
     select s.id, s.version, s.account_id, s.reblog_of_id, s.visibility from statuses s where s.id = any($1::bigint[])
   ), shown as (
     select * from page
     union
     select s.id, s.version, s.account_id, s.reblog_of_id, s.visibility from page join statuses s on s.id = page.reblog_of_id
   )
   select shown.*, coalesce(c.replies_count, 0) as replies_count, coalesce(c.reblogs_count, 0) as reblogs_count,
     coalesce(c.favourites_count, 0) as favourites_count,
     exists (select from favourites f where f.status_id = shown.id and f.account_id = $2) as favourited,
     exists (select from statuses b where b.reblog_of_id = shown.id and b.account_id = $2 and b.deleted_at is null)
       as reblogged,
     a.version as account_version, st.followers_count, st.following_count, st.statuses_count, st.last_status_at
   from shown left join status_stats c on c.status_id = shown.id
     join accounts a on a.id = shown.account_id join account_stats st on st.account_id = shown.account_id`,
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
  const rows = await overlay(read.db, [ids, viewerId])
  const authors = new Map(
    rows.map((row) => [row.account_id, { ...row, id: row.account_id, version: row.account_version }]),
  )
  const [bodies, accounts] = await Promise.all([
    findBodies(read, rows),
    presentAccounts(read, { counters: [...authors.values()] }),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const done = new Map<string, Json<Status>>()
  const present = (row: Overlay, reblog: string): Json<Status> | undefined => {
    const body = bodies.get(row.id)
    const account = accounts.get(row.account_id)
    if (body === undefined || account === undefined) return undefined
    return `${body},"account":${account},"reblog":${reblog}${counters(row)}${ownKeys(row, viewerId, byId)}}` as Json<Status>
  }
  for (const id of ids) {
    const row = byId.get(id)
    if (!row || done.has(id)) continue
    const original = row.reblog_of_id === null ? undefined : byId.get(row.reblog_of_id)
    const inner = original && present(original, 'null')
    const status = present(row, inner ?? 'null')
    if (status !== undefined && (row.reblog_of_id === null || inner !== undefined)) done.set(id, status)
  }
  return done
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

function counters(row: Overlay): string {
  return `,"replies_count":${row.replies_count},"reblogs_count":${row.reblogs_count},"favourites_count":${row.favourites_count}`
}

/** What the viewer did with it; on a boost, what they did with what it boosts. */
function ownKeys(row: Overlay, viewerId: string | null, byId: Map<string, Overlay>): string {
  if (viewerId === null) return ''
  const about = row.reblog_of_id === null ? row : (byId.get(row.reblog_of_id) ?? row)
  const pinnable = row.account_id === viewerId && row.reblog_of_id === null && row.visibility !== 'direct'
  return `,"favourited":${about.favourited},"reblogged":${about.reblogged},"muted":false,"bookmarked":false,"filtered":[]${pinnable ? ',"pinned":false' : ''}`
}

/** The kept part of each status, without the closing brace; what is not kept yet is loaded in one statement. */
async function findBodies(read: Read, rows: readonly Overlay[]): Promise<Map<string, string>> {
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
    emojis: [],
    ...(facts.is_boost ? {} : { application: facts.application }),
    poll: null,
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
