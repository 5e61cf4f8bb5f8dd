import { isDeepStrictEqual } from 'node:util'
import { Conflict, Forbidden } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { recordRemoteEmojis } from '../emojis/record-remote.ts'
import type { RemoteEmojiFacts } from '../emojis/record-remote.ts'
import { lockUris } from '../lock-uris.ts'
import { findDomainBlock } from '../moderation/domain-blocks.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { exhume, isBuried } from '../tombstones.ts'
import { recordOriginCounts } from './count-remote.ts'
import { keepKeys } from './keep-keys.ts'
import type { RemoteKeyFacts } from './keep-keys.ts'
import { SHOWN_COLUMNS } from './shown-columns.ts'
import type { ShownColumns } from './shown-columns.ts'

/** What was on its way when an account was deleted has arrived after so long; whoever is there then is there again. */
const DELETED_FOR_HOURS = 6
const HOUR_MS = 3_600_000

interface RemoteImageFacts {
  url: string
  description: string
}

/** Somebody of another server, as their own document says, with everything proven that has to be. */
export interface RemoteAccountFacts {
  uri: string
  /** Where a browser shows it. */
  url: string
  type: 'Person' | 'Service' | 'Group' | 'Organization' | 'Application'
  /** `domain` is canonical ASCII, not of this server. */
  handle: { username: string; domain: string }
  /** The domain of the handle has just named this address, so the handle is taken from whoever had it before. */
  handleProven?: boolean
  displayName: string
  /** Clean HTML. */
  note: string
  /** Names as text, values as clean HTML. */
  fields: readonly { name: string; value: string }[]
  avatar: RemoteImageFacts | null
  header: RemoteImageFacts | null
  emojis: readonly RemoteEmojiFacts[]
  locked: boolean
  /** Null: not told. */
  discoverable: boolean | null
  indexable: boolean
  /** Null: not known, so it stays as it was. */
  hideCollections: boolean | null
  memorial: boolean
  suspended: boolean
  /** Sites that may name it as an author, canonical. */
  attributionDomains: readonly string[]
  showMedia: boolean
  showMediaReplies: boolean
  showFeatured: boolean
  /** Who may put it into a collection, at once or after being asked; null: its server does not say. */
  featurePolicy: { automatic: readonly string[]; manual: readonly string[] } | null
  /** Whoever it moved to counts only if they are known here. */
  movedTo: string | null
  alsoKnownAs: readonly string[]
  publishedAt: Date | null
  inboxUrl: string
  sharedInboxUrl: string | null
  outboxUrl: string | null
  followersUrl: string | null
  followingUrl: string | null
  featuredUrl: string | null
  keys: readonly RemoteKeyFacts[]
  /** What its server counts; null: not known, so it stays as it was. */
  statusesCount: number | null
  followersCount: number | null
  followingCount: number | null
}

type AccountBefore = ShownColumns & { id: string; suspended_at: Date | null; suspended_by_origin: boolean }

const columns = ['id', ...SHOWN_COLUMNS, 'suspended_at', 'suspended_by_origin'].join(', ')
const findId = statement<{ params: { uri: string }; row: { id: string } }>(`select id from accounts where uri = $uri`)
const findByUri = statement<{ params: { uri: string }; row: AccountBefore }>(
  `select ${columns} from accounts where uri = $uri for no key update`,
)
const findByHandle = statement<{
  params: { username: string; handleDomain: string; uri: string }
  row: { id: string }
}>(
  `select id from accounts where lower(username) = lower($username) and domain = $handleDomain
    and uri <> $uri for no key update`,
)
const displace = statement<{ params: { holderId: string } }>(
  `update accounts set domain = id || '.invalid', version = version + 1 where id = $holderId`,
)
const insert = statement<{
  params: {
    username: string
    handleDomain: string
    uri: string
    url: string
    publishedAt: Date | null
    now: Date
    silencedAt: Date | null
  }
  row: { id: string }
}>(
  `insert into accounts (username, domain, uri, url, created_at, updated_at, silenced_at)
   values ($username, $handleDomain, $uri, $url, coalesce($publishedAt::timestamptz, $now::timestamptz),
     $now::timestamptz, $silencedAt) returning id`,
)
const findMoved = statement<{ params: { movedTo: string; factUri: string }; row: { id: string } }>(
  `select id from accounts where uri = $movedTo and uri <> $factUri`,
)
interface Refresh {
  accountId: string
  inboxUrl: string
  sharedInboxUrl: string | null
  outboxUrl: string | null
  followersUrl: string | null
  followingUrl: string | null
  featuredUrl: string | null
  alsoKnownAs: readonly string[]
  now: Date
}
const REFRESH = `inbox_url = $inboxUrl, shared_inbox_url = $sharedInboxUrl, outbox_url = $outboxUrl,
  followers_url = $followersUrl, following_url = $followingUrl, featured_url = $featuredUrl,
  also_known_as = $alsoKnownAs, refreshed_at = $now`
