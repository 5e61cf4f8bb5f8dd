import type { Read } from '../domain/context.ts'
import type { Account } from '../entities/account.ts'
import { toJson } from '../lib/json.ts'
import { bytesOfParts } from '../lib/json-parts.ts'
import { formatField, formatNote } from '../lib/text/format.ts'
import type { FormatSource } from '../lib/text/format.ts'
import { displayDomain } from '../lib/usernames.ts'
import type { Config } from '../platform/config.ts'
import type { Changes } from '../platform/db/changes.ts'
import { statement } from '../platform/db/connect.ts'
import { Kept } from '../platform/db/kept.ts'
import { emojisOf, presentEmojis } from './emojis.ts'
import type { EmojiFacts } from './emojis.ts'
import { presentFeatureApproval } from './feature-approval.ts'
import { loadAccounts } from './load-accounts.ts'
import type { AccountFacts } from './load-accounts.ts'
import { fileUrl } from './media.ts'
import { proxiedPicture } from './proxied.ts'

/** An account as everybody sees it. */
export interface AccountPiece {
  id: string
  version: number
  /** JSON in UTF-8. */
  bytes: Buffer
  /** Where the part of them ends that changes only with the version. */
  bodyEnd: number
}

/** What changes more often than the version: counters, and emojis without the account's knowing. */
interface AccountCounters {
  id: string
  version: number
  /** Whether they are somewhere else now, and are shown with the account there. */
  moved: boolean
  followers_count: number
  following_count: number
  statuses_count: number
  last_status_at: Date | null
  emojis: EmojiFacts[] | null
}

const loadCounters = statement<AccountCounters>(
  `select a.id, a.version, a.moved_to_account_id is not null as moved,
     st.followers_count, st.following_count, st.statuses_count, st.last_status_at,
     ${emojisOf('a.emoji_ids')} as emojis
   from accounts a join account_stats st on st.account_id = a.id where a.id = any($1::bigint[])`,
)

/** How much memory one process may take for them, and what one takes beside its text. */
const KEPT_BYTES = 40 * 1024 * 1024
const PIECE_BYTES = 500

const kept = new Kept<AccountPiece>({
  maxBytes: KEPT_BYTES,
  hasChanged: (changes, { value, since }) =>
    changes.hasChanged('account', value.id, since) || changes.hasChanged('account counters', value.id, since),
})

/** Accounts by their ids; unknown ids have no entry. */
export async function findAccountPieces(
  read: Read,
  { ids, changes }: { ids: Iterable<string>; changes: Changes },
): Promise<Map<string, AccountPiece>> {
  const found = new Map<string, AccountPiece>()
  const missing: string[] = []
  for (const id of ids) {
    const piece = kept.get(changes, id)
    if (piece === undefined) missing.push(id)
    else found.set(id, piece)
  }
  if (missing.length === 0) return found
  const since = changes.moment
  const rows = await loadCounters(read.db, [missing])
  const bodies = await findBodies(read, { rows, changes })
  for (const row of rows) {
    const body = bodies.get(row.id)
    if (body === undefined) continue
    const bytes = bytesOfParts([body, countersOf(read.config, row)])
    const piece = { id: row.id, version: row.version, bytes, bodyEnd: body.length }
    found.set(row.id, piece)
    // Somebody who moved is shown with another account, whose changes are not their own.
    if (!row.moved) kept.set(changes, row.id, { value: piece, since, bytes: PIECE_BYTES + bytes.length })
  }
  return found
}

/** What changes only with the version. Of what was kept before it still counts where the version is the same. */
async function findBodies(
  read: Read,
  { rows, changes }: { rows: readonly AccountCounters[]; changes: Changes },
): Promise<Map<string, Buffer>> {
  const bodies = new Map<string, Buffer>()
  for (const { id, version } of rows) {
    const piece = kept.peek(changes, id)
    if (piece?.version === version) bodies.set(id, piece.bytes.subarray(0, piece.bodyEnd))
  }
  const facts = await loadAccounts(read, { ids: rows.filter(({ id }) => !bodies.has(id)).map(({ id }) => id) })
  const moved = await renderMoved(read, facts)
  for (const one of facts) {
    const movedTo = one.moved_to_account_id === null ? undefined : moved.get(one.moved_to_account_id)
    bodies.set(one.id, Buffer.from(bodyOf(read.config, one) + (movedTo ? `,"moved":${movedTo}` : '')))
  }
  return bodies
}

