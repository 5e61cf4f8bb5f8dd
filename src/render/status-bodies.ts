import type { Read } from '../domain/context.ts'
import type { Status } from '../entities/status.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { toJson } from '../lib/json.ts'
import { displayDomain } from '../lib/usernames.ts'
import type { Config } from '../platform/config.ts'
import { keepCard } from './cards.ts'
import type { KeptCard } from './cards.ts'
import { loadStatuses } from './load-statuses.ts'
import type { StatusFacts } from './load-statuses.ts'
import { presentMedia } from './media.ts'

/** How much memory the renderings of statuses may take in one process. */
const CACHE_BYTES = 48 * 1024 * 1024

const caches = new WeakMap<Config, ByteCache<StatusBody>>()

/** What is kept of a status: all that is the same for everybody, and is changed only with its version. */
export interface StatusBody {
  /** Without the closing brace. */
  json: string
  card: KeptCard | null
}

/** The kept part of each status; what is not kept yet is loaded in one statement. */
export async function findBodies(
  read: Read,
  { statuses }: { statuses: Iterable<{ id: string; version: number }> },
): Promise<Map<string, StatusBody>> {
  const cache = cacheOf(read.config)
  const bodies = new Map<string, StatusBody>()
  const missing: string[] = []
  for (const { id, version } of statuses) {
    const kept = cache.get(`${id}.${version}`)
    if (kept === undefined) missing.push(id)
    else bodies.set(id, kept)
  }
  for (const facts of await loadStatuses(read, { ids: missing })) {
    const json = toJson(presentStatus(read.config, facts)).slice(0, -1)
    const card = facts.card && keepCard(read.config, facts.card)
    const body = { json, card }
    bodies.set(facts.id, body)
    cache.set(`${facts.id}.${facts.version}`, body, (json.length + (card?.body.length ?? 0)) * 2)
  }
  return bodies
}

type LaterKeys =
  | 'account'
  | 'reblog'
  | 'replies_count'
  | 'reblogs_count'
  | 'favourites_count'
  | 'quotes_count'
  | 'quote'
  | 'quote_approval'
  | 'favourited'
  | 'reblogged'
  | 'muted'
  | 'bookmarked'
  | 'filtered'
  | 'pinned'
  | 'application'
  | 'emojis'
  | 'poll'
  | 'card'

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
    media_attachments: (facts.media ?? []).map((media) => presentMedia(config, media)),
    mentions: (facts.mentions ?? []).map(({ id, username, domain, url }) => ({
      id,
      username,
      url,
      acct: domain === null ? username : `${username}@${displayDomain(domain)}`,
    })),
    tags: (facts.tags ?? []).map((name) => ({ name, url: `${config.origin}/tags/${encodeURIComponent(name)}` })),
    tagged_collections: [],
    ...(facts.local_only ? { local_only: true as const } : {}),
  }
}

function cacheOf(config: Config): ByteCache<StatusBody> {
  let cache = caches.get(config)
  if (!cache) caches.set(config, (cache = new ByteCache({ maxBytes: CACHE_BYTES })))
  return cache
}