const refresh = statement<{ params: Refresh }>(`update accounts set ${REFRESH} where id = $accountId`)
const rewrite = statement<{
  params: Refresh & Omit<AccountBefore, 'id' | 'fields'> & { fields: string }
}>(
  `update accounts set ${SHOWN_COLUMNS.map((column) => `${column} = $${column}`).join(', ')},
     suspended_at = $suspended_at, suspended_by_origin = $suspended_by_origin,
     version = version + 1, updated_at = $now, ${REFRESH}
   where id = $accountId`,
)

/**
 * Records somebody of another server, or what has changed about them. However many record the same one at once, it is
 * one account.
 * Whose domain is silenced is silenced from the beginning.
 * @throws Forbidden for what claims to be of here, for who was deleted a moment ago, and for domains that are suspended ·
 *   Conflict when somebody else has the handle and nothing proves whose it is now
 */
export async function recordRemoteAccount(
  tx: Tx,
  facts: RemoteAccountFacts,
): Promise<{ accountId: string; isNew: boolean }> {
  const { uri, handle } = facts
  refuseLocal(tx, facts)
  await lockUris(tx, { uris: [uri, `acct:${handle.username.toLowerCase()}@${handle.domain}`] })
  const since = new Date(tx.now.getTime() - DELETED_FOR_HOURS * HOUR_MS)
  if (await isBuried(tx, { uri, ownerUri: uri, since })) throw new Forbidden()
  // The counters are held before the account, as everywhere.
  await lockAccounts(tx, { ids: (await findId(tx.db, { uri })).map((row) => row.id) })
  const [before] = await findByUri(tx.db, { uri })
  if (before && before.domain === null) throw new Forbidden()
  // Without a proof, somebody who is known keeps the handle that they have.
  const takesHandle = !before || facts.handleProven === true
  if (takesHandle) await claimHandle(tx, facts)
  const accountId = before?.id ?? (await insertAccount(tx, facts))
  await writeChanges(tx, { accountId, before, facts, takesHandle })
  await keepKeys(tx, { accountId, ownerUri: uri, keys: facts.keys })
  await recordOriginCounts(tx, { accountId, ...facts })
  return { accountId, isNew: !before }
}

function refuseLocal({ config }: Tx, { uri, handle: { domain } }: RemoteAccountFacts): void {
  const ofHere = domain === config.localDomain || domain === config.webDomain
  if (ofHere || new URL(uri).origin === config.origin) throw new Forbidden()
}

/** Nobody else has the handle afterwards. Who loses it stays, under a domain that no server can have. */
async function claimHandle(tx: Tx, { uri, handle, handleProven }: RemoteAccountFacts): Promise<void> {
  const [holder] = await findByHandle(tx.db, { username: handle.username, handleDomain: handle.domain, uri })
  if (!holder) return
  if (!handleProven) throw new Conflict('The handle is somebody else’s')
  await displace(tx.db, { holderId: holder.id })
}

async function insertAccount(tx: Tx, { uri, url, handle, publishedAt }: RemoteAccountFacts): Promise<string> {
  const { severity } = await findDomainBlock(tx, { domain: handle.domain })
  if (severity === 'suspend') throw new Forbidden()
  const silencedAt = severity === 'silence' ? tx.now : null
  const [row] = await insert(tx.db, {
    username: handle.username,
    handleDomain: handle.domain,
    uri,
    url,
    publishedAt,
    now: tx.now,
    silencedAt,
  })
  await exhume(tx, { uri, ownerUri: uri })
  return row!.id
}