/** Without the closing brace. */
function bodyOf(config: Config, facts: AccountFacts): string {
  return toJson(presentAccount(config, facts)).slice(0, -1)
}

function countersOf(config: Config, one: AccountCounters): string {
  const emojis = one.emojis === null ? '[]' : toJson(presentEmojis(config, one.emojis))
  const day = one.last_status_at === null ? 'null' : `"${one.last_status_at.toISOString().slice(0, 10)}"`
  return `,"emojis":${emojis},"followers_count":${one.followers_count},"following_count":${one.following_count},"statuses_count":${one.statuses_count},"last_status_at":${day}}`
}

async function renderMoved(read: Read, facts: readonly AccountFacts[]): Promise<Map<string, string>> {
  const ids = facts.map((one) => one.moved_to_account_id).filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const targets = await loadAccounts(read, { ids })
  const counters = new Map((await loadCounters(read.db, [ids])).map((one) => [one.id, one]))
  return new Map(
    targets.map((one) => [one.id, bodyOf(read.config, one) + countersOf(read.config, counters.get(one.id)!)]),
  )
}

type CountedKeys = 'emojis' | 'followers_count' | 'following_count' | 'statuses_count' | 'last_status_at'

/** Everything but counters and `moved`. A suspended account keeps its name and loses its face. */
function presentAccount(config: Config, facts: AccountFacts): Omit<Account, CountedKeys> {
  const local = facts.domain === null
  const shown = !facts.suspended
  const picture = (kind: 'avatar' | 'header', key: string | null, still: boolean) => {
    const remoteUrl = kind === 'avatar' ? facts.avatar_remote_url : facts.header_remote_url
    const url = key ? fileUrl(config, key) : proxiedPicture(config, { id: facts.id, kind, still, remoteUrl })
    return (shown && url) || `${config.origin}/${kind}s/original/missing.png`
  }
  return {
    id: facts.id,
    username: facts.username,
    acct: local ? facts.username : `${facts.username}@${displayDomain(facts.domain!)}`,
    url: facts.url,
    uri: facts.uri,
    display_name: shown ? facts.display_name : '',
    note: !shown ? '' : local ? formatNote(formatSource(config, facts.note)) : facts.note,
    avatar: picture('avatar', facts.avatar_key, false),
    avatar_static: picture('avatar', facts.avatar_static_key ?? facts.avatar_key, true),
    avatar_description: shown ? facts.avatar_description : '',
    header: picture('header', facts.header_key, false),
    header_static: picture('header', facts.header_static_key ?? facts.header_key, true),
    header_description: shown ? facts.header_description : '',
    locked: shown && facts.locked,
    bot: shown && (facts.actor_type === 'Service' || facts.actor_type === 'Application'),
    group: facts.actor_type === 'Group',
    discoverable: shown ? facts.discoverable : false,
    indexable: shown && facts.indexable,
    hide_collections: facts.hide_collections,
    created_at: `${facts.created_at.toISOString().slice(0, 10)}T00:00:00.000Z`,
    show_media: facts.show_media,
    show_media_replies: facts.show_media_replies,
    show_featured: facts.show_featured,
    fields: shown ? facts.fields.map((field) => ({ ...field, value: fieldValue(config, facts, field.value) })) : [],
    ...(local ? { roles: shown && facts.role ? [facts.role] : [], noindex: !facts.indexable } : {}),
    ...(facts.memorial ? { memorial: true as const } : {}),
    ...(facts.suspended ? { suspended: true as const } : {}),
    ...(facts.silenced ? { limited: true as const } : {}),
    feature_approval: presentFeatureApproval(facts),
  }
}

function fieldValue(config: Config, facts: AccountFacts, value: string): string {
  return facts.domain === null ? formatField(formatSource(config, value)) : value
}

/** A biography's handles stay text: whom they name may change after it was written. */
function formatSource(config: Config, text: string): FormatSource {
  return {
    text,
    mentions: [],
    localDomains: [config.localDomain, config.webDomain],
    tagUrl: (name) => `${config.origin}/tags/${encodeURIComponent(name)}`,
  }
}
