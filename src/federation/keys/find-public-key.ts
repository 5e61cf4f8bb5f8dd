import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../domain/context.ts'
import type { Config } from '../../platform/config/config.ts'
import { statement } from '../../platform/db/statement.ts'
import { isActor, readActor } from '../objects/read/read-actor.ts'
import type { ParsedActor } from '../objects/read/read-actor.ts'
import { createBudget } from '../remote/fetch/budget.ts'
import type { FetchBudget } from '../remote/fetch/budget.ts'
import { fetchDocument } from '../remote/fetch/fetch-document.ts'
import { RemoteError } from '../remote/fetch/remote-errors.ts'
import { parsePublicKey } from '../signatures/keys.ts'
import { countUses, refundUses, keyFetchThrottles } from '../throttles.ts'
import type { WireObject } from '../wire/normalize.ts'
import type { DocumentLimits } from '../wire/parse-document.ts'
import { idOf, isSameHost, textOf } from '../wire/read-values.ts'

/** The public key of an actor, whose ownership was verified when it was fetched. */
export interface PublicKey {
  keyId: string
  /** The actor's id. */
  ownerUri: string
  publicKey: KeyObject
}

/**
 * An unknown key is fetched at most once in so many minutes, whatever the result was. So is a stored one that did not
 * make a signature, because its server may have replaced it.
 */
const REFETCH_MINUTES = 5

/** Fetches for one key: its document, the actor's, and for each of them one more if its id is another URL. */
const MAX_FETCHES = 4
const TIMEOUT_MS = 10_000

/** Limits for the document of a key or its owner, which an unverified sender chooses. The worst takes 4 ms to parse. */
const MAX_DOCUMENT: DocumentLimits = { bytes: 128 * 1024, names: 1_000, distinctNames: 1_000, values: 5_000 }

const MAX_PEM_LENGTH = 8_192

/** Recent fetches that one process stores. */
const MAX_TRACKED_FETCHES = 10_000

/** Parsed keys that one process caches. */
const MAX_CACHED_KEYS = 5_000

const keyCache = new LRUCache<string, KeyObject>({ max: MAX_CACHED_KEYS })

interface KeyFetch {
  keyId: string
  at: number
  /** Another key with this id was stored before. */
  isRefetch: boolean
  result: Promise<PublicKey>
}

const recentFetches = new WeakMap<Config, LRUCache<string, KeyFetch>>()

interface Row {
  owner_uri: string
  public_key_pem: string
  is_local: boolean
}

const find = statement<{ params: { keyId: string }; row: Row }>(
  `select owner_uri, public_key_pem, private_key is not null as is_local from actor_keys where key_id = $keyId`,
)
// A local key is never replaced by one that a remote document claims under its id. `is_replaced`: the actor had another
// key with this id, or others of which it lists none any more.
const upsertKey = statement<{
  params: {
    keyId: string
    actorUri: string
    pem: string
    now: Date
    listedPems: readonly string[]
    listedIds: readonly string[]
  }
  row: { account_id: string | null; is_replaced: boolean }
  notNull: 'is_replaced'
}>(
  `with former as (
     select key_id, public_key_pem,
       public_key_pem = any($listedPems) or key_id = any($listedIds) as is_listed
     from actor_keys where owner_uri = $actorUri
   )
   insert into actor_keys (key_id, owner_uri, account_id, public_key_pem, fetched_at)
   values ($keyId, $actorUri, (select id from accounts where uri = $actorUri), $pem, $now)
   on conflict (key_id) do update set owner_uri = excluded.owner_uri, account_id = excluded.account_id,
     public_key_pem = excluded.public_key_pem, fetched_at = excluded.fetched_at
   where actor_keys.private_key is null
   returning account_id,
     exists (select from former where key_id = $keyId and public_key_pem <> $pem)
       or (select count(*) > 0 and not bool_or(is_listed) from former) as is_replaced`,
)

/** The signature of a request to this server, and the key that it names. */
export interface KeyClaim {
  keyId: string
  /** The network address of the client that sent the request. */
  ip: string
  /** Returns whether a key made the signature. */
  isSignedBy(key: PublicKey): boolean
}

/**
 * Returns the key that made a signature: the stored one, or else the one that its server publishes now, if the key's
 * actor lists it. Returns null if neither made it. A process fetches an unknown key, and replaces a stored one, at most
 * once in five minutes; until then, later claims share the result. Every fetch that does not yield the key of the
 * signature counts against the throttles of `keyFetchThrottles`, so no client can use this server to send requests to
 * others.
 * @throws RemoteError, including RemoteGoneError · InvalidDocumentError · what `isTemporary` accepts · ThrottledError ·
 *   ServiceUnavailableError while the throttles cannot be counted
 */
export async function findPublicKey(ctx: Ctx, claim: KeyClaim): Promise<PublicKey | null> {
  const { keyId, isSignedBy } = claim
  const [row] = await find(ctx.db, { keyId })
  const stored = row && keyOf(keyId, row)
  if (stored && isSignedBy(stored)) return stored
  if (row?.is_local) return null
  const fetch = { keyId, isRefetch: row !== undefined }
  const key = await (findRecentFetch(ctx, fetch)?.result ?? fetchKeyWithinLimits(ctx, claim, fetch))
  return isSignedBy(key) ? key : null
}

