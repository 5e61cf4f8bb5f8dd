import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '../domain/context.ts'
import type { Config } from '../platform/config.ts'
import { statement } from '../platform/db/statement.ts'
import { isActor, readActor } from './objects/read-actor.ts'
import type { ActorFacts } from './objects/read-actor.ts'
import { createBudget } from './remote/budget.ts'
import type { Budget } from './remote/budget.ts'
import { fetchDocument } from './remote/document.ts'
import { RemoteRefusal } from './remote/refusals.ts'
import { readPublicKey } from './signatures/keys.ts'
import { countUses, giveBackUses, keyFetchUses } from './throttles.ts'
import type { WireObject } from './wire/normalise.ts'
import type { DocumentLimits } from './wire/parse-document.ts'
import { idOf, isSameHost, textOf } from './wire/read.ts'

/** The key of somebody, proven to be theirs when it was fetched. */
export interface PublicKey {
  keyId: string
  /** The actor's id. */
  ownerUri: string
  publicKey: KeyObject
}

/** A key is asked for once in so many minutes, whatever came of it. */
const PAUSE_MINUTES = 5

/** For one key: its document, the actor's, and either of them at another address than expected. */
const MAX_FETCHES = 4
const TIMEOUT_MS = 10_000

/** The document of a key or its owner, which a sender who has proven nothing chooses. The worst takes 4 ms to parse. */
const MAX_DOCUMENT: DocumentLimits = { bytes: 128 * 1024, names: 1_000, distinctNames: 1_000, values: 5_000 }

const MAX_PEM_LENGTH = 8_192
/** Questions that are remembered at once. */
const MAX_ASKED = 10_000

/** Keys that are held ready at once. */
const MAX_OPENED = 5_000

const opened = new LRUCache<string, KeyObject>({ max: MAX_OPENED })

interface Asked {
  at: number
  answer: Promise<PublicKey>
}

const asked = new WeakMap<Config, LRUCache<string, Asked>>()

interface Row {
  owner_uri: string
  public_key_pem: string
  is_ours: boolean
  is_young: boolean
}

const find = statement<{ params: { keyId: string; fetchedAt: Date }; row: Row }>(
  `select owner_uri, public_key_pem, private_key is not null as is_ours,
     fetched_at > $fetchedAt::timestamptz - make_interval(mins => ${PAUSE_MINUTES}) as is_young
   from actor_keys where key_id = $keyId`,
)
// A key of our own is never replaced by what somebody says of it.
const keep = statement<{ params: { keyId: string; actorUri: string; pem: string; now: Date } }>(
  `insert into actor_keys (key_id, owner_uri, account_id, public_key_pem, fetched_at)
   values ($keyId, $actorUri, (select id from accounts where uri = $actorUri), $pem, $now)
   on conflict (key_id) do update set owner_uri = excluded.owner_uri, account_id = excluded.account_id,
     public_key_pem = excluded.public_key_pem, fetched_at = excluded.fetched_at
   where actor_keys.private_key is null`,
)

/** A signature that names a key, in a request to this server. */
export interface KeyClaim {
  keyId: string
  /** The network address of the client that sent the request. */
  ip: string
  /** Whether a key made the signature. */
  isSignedBy(key: PublicKey): boolean
}

/**
 * Returns the key that made a signature: the stored one, or else the one that its server shows now, whose actor has to
 * list it. null: neither made it. A key is fetched at most once in five minutes; until then later claims share the
 * result. Every fetch that does not lead to the key of the signature counts against the throttles of `keyFetchUses`, so no
 * client can use this server to send requests to others.
 * @throws RemoteRefusal, RemoteGone among them · Unreadable · what `isPassing` finds passing · Throttled · Unavailable
 *   while the throttles cannot be counted
 */
export async function findPublicKey(ctx: Ctx, claim: KeyClaim): Promise<PublicKey | null> {
  const { keyId, isSignedBy } = claim
  const [row] = await find(ctx.db, { keyId, fetchedAt: ctx.now() })
  const known = row && keyOf(keyId, row)
  if (known && isSignedBy(known)) return known
  if (row && (row.is_young || row.is_ours)) return null
  const earlier = askedBefore(ctx, keyId)
  if (earlier && known) return null
  const key = await (earlier ? earlier.answer : askWithinLimits(ctx, claim))
  return isSignedBy(key) ? key : null
}

