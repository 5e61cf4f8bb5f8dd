import type { Read } from '../domain/context.ts'
import type { Status } from '../entities/status.ts'
import { toJson } from '../lib/json.ts'
import { displayDomain } from '../lib/usernames.ts'
import type { Config } from '../platform/config.ts'
import { keepCard } from './cards.ts'
import type { KeptCard } from './cards.ts'
import { loadStatuses } from './load-statuses.ts'
import type { StatusFacts } from './load-statuses.ts'
import { presentMedia } from './media.ts'

/** All of a status that is the same for everybody, and is changed only with its version. */
export interface StatusBody {
  /** JSON in UTF-8, without the closing brace. */
  bytes: Buffer
  card: KeptCard | null
}

export async function loadBodies(read: Read, { ids }: { ids: readonly string[] }): Promise<Map<string, StatusBody>> {
  const bodies = new Map<string, StatusBody>()
  for (const facts of await loadStatuses(read, { ids })) {
    const json = toJson(presentStatus(read.config, facts)).slice(0, -1)
    bodies.set(facts.id, { bytes: Buffer.from(json), card: facts.card && keepCard(read.config, facts.card) })
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
