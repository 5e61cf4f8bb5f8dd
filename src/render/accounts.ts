import type { Read } from '../domain/context.ts'
import type { Account, CredentialAccount, MutedAccount } from '../entities/account.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { NotFound } from '../lib/errors.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { formatField, formatNote } from '../lib/text/format.ts'
import type { FormatSource } from '../lib/text/format.ts'
import { displayDomain } from '../lib/usernames.ts'
import type { Config } from '../platform/config.ts'
import { lookForChanges } from '../platform/db/changes.ts'
import type { Changes, Moment } from '../platform/db/changes.ts'
import { statement } from '../platform/db/connect.ts'
import { Kept } from '../platform/db/kept.ts'
import { emojisOf, presentEmojis } from './emojis.ts'
import type { EmojiFacts } from './emojis.ts'
import { judgeForOneself, judgeForViewer, presentFeatureApproval } from './feature-approval.ts'
import { loadAccounts } from './load-accounts.ts'
import type { AccountFacts } from './load-accounts.ts'
import { renderSource } from './source.ts'
import { fileUrl } from './media.ts'
import { proxiedPicture } from './proxied.ts'

/** How much memory the renderings of accounts may take in one process. */
const CACHE_BYTES = 16 * 1024 * 1024

const caches = new WeakMap<Config, ByteCache<string>>()

/** What is not kept with the rest: counters change too often, emojis without the account's knowing. */
interface AccountCounters {
  id: string
  version: number
  followers_count: number
  following_count: number
  statuses_count: number
  last_status_at: Date | null
  emojis: EmojiFacts[] | null
}

const selectCounters = statement<AccountCounters>(
  `select a.id, a.version, st.followers_count, st.following_count, st.statuses_count, st.last_status_at,
     ${emojisOf('a.emoji_ids')} as emojis
   from accounts a join account_stats st on st.account_id = a.id where a.id = any($1::bigint[])`,
)

const COUNTERS_BYTES = 8 * 1024 * 1024
const ROW_BYTES = 350

const kept = new Kept<AccountCounters>({
  maxBytes: COUNTERS_BYTES,
  hasChanged: (changes, { value, since }) =>
    changes.hasChanged('account', value.id, since) || changes.hasChanged('account counters', value.id, since),
})

async function findCounters(
  read: Read,
  { ids, changes }: { ids: Iterable<string>; changes: Changes },
): Promise<AccountCounters[]> {
  const found: AccountCounters[] = []
  const missing: string[] = []
  for (const id of ids) {
    const row = kept.get(changes, id)
    if (row === undefined) missing.push(id)
    else found.push(row)
  }
  if (missing.length === 0) return found
  const since = changes.moment
  for (const row of await selectCounters(read.db, [missing])) {
    found.push(row)
    const bytes = ROW_BYTES + (row.emojis ? 2 * JSON.stringify(row.emojis).length : 0)
    kept.set(changes, row.id, { value: row, since, bytes })
  }
  return found
}

/** Who looks at accounts, where somebody may want to put them into a collection; null = nobody who is logged in. */
interface ByViewer {
  viewerId?: string | null
  /** When their request looked for changes. */
  asOf?: Moment | undefined
}

/** Accounts by their ids; unknown ids have no entry. */
export async function renderAccountMap(
  read: Read,
  { ids, viewerId, asOf }: { ids: readonly string[] } & ByViewer,
): Promise<Map<string, Json<Account>>> {
  if (ids.length === 0) return new Map()
  const accounts = await presentAccounts(read, { ids: new Set(ids), changes: await lookForChanges(read.db, { asOf }) })
  return viewerId === undefined ? accounts : judgeForViewer(read, { accounts, viewerId })
}

/** Accounts in the order of the ids; unknown ids are left out. */
export async function renderAccounts(
  read: Read,
  { ids, ...by }: { ids: readonly string[] } & ByViewer,
): Promise<Json<Account>[]> {
  const map = await renderAccountMap(read, { ids, ...by })
  return ids.map((id) => map.get(id)).filter((account) => account !== undefined)
}