async function writeChanges(
  tx: Tx,
  {
    accountId,
    before,
    facts,
    takesHandle,
  }: { accountId: string; before: AccountBefore | undefined; facts: RemoteAccountFacts; takesHandle: boolean },
): Promise<void> {
  const shown = await shownColumns(tx, { before, facts, takesHandle })
  const suspension = suspensionOf(tx, { before, suspended: facts.suspended })
  const isSame = (name: string, value: unknown) =>
    isDeepStrictEqual(value, (before as Record<string, unknown> | undefined)?.[name])
  const changed =
    Object.entries(shown).some(([name, value]) => !isSame(name, value)) ||
    suspension.suspended_by_origin !== (before?.suspended_by_origin ?? false)
  const { inboxUrl, sharedInboxUrl, outboxUrl, followersUrl, followingUrl, featuredUrl, alsoKnownAs } = facts
  const urls = { inboxUrl, sharedInboxUrl, outboxUrl, followersUrl, followingUrl, featuredUrl, alsoKnownAs }
  const refreshed = { accountId, ...urls, now: tx.now }
  if (changed) {
    await rewrite(tx.db, { ...refreshed, ...shown, ...suspension, fields: JSON.stringify(shown.fields) })
  } else {
    await refresh(tx.db, refreshed)
  }
  if (before && before.indexable !== facts.indexable) tx.emit('account.indexable_changed', { accountId })
}

async function shownColumns(
  tx: Tx,
  {
    before,
    facts,
    takesHandle,
  }: { before: AccountBefore | undefined; facts: RemoteAccountFacts; takesHandle: boolean },
): Promise<ShownColumns> {
  const texts = [facts.displayName, facts.note, ...facts.fields.flatMap(({ name, value }) => [name, value])]
  const domain = takesHandle ? facts.handle.domain : before!.domain!
  const [moved] = facts.movedTo === null ? [] : await findMoved(tx.db, { movedTo: facts.movedTo, factUri: facts.uri })
  return {
    username: takesHandle ? facts.handle.username : before!.username,
    domain,
    url: facts.url,
    actor_type: facts.type,
    display_name: facts.displayName,
    note: facts.note,
    fields: facts.fields.map(({ name, value }) => ({ name, value, verified_at: null })),
    avatar_remote_url: facts.avatar?.url ?? null,
    avatar_description: facts.avatar?.description ?? '',
    header_remote_url: facts.header?.url ?? null,
    header_description: facts.header?.description ?? '',
    locked: facts.locked,
    discoverable: facts.discoverable,
    indexable: facts.indexable,
    hide_collections: facts.hideCollections ?? before?.hide_collections ?? null,
    memorial: facts.memorial,
    attribution_domains: [...facts.attributionDomains],
    show_media: facts.showMedia,
    show_media_replies: facts.showMediaReplies,
    show_featured: facts.showFeatured,
    feature_automatic: facts.featurePolicy && [...facts.featurePolicy.automatic],
    feature_manual: facts.featurePolicy && [...facts.featurePolicy.manual],
    moved_to_account_id: moved?.id ?? null,
    emoji_ids: await recordRemoteEmojis(tx, { domain, emojis: facts.emojis, texts }),
  }
}

/** What its own server suspended, that server restores; what was suspended here stays so. */
function suspensionOf(
  tx: Tx,
  { before, suspended }: { before: AccountBefore | undefined; suspended: boolean },
): { suspended_at: Date | null; suspended_by_origin: boolean } {
  const [since, byOrigin] = [before?.suspended_at ?? null, before?.suspended_by_origin ?? false]
  if (suspended && since === null) return { suspended_at: tx.now, suspended_by_origin: true }
  if (!suspended && byOrigin) return { suspended_at: null, suspended_by_origin: false }
  return { suspended_at: since, suspended_by_origin: byOrigin }
}
