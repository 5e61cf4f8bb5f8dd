import { generateSecret, hashSecret } from '../../../lib/secrets.ts'
import type { ExternalIdentity } from '../../../platform/single-sign-on/external-provider.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Ctx, Tx } from '../../context.ts'
import type { IdentityProvider } from './identities.ts'

/** How long a user may take to log in at the provider, and then to choose an account. */
const ATTEMPT_MINUTES = 30

const PURPOSE = 'external log-in'

/** A log-in that a browser began at a provider. */
interface Attempt {
  readonly provider: IdentityProvider
  /** The path of this server to which the log-in leads. */
  readonly next: string | null
  /** The user who adds the provider to their account; null: a log-in. */
  readonly linkingUserId: string | null
}

/** An attempt whose user the provider has identified. */
export interface VerifiedAttempt extends Attempt {
  readonly state: string
  readonly identity: ExternalIdentity
}

interface AttemptRow {
  provider: IdentityProvider
  next: string | null
  linking_user_id: string | null
  encrypted_secrets: Buffer
}

const insert = statement<{
  params: {
    stateHash: Buffer
    browserHash: Buffer
    provider: string
    encryptedSecrets: Buffer
    next: string | null
    linkingUserId: string | null
    encryptedIdentity: Buffer | null
    answeredAt: Date | null
    expiresAt: Date
  }
}>(
  `insert into external_login_attempts (state_hash, browser_hash, provider, encrypted_secrets, next, linking_user_id,
     encrypted_identity, answered_at, expires_at)
   values ($stateHash, $browserHash, $provider, $encryptedSecrets, $next, $linkingUserId, $encryptedIdentity,
     $answeredAt, $expiresAt)`,
)
const take = statement<{
  params: { stateHash: Buffer; browserHash: Buffer | null; provider: string; now: Date }
  row: AttemptRow
}>(
  `update external_login_attempts set answered_at = $now
   where state_hash = $stateHash and provider = $provider and answered_at is null and expires_at > $now
     and ($browserHash::bytea is null or browser_hash = $browserHash::bytea)
   returning provider, next, linking_user_id, encrypted_secrets`,
)
const storeIdentity = statement<{ params: { stateHash: Buffer; encryptedIdentity: Buffer } }>(
  `update external_login_attempts set encrypted_identity = $encryptedIdentity where state_hash = $stateHash`,
)
const findVerified = statement<{
  params: { stateHash: Buffer; browserHash: Buffer; now: Date }
  row: Omit<AttemptRow, 'encrypted_secrets'> & { encrypted_identity: Buffer }
  notNull: 'encrypted_identity'
}>(
  `select provider, next, linking_user_id, encrypted_identity from external_login_attempts
   where state_hash = $stateHash and browser_hash = $browserHash and encrypted_identity is not null
     and expires_at > $now`,
)
const remove = statement<{ params: { stateHash: Buffer }; row: { provider: string } }>(
  `delete from external_login_attempts where state_hash = $stateHash returning provider`,
)
const useAssertion = statement<{
  params: { provider: string; id: string; expiresAt: Date }
  row: { id: string }
}>(
  `insert into used_assertions (provider, id, expires_at) values ($provider, $id, $expiresAt)
   on conflict do nothing returning id`,
)
const removeExpiredAttempts = statement<{ params: { now: Date } }>(
  `delete from external_login_attempts where expires_at < $now`,
)
const removeExpiredAssertions = statement<{ params: { now: Date } }>(
  `delete from used_assertions where expires_at < $now`,
)

/**
 * Stores a log-in that a browser begins. `state` returns with the provider's answer; `browserSecret` is the cookie of
 * the browser. Only their hashes are stored.
 */
export async function beginAttempt(
  ctx: Ctx,
  {
    state,
    browserSecret,
    secrets,
    ...attempt
  }: Attempt & { state: string; browserSecret: string; secrets: Readonly<Record<string, string>> },
): Promise<void> {
  const encryptedSecrets = seal(ctx.secrets, { state, value: secrets })
  await ctx.write((tx) =>
    insert(tx.db, {
      ...attempt,
      stateHash: hashSecret(state),
      browserHash: hashSecret(browserSecret),
      encryptedSecrets,
      encryptedIdentity: null,
      answeredAt: null,
      expiresAt: expiryOf(tx),
    }),
  )
}