/** One account. @throws NotFound */
export async function renderAccount(read: Read, { id, ...by }: { id: string } & ByViewer): Promise<Json<Account>> {
  const [account] = await renderAccounts(read, { ids: [id], ...by })
  if (account === undefined) throw new NotFound()
  return account
}

/** The caller's own account, with what only they may see. `asOf`: when their request looked for changes. @throws NotFound */
export async function renderCredentialAccount(
  read: Read,
  { accountId, asOf }: { accountId: string; asOf?: Moment | undefined },
): Promise<Json<CredentialAccount>> {
  const [account, own] = await Promise.all([
    renderAccount(read, { id: accountId, asOf }),
    renderSource(read, { accountId, asOf }),
  ])
  return `${judgeForOneself(account, own).slice(0, -1)}${own.keys}}` as Json<CredentialAccount>
}

/** Accounts with the moment when the viewer's mute of them ends, null = it does not; in the order given. */
export async function renderMutedAccounts(
  read: Read,
  { muted }: { muted: readonly { id: string; expiresAt: Date | null }[] },
): Promise<Json<MutedAccount>[]> {
  const map = await renderAccountMap(read, { ids: muted.map((one) => one.id) })
  return muted.flatMap(({ id, expiresAt }) => {
    const account = map.get(id)
    if (account === undefined) return []
    return [`${account.slice(0, -1)},"mute_expires_at":${toJson(expiresAt)}}` as Json<MutedAccount>]
  })
}

/** Joins the kept part of each account with its counters. A kept part counts only for the version it was made from. */
export async function presentAccounts(
  read: Read,
  { ids, changes }: { ids: Iterable<string>; changes: Changes },
): Promise<Map<string, Json<Account>>> {
  const counters = await findCounters(read, { ids, changes })
  const cache = cacheOf(read.config)
  const bodies = new Map<string, string>()
  const missing: string[] = []
  for (const { id, version } of counters) {
    const kept = cache.get(`${id}.${version}`)
    if (kept === undefined) missing.push(id)
    else bodies.set(id, kept)
  }
  const facts = await loadAccounts(read, { ids: missing })
  const moved = await renderMoved(read, facts)
  for (const one of facts) {
    const movedTo = one.moved_to_account_id === null ? undefined : moved.get(one.moved_to_account_id)
    const body = toJson(presentAccount(read.config, one)).slice(0, -1) + (movedTo ? `,"moved":${movedTo}` : '')
    bodies.set(one.id, body)
    // An account that moved shows another one, whose changes do not change its own version.
    if (!movedTo) cache.set(`${one.id}.${one.version}`, body, body.length * 2)
  }
  const result = new Map<string, Json<Account>>()
  for (const one of counters) {
    const body = bodies.get(one.id)
    if (body !== undefined) result.set(one.id, (body + countersOf(read.config, one)) as Json<Account>)
  }
  return result
}

function countersOf(config: Config, one: AccountCounters): string {
  const emojis = one.emojis === null ? '[]' : toJson(presentEmojis(config, one.emojis))
  const day = one.last_status_at === null ? 'null' : `"${one.last_status_at.toISOString().slice(0, 10)}"`
  return `,"emojis":${emojis},"followers_count":${one.followers_count},"following_count":${one.following_count},"statuses_count":${one.statuses_count},"last_status_at":${day}}`
}

async function renderMoved(read: Read, facts: readonly AccountFacts[]): Promise<Map<string, Json<Account>>> {
  const ids = facts.map((one) => one.moved_to_account_id).filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const targets = await loadAccounts(read, { ids })
  const counters = new Map((await selectCounters(read.db, [ids])).map((one) => [one.id, one]))
  return new Map(
    targets.map((one) => [
      one.id,
      (toJson(presentAccount(read.config, one)).slice(0, -1) +
        countersOf(read.config, counters.get(one.id)!)) as Json<Account>,
    ]),
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

function cacheOf(config: Config): ByteCache<string> {
  let cache = caches.get(config)
  if (!cache) caches.set(config, (cache = new ByteCache({ maxBytes: CACHE_BYTES })))
  return cache
}