/** Counts a fetch before it begins, so that fetches under way count too, and no longer once it found the right key. */
async function askWithinLimits(ctx: Ctx, { keyId, ip, isSignedBy }: KeyClaim): Promise<PublicKey> {
  const uses = keyFetchUses({ uri: keyId, ip })
  await countUses(ctx, uses)
  const key = await ask(ctx, keyId)
  if (isSignedBy(key)) await giveBackUses(ctx, uses)
  return key
}

/** The key, if it is known here already: nobody is asked for it. */
export async function findKnownKey(ctx: Ctx, { keyId }: { keyId: string }): Promise<PublicKey | null> {
  const [row] = await find(ctx.db, { keyId, fetchedAt: ctx.now() })
  return row ? keyOf(keyId, row) : null
}

function keyOf(keyId: string, row: Row): PublicKey | null {
  const publicKey = openPublicKey(row.public_key_pem)
  return publicKey && { keyId, ownerUri: row.owner_uri, publicKey }
}

/** A key that was found good once. Reading one takes longer than checking a signature with it, so they are held ready. */
export function openPublicKey(pem: string): KeyObject | null {
  const known = opened.get(pem)
  if (known) return known
  const publicKey = readPublicKey(pem)
  if (publicKey) opened.set(pem, publicKey)
  return publicKey
}

function askedBefore(ctx: Ctx, keyId: string): Asked | null {
  const earlier = asked.get(ctx.config)?.peek(keyId)
  return earlier && ctx.now().getTime() - earlier.at < PAUSE_MINUTES * 60_000 ? earlier : null
}

/** Many signatures by one unknown key are one question. */
async function ask(ctx: Ctx, keyId: string): Promise<PublicKey> {
  let all = asked.get(ctx.config)
  if (!all) asked.set(ctx.config, (all = new LRUCache({ max: MAX_ASKED })))
  const answer = fetchKey(ctx, keyId)
  all.set(keyId, { at: ctx.now().getTime(), answer })
  return answer
}

async function fetchKey(ctx: Ctx, keyId: string): Promise<PublicKey> {
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS })
  const document = await fetchDocument(ctx, { uri: withoutFragment(keyId), budget, limits: MAX_DOCUMENT })
  const actor = await findOwner(ctx, { document, keyId, budget })
  const pem = pemOf(actor, { document, keyId })
  const publicKey = pem === null ? null : readPublicKey(pem)
  if (pem === null || !publicKey) throw new RemoteRefusal(`${actor.uri} does not list ${keyId} as a key`)
  await ctx.write((tx) => keep(tx.db, { keyId, actorUri: actor.uri, pem, now: tx.now }))
  return { keyId, ownerUri: actor.uri, publicKey }
}

/** Whose key it is, as an actor of the same server: others could claim anything. */
async function findOwner(
  ctx: Ctx,
  { document, keyId, budget }: { document: WireObject; keyId: string; budget: Budget },
): Promise<ActorFacts> {
  let actor = document
  if (!isActor(document)) {
    const owner = idOf(document['owner'] ?? document['controller'])
    if (owner === null || !isSameHost(owner, keyId)) throw new RemoteRefusal(`${keyId} has no owner on its server`)
    actor = await fetchDocument(ctx, { uri: owner, budget, limits: MAX_DOCUMENT })
    if (idOf(actor) !== owner) throw new RemoteRefusal(`${owner} is not the id of what lies there`)
  }
  const facts = readActor(actor, { now: ctx.now() })
  if (!isSameHost(facts.uri, keyId)) throw new RemoteRefusal(`${keyId} is a key of another server`)
  return facts
}

/** The key as the actor shows it; of a key that the actor only names, as its own document does. */
function pemOf(
  { uri, keys, keyRefs }: ActorFacts,
  { document, keyId }: { document: WireObject; keyId: string },
): string | null {
  const shown = keys.find(({ id }) => id === keyId)
  if (shown) return shown.pem
  const isNamed = keyRefs.includes(keyId) && idOf(document) === keyId
  return isNamed && idOf(document['owner'] ?? document['controller']) === uri
    ? textOf(document['publicKeyPem'], MAX_PEM_LENGTH)
    : null
}

function withoutFragment(address: string): string {
  return address.replace(/#.*$/s, '')
}