/** Stores an attempt of a user who was identified without leaving this server, and returns its state. */
export async function recordVerifiedAttempt(
  ctx: Ctx,
  {
    browserSecret,
    identity,
    ...attempt
  }: Omit<Attempt, 'linkingUserId'> & { browserSecret: string; identity: ExternalIdentity },
): Promise<string> {
  const state = generateSecret()
  const encryptedSecrets = seal(ctx.secrets, { state, value: {} })
  const encryptedIdentity = seal(ctx.secrets, { state, value: identity })
  await ctx.write((tx) =>
    insert(tx.db, {
      ...attempt,
      linkingUserId: null,
      stateHash: hashSecret(state),
      browserHash: hashSecret(browserSecret),
      encryptedSecrets,
      encryptedIdentity,
      answeredAt: tx.now,
      expiresAt: expiryOf(tx),
    }),
  )
  return state
}

/**
 * Takes the attempt that a provider answers; each attempt is answered once. `browserSecret: null`: the browser sent no
 * cookie, since the answer came by a form of the provider, so the caller must check the browser afterwards
 * (`findVerifiedAttempt`). Returns null if there is no such attempt, it has expired or was answered.
 */
export async function takeAttempt(
  ctx: Ctx,
  { state, browserSecret, provider }: { state: string; browserSecret: string | null; provider: IdentityProvider },
): Promise<(Attempt & { secrets: Record<string, string> }) | null> {
  const browserHash = browserSecret === null ? null : hashSecret(browserSecret)
  const [row] = await ctx.write((tx) =>
    take(tx.db, { stateHash: hashSecret(state), browserHash, provider, now: tx.now }),
  )
  if (!row) return null
  const secrets = open(ctx.secrets, { state, sealed: row.encrypted_secrets }) as Record<string, string>
  return { provider, next: row.next, linkingUserId: row.linking_user_id, secrets }
}

/** Stores the verified identity of an attempt. Returns `replayed` if the same assertion was accepted before. */
export async function recordAnswer(
  ctx: Ctx,
  {
    state,
    provider,
    identity,
    assertion,
  }: {
    state: string
    provider: IdentityProvider
    identity: ExternalIdentity
    assertion: { readonly id: string; readonly expiresAt: Date } | null
  },
): Promise<'recorded' | 'replayed'> {
  const encryptedIdentity = seal(ctx.secrets, { state, value: identity })
  return ctx.write(async (tx) => {
    if (assertion && (await useAssertion(tx.db, { provider, ...assertion })).length === 0) return 'replayed'
    await storeIdentity(tx.db, { stateHash: hashSecret(state), encryptedIdentity })
    return 'recorded'
  })
}

/** Returns an attempt of this browser whose user the provider has identified, or null. */
export async function findVerifiedAttempt(
  ctx: Ctx,
  { state, browserSecret }: { state: string; browserSecret: string },
): Promise<VerifiedAttempt | null> {
  const hashes = { stateHash: hashSecret(state), browserHash: hashSecret(browserSecret) }
  const [row] = await findVerified(ctx.db, { ...hashes, now: ctx.now() })
  if (!row) return null
  const identity = open(ctx.secrets, { state, sealed: row.encrypted_identity }) as ExternalIdentity
  return { state, provider: row.provider, next: row.next, linkingUserId: row.linking_user_id, identity }
}

/** Ends an attempt that led to a log-in. Returns false if another request was first. */
export async function endAttempt(tx: Tx, { state }: { state: string }): Promise<boolean> {
  return (await remove(tx.db, { stateHash: hashSecret(state) })).length > 0
}

/** Effect: deletes expired attempts and the ids of expired assertions. */
export async function expireExternalLogins(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  await ctx.write(async (tx) => {
    await removeExpiredAttempts(tx.db, { now })
    await removeExpiredAssertions(tx.db, { now })
  })
}

function expiryOf({ now }: Tx): Date {
  return new Date(now.getTime() + ATTEMPT_MINUTES * 60_000)
}

/** Encrypts for one attempt, so that the values of two rows cannot be exchanged. */
function seal(secrets: Secrets, { state, value }: { state: string; value: unknown }): Buffer {
  return secrets.encrypt(purposeOf(state), Buffer.from(JSON.stringify(value)))
}

function open(secrets: Secrets, { state, sealed }: { state: string; sealed: Buffer }): unknown {
  return JSON.parse(secrets.decrypt(purposeOf(state), sealed).toString())
}

function purposeOf(state: string): string {
  return `${PURPOSE} ${hashSecret(state).toString('base64url')}`
}
