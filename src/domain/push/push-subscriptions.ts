import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

/** Whose notifications are pushed: all, those of followed accounts, those of followers, none. */
export const PUSH_POLICIES = ['all', 'followed', 'follower', 'none'] as const

type PushPolicy = (typeof PUSH_POLICIES)[number]

/** Which notifications a client wants to get. */
export interface PushPreferences {
  /** By type of notification; absent types are not pushed. */
  alerts: Readonly<Record<string, boolean>>
  policy: PushPolicy
}

/** A push subscription as clients see it (Mastodon's WebPushSubscription entity). */
export interface PushSubscription extends PushPreferences {
  id: string
  endpoint: string
  standard: boolean
}

const COLUMNS = 'id, endpoint, standard, alerts, policy'
const find = statement<{ params: { tokenId: string }; row: PushSubscription }>(
  `select ${COLUMNS} from push_subscriptions where access_token_id = $tokenId`,
)

/** Returns the subscription of a token. @throws NotFoundError if it has none */
export async function findSubscription(read: Read, { tokenId }: { tokenId: string }): Promise<PushSubscription> {
  const [row] = await find(read.db, { tokenId })
  if (!row) throw new NotFoundError()
  return row
}

const remove = statement<{ params: { tokenIds: readonly string[] } }>(
  `delete from push_subscriptions where access_token_id = any($tokenIds::bigint[])`,
)
const lockToken = statement<{ params: { tokenId: string }; row: { id: string } }>(
  `select id from access_tokens where id = $tokenId and revoked_at is null for no key update`,
)
const put = statement<{
  params: {
    tokenId: string
    endpoint: string
    p256dh: Buffer
    auth: Buffer
    standard: boolean
    alerts: string
    policy: string
    encryptedToken: Buffer
    now: Date
  }
  row: PushSubscription
}>(
  `insert into push_subscriptions
     (access_token_id, endpoint, p256dh, auth, standard, alerts, policy, encrypted_token, created_at)
   values ($tokenId, $endpoint, $p256dh, $auth, $standard, $alerts, $policy, $encryptedToken, $now) returning ${COLUMNS}`,
)

/** A subscription to store. `p256dh` and `auth`: the client's keys (RFC 8291). */
export interface NewPushSubscription extends PushPreferences {
  endpoint: string
  p256dh: Buffer
  auth: Buffer
  standard: boolean
  encryptedToken: Buffer
}

/**
 * Creates the subscription of a token, which replaces a former one (Mastodon: POST /api/v1/push/subscription).
 * @throws NotFoundError if the token was revoked meanwhile
 */
export async function replaceSubscription(
  tx: Tx,
  { tokenId, ...subscription }: NewPushSubscription & { tokenId: string },
): Promise<PushSubscription> {
  const { endpoint, p256dh, auth, standard, alerts, policy, encryptedToken } = subscription
  const [token] = await lockToken(tx.db, { tokenId })
  if (!token) throw new NotFoundError()
  // Deletes the former row with its planned pushes, so that they are not sent to the new endpoint.
  await remove(tx.db, { tokenIds: [tokenId] })
  const [row] = await put(tx.db, {
    tokenId,
    endpoint,
    p256dh,
    auth,
    standard,
    alerts: JSON.stringify(alerts),
    policy,
    encryptedToken,
    now: tx.now,
  })
  return row!
}

const change = statement<{ params: { tokenId: string; alerts: string; policy: string }; row: PushSubscription }>(
  `update push_subscriptions set alerts = $alerts, policy = $policy where access_token_id = $tokenId
    returning ${COLUMNS}`,
)

/**
 * Replaces the preferences of a token's subscription (Mastodon: PUT /api/v1/push/subscription).
 * @throws NotFoundError if the token has none
 */
export async function changePushPreferences(
  tx: Tx,
  { tokenId, alerts, policy }: PushPreferences & { tokenId: string },
): Promise<PushSubscription> {
  const [row] = await change(tx.db, { tokenId, alerts: JSON.stringify(alerts), policy })
  if (!row) throw new NotFoundError()
  return row
}

/** Deletes the subscriptions of tokens with their planned pushes. */
export async function removeSubscriptions(tx: Tx, { tokenIds }: { tokenIds: readonly string[] }): Promise<void> {
  await remove(tx.db, { tokenIds })
}

/** Returns the encryption purpose of a token that is stored with its subscription. */
export function tokenEncryptionPurpose(tokenId: string): string {
  return `push for token ${tokenId}`
}