/** Counts a fetch before it starts, so that running fetches count too, and refunds it if it yields the right key. */
async function fetchKeyWithinLimits(
  ctx: Ctx,
  { keyId, ip, isSignedBy }: KeyClaim,
  fetch: Pick<KeyFetch, 'keyId' | 'isRefetch'>,
): Promise<PublicKey> {
  const uses = keyFetchThrottles({ uri: keyId, ip })
  await countUses(ctx, uses)
  const key = await fetchKeyOnce(ctx, fetch)
  if (isSignedBy(key)) await refundUses(ctx, uses)
  return key
}

/** Returns a stored key without fetching anything; null if there is none. */
export async function findKnownKey(ctx: Ctx, { keyId }: { keyId: string }): Promise<PublicKey | null> {
  const [row] = await find(ctx.db, { keyId })
  return row ? keyOf(keyId, row) : null
}

function keyOf(keyId: string, row: Row): PublicKey | null {
  const publicKey = parsePublicKeyCached(row.public_key_pem)
  return publicKey && { keyId, ownerUri: row.owner_uri, publicKey }
}

/** Parses a stored key. Parsing takes longer than verifying a signature with the key, so parsed keys are cached. */
export function parsePublicKeyCached(pem: string): KeyObject | null {
  const cached = keyCache.get(pem)
  if (cached) return cached
  const publicKey = parsePublicKey(pem)
  if (publicKey) keyCache.set(pem, publicKey)
  return publicKey
}

/** Returns the recent fetch of a key; one of a stored key only if another key was stored before that fetch, too. */
function findRecentFetch(ctx: Ctx, { keyId, isRefetch }: Pick<KeyFetch, 'keyId' | 'isRefetch'>): KeyFetch | null {
  const fetch = recentFetches.get(ctx.config)?.peek(keyId)
  if (!fetch || ctx.now().getTime() - fetch.at >= REFETCH_MINUTES * 60_000) return null
  return fetch.isRefetch || !isRefetch ? fetch : null
}

/** Fetches a key and stores the fetch, so that many signatures by one unknown key cause a single fetch. */
async function fetchKeyOnce(ctx: Ctx, { keyId, isRefetch }: Pick<KeyFetch, 'keyId' | 'isRefetch'>): Promise<PublicKey> {
  const recentFetch = findRecentFetch(ctx, { keyId, isRefetch })
  if (recentFetch) return recentFetch.result
  let all = recentFetches.get(ctx.config)
  if (!all) recentFetches.set(ctx.config, (all = new LRUCache({ max: MAX_TRACKED_FETCHES })))
  const result = fetchKey(ctx, keyId)
  all.set(keyId, { keyId, at: ctx.now().getTime(), isRefetch, result })
  return result
}

async function fetchKey(ctx: Ctx, keyId: string): Promise<PublicKey> {
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS })
  const document = await fetchDocument(ctx, { uri: withoutFragment(keyId), budget, limits: MAX_DOCUMENT })
  const actor = await findOwner(ctx, { document, keyId, budget })
  const pem = pemFromActor(actor, { document, keyId })
  const publicKey = pem === null ? null : parsePublicKey(pem)
  if (pem === null || !publicKey) throw new RemoteError(`${actor.uri} does not list ${keyId} as a key`)
  await ctx.write(async (tx) => {
    const [stored] = await upsertKey(tx.db, {
      keyId,
      actorUri: actor.uri,
      pem,
      now: tx.now,
      listedPems: [pem, ...actor.keys.map((key) => key.pem)],
      listedIds: actor.keyRefs,
    })
    if (stored?.is_replaced && stored.account_id !== null)
      tx.emit('account.key_replaced', { accountId: stored.account_id })
  })
  return { keyId, ownerUri: actor.uri, publicKey }
}

/** Returns the owner of a key, which has to be an actor on the same host: another host could claim any key. */
async function findOwner(
  ctx: Ctx,
  { document, keyId, budget }: { document: WireObject; keyId: string; budget: FetchBudget },
): Promise<ParsedActor> {
  let actor = document
  if (!isActor(document)) {
    const owner = idOf(document['owner'] ?? document['controller'])
    if (owner === null || !isSameHost(owner, keyId)) throw new RemoteError(`${keyId} has no owner on its server`)
    actor = await fetchDocument(ctx, { uri: owner, budget, limits: MAX_DOCUMENT })
    if (idOf(actor) !== owner) throw new RemoteError(`${owner} is not the id of the object at this URL`)
  }
  const actorData = readActor(actor, { now: ctx.now() })
  if (!isSameHost(actorData.uri, keyId)) throw new RemoteError(`${keyId} is a key of another server`)
  return actorData
}

/**
 * Returns the PEM that the actor embeds; for a key that the actor only references, the PEM of the key's own document.
 * The id of the actor stands for its first key: PeerTube names that in signatures until version 7.0.
 */
function pemFromActor(
  { uri, keys, keyRefs }: ParsedActor,
  { document, keyId }: { document: WireObject; keyId: string },
): string | null {
  const embedded = keys.find(({ id }) => id === keyId) ?? (keyId === uri ? keys[0] : undefined)
  if (embedded) return embedded.pem
  const isReferenced = keyRefs.includes(keyId) && idOf(document) === keyId
  return isReferenced && idOf(document['owner'] ?? document['controller']) === uri
    ? textOf(document['publicKeyPem'], MAX_PEM_LENGTH)
    : null
}

function withoutFragment(address: string): string {
  return address.replace(/#.*$/s, '')
}
