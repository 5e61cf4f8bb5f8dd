import { isDeepStrictEqual } from 'node:util'
import { ForbiddenError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { recordRemoteEmojis } from '../../emojis/record-remote-emojis.ts'
import type { RemoteEmojiFacts } from '../../emojis/record-remote-emojis.ts'
import { lockUris } from '../../core/lock-uris.ts'
import type { DomainBlock } from '../../domain-blocks/find-domain-block.ts'
import { isDomainAllowed } from '../../domain-blocks/federating-domain.ts'
import { findDomainBlock } from '../../domain-blocks/find-domain-block.ts'
import { lockDomainBlocks } from '../../domain-blocks/lock-domain-blocks.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { removeTombstone, hasTombstone } from '../../core/tombstones.ts'
import { claimHandle, NO_LIMITS } from './claim-handle.ts'
import type { StaffLimits } from './claim-handle.ts'
import { recordOriginCounts } from './record-remote-counts.ts'
import { replaceRemoteKeys } from './replace-remote-keys.ts'
import type { RemoteKeyFacts } from './replace-remote-keys.ts'
import { SHOWN_COLUMNS } from './shown-columns.ts'
import type { ShownColumns } from './shown-columns.ts'

/**
 * Activities that were in transit when an account was deleted have arrived after this time. Only then may the account
 * be recorded again, since it was restored.
 */
const DELETION_GRACE_HOURS = 6
const HOUR_MS = 3_600_000

interface RemoteImageFacts {
  url: string
  description: string
}

/** A remote account by its actor document. The caller has verified every claim that needs a proof. */
export interface RemoteAccountFacts {
  uri: string
  /** Its profile page. */
  url: string
  type: 'Person' | 'Service' | 'Group' | 'Organization' | 'Application'
  /** `domain` is canonical ASCII, and not a domain of this server. */
  handle: { username: string; domain: string }
  /**
   * WebFinger at the handle's domain has just confirmed this actor, so the handle is taken from another account that
   * had it.
   */
  handleProven?: boolean
  displayName: string
  /** Sanitised HTML. */
  note: string
  /** Names are text, values are sanitised HTML. */
  fields: readonly { name: string; value: string }[]
  avatar: RemoteImageFacts | null
  header: RemoteImageFacts | null
  emojis: readonly RemoteEmojiFacts[]
  locked: boolean
  /** Null: not stated. */
  discoverable: boolean | null
  indexable: boolean
  /** Null: not stated, so it stays as it was. */
  hideCollections: boolean | null
  memorial: boolean
  suspended: boolean
  /** Canonical domains of sites that may name it as an author. */
  attributionDomains: readonly string[]
  showMedia: boolean
  showMediaReplies: boolean
  showFeatured: boolean
  /** Which actors may feature it in a collection, without or with its approval; null: not stated. */
  featurePolicy: { automatic: readonly string[]; manual: readonly string[] } | null
  /** The URI of the account that it has moved to; ignored if that is unknown. */
  movedTo: string | null
  alsoKnownAs: readonly string[]
  publishedAt: Date | null
  inboxUrl: string
  sharedInboxUrl: string | null
  outboxUrl: string | null
  followersUrl: string | null
  followingUrl: string | null
  featuredUrl: string | null
  featuredTagsUrl: string | null
  keys: readonly RemoteKeyFacts[]
  /** The account sent its document itself, signed with a key that was stored before. */
  isSigned?: boolean
  /** The counts that its server states; null: not stated, so it stays as it was. */
  statusesCount: number | null
  followersCount: number | null
  followingCount: number | null
}

/** The columns that statuses which mention the account contain. */
const MENTION_COLUMNS = ['username', 'domain', 'url'] as const

type AccountBefore = ShownColumns & { id: string; suspended_at: Date | null; suspended_by_origin: boolean }

const selectedColumns = ['id', ...SHOWN_COLUMNS, 'suspended_at', 'suspended_by_origin'].join(', ')
const findId = statement<{ params: { uri: string }; row: { id: string } }>(`select id from accounts where uri = $uri`)
const findByUri = statement<{ params: { uri: string }; row: AccountBefore }>(
  `select ${selectedColumns} from accounts where uri = $uri for no key update`,
)
const insert = statement<{
  params: {
    username: string
    handleDomain: string
    uri: string
    url: string
    publishedAt: Date | null
    now: Date
    silencedByDomainAt: Date | null
    limitedAt: Date | null
    sensitizedAt: Date | null
  }
  row: { id: string }
}>(
  `insert into accounts (username, domain, uri, url, created_at, updated_at, silenced_at,
     silenced_by_domain_block, sensitized_at)
   values ($username, $handleDomain, $uri, $url, coalesce($publishedAt::timestamptz, $now::timestamptz),
     $now::timestamptz, coalesce($limitedAt::timestamptz, $silencedByDomainAt::timestamptz),
     $limitedAt::timestamptz is null and $silencedByDomainAt::timestamptz is not null, $sensitizedAt) returning id`,
)
const findMoveTarget = statement<{ params: { movedTo: string; uri: string }; row: { id: string } }>(
  `select id from accounts where uri = $movedTo and uri <> $uri`,
)
type AccountUrls = Pick<
  RemoteAccountFacts,
  `${'inbox' | 'sharedInbox' | 'outbox' | 'followers' | 'following' | 'featured' | 'featuredTags'}Url` | 'alsoKnownAs'
>
interface Refresh extends AccountUrls {
  accountId: string
  now: Date
}
const REFRESH = `inbox_url = $inboxUrl, shared_inbox_url = $sharedInboxUrl, outbox_url = $outboxUrl,
  followers_url = $followersUrl, following_url = $followingUrl, featured_url = $featuredUrl,
  featured_tags_url = $featuredTagsUrl, also_known_as = $alsoKnownAs, refreshed_at = $now`
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
 * Inserts or updates a remote account. Concurrent calls for one actor create one account. An account of a limited
 * domain is limited from the beginning.
 * @throws ForbiddenError for a URI or domain of this server, for an account that was deleted less than six hours ago,
 *   for suspended domains, and for a new account with the handle of one that the staff have suspended; ConflictError
 *   if another account has the handle and no proof shows which one has it now
 */
export async function recordRemoteAccount(
  tx: Tx,
  facts: RemoteAccountFacts,
): Promise<{ accountId: string; isNew: boolean }> {
  const { uri, handle } = facts
  rejectLocal(tx, facts)
  await lockUris(tx, { uris: [uri, `acct:${handle.username.toLowerCase()}@${handle.domain}`] })
  const since = new Date(tx.now.getTime() - DELETION_GRACE_HOURS * HOUR_MS)
  if (await hasTombstone(tx, { uri, ownerUri: uri, since })) throw new ForbiddenError()
  // The row of counters is locked before the account, in the same order as everywhere.
  await lockAccounts(tx, { ids: (await findId(tx.db, { uri })).map((row) => row.id) })
  const [before] = await findByUri(tx.db, { uri })
  if (before && before.domain === null) throw new ForbiddenError()
  // Without a proof, a known account keeps its handle.
  const claimsHandle = !before || facts.handleProven === true
  const claim = { uri, handle, isProven: facts.handleProven === true, isNew: !before }
  const limits = claimsHandle ? await claimHandle(tx, claim) : NO_LIMITS
  const accountId = before?.id ?? (await insertAccount(tx, { ...facts, ...limits }))
  await updateAccount(tx, { accountId, before, facts, claimsHandle })
  await replaceRemoteKeys(tx, { accountId, ownerUri: uri, keys: facts.keys, signed: facts.isSigned ?? false })
  await recordOriginCounts(tx, { accountId, ...facts })
  return { accountId, isNew: !before }
}

function rejectLocal({ config }: Tx, { uri, handle: { domain } }: RemoteAccountFacts): void {
  const isLocal = domain === config.localDomain || domain === config.webDomain
  if (isLocal || new URL(uri).origin === config.origin) throw new ForbiddenError()
}

async function insertAccount(
  tx: Tx,
  { uri, url, handle, publishedAt, limitedAt, sensitizedAt }: RemoteAccountFacts & StaffLimits,
): Promise<string> {
  await lockDomainBlocks(tx)
  const severities: DomainBlock['severity'][] = []
  for (const domain of new Set([handle.domain, new URL(uri).host])) {
    if (!(await isDomainAllowed(tx, { domain }))) throw new ForbiddenError()
    severities.push((await findDomainBlock(tx, { domain })).severity)
  }
  if (severities.includes('suspend')) throw new ForbiddenError()
  const [row] = await insert(tx.db, {
    username: handle.username,
    handleDomain: handle.domain,
    uri,
    url,
    publishedAt,
    now: tx.now,
    silencedByDomainAt: severities.includes('silence') ? tx.now : null,
    limitedAt,
    sensitizedAt,
  })
  await removeTombstone(tx, { uri, ownerUri: uri })
  return row!.id
}

async function updateAccount(
  tx: Tx,
  {
    accountId,
    before,
    facts,
    claimsHandle,
  }: { accountId: string; before: AccountBefore | undefined; facts: RemoteAccountFacts; claimsHandle: boolean },
): Promise<void> {
  const columns = await publicColumns(tx, { before, facts, claimsHandle })
  const suspension = suspensionOf(tx, { before, suspended: facts.suspended })
  const isSame = (name: string, value: unknown) =>
    isDeepStrictEqual(value, (before as Record<string, unknown> | undefined)?.[name])
  const changed =
    Object.entries(columns).some(([name, value]) => !isSame(name, value)) ||
    suspension.suspended_by_origin !== (before?.suspended_by_origin ?? false)
  const { inboxUrl, sharedInboxUrl, outboxUrl, followersUrl, followingUrl, featuredUrl, featuredTagsUrl } = facts
  const urls = { inboxUrl, sharedInboxUrl, outboxUrl, followersUrl, followingUrl, featuredUrl, featuredTagsUrl }
  const refreshed = { accountId, ...urls, alsoKnownAs: facts.alsoKnownAs, now: tx.now }
  if (changed) {
    await rewrite(tx.db, { ...refreshed, ...columns, ...suspension, fields: JSON.stringify(columns.fields) })
  } else {
    await refresh(tx.db, refreshed)
  }
  if (before && MENTION_COLUMNS.some((name) => !isSame(name, columns[name])))
    tx.emit('account.handle_changed', { accountId })
  if (before && before.indexable !== facts.indexable) tx.emit('account.indexable_changed', { accountId })
}

async function publicColumns(
  tx: Tx,
  {
    before,
    facts,
    claimsHandle,
  }: { before: AccountBefore | undefined; facts: RemoteAccountFacts; claimsHandle: boolean },
): Promise<ShownColumns> {
  const texts = [facts.displayName, facts.note, ...facts.fields.flatMap(({ name, value }) => [name, value])]
  const domain = claimsHandle ? facts.handle.domain : before!.domain!
  const [moveTarget] =
    facts.movedTo === null ? [] : await findMoveTarget(tx.db, { movedTo: facts.movedTo, uri: facts.uri })
  return {
    username: claimsHandle ? facts.handle.username : before!.username,
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
    moved_to_account_id: moveTarget?.id ?? null,
    emoji_ids: await recordRemoteEmojis(tx, { domain, emojis: facts.emojis, texts }),
  }
}

/**
 * Returns the new suspension. A suspension by the account's own server ends when that server says so; a local one
 * stays.
 */
function suspensionOf(
  tx: Tx,
  { before, suspended }: { before: AccountBefore | undefined; suspended: boolean },
): { suspended_at: Date | null; suspended_by_origin: boolean } {
  const [since, byOrigin] = [before?.suspended_at ?? null, before?.suspended_by_origin ?? false]
  if (suspended && since === null) return { suspended_at: tx.now, suspended_by_origin: true }
  if (!suspended && byOrigin) return { suspended_at: null, suspended_by_origin: false }
  return { suspended_at: since, suspended_by_origin: byOrigin }
}
