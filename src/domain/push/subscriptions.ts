import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

/** From whom: everybody, people whom one follows, people who follow one, nobody. */
export const PUSH_POLICIES = ['all', 'followed', 'follower', 'none'] as const

type PushPolicy = (typeof PUSH_POLICIES)[number]

/** What a program wants to be told of. */
export interface Wishes {
  /** By kind of notification; a kind that is not named is not wanted. */
  alerts: Readonly<Record<string, boolean>>
  policy: PushPolicy
}

/** Where a program is told of notifications, as its token's holder sees it. */
export interface Subscription extends Wishes {
  id: string
  endpoint: string
  standard: boolean
}

const COLUMNS = 'id, endpoint, standard, alerts, policy'
const find = statement<{ params: { tokenId: string }; row: Subscription }>(
  `select ${COLUMNS} from push_subscriptions where access_token_id = $tokenId`,
)

/** The subscription of a token. @throws NotFound when it has none */
export async function findSubscription(read: Read, { tokenId }: { tokenId: string }): Promise<Subscription> {
  const [row] = await find(read.db, { tokenId })
  if (!row) throw new NotFound()
  return row
}

const remove = statement<{ params: { tokenIds: readonly string[] } }>(
  `delete from push_subscriptions where access_token_id = any($tokenIds::bigint[])`,
)
const holdToken = statement<{ params: { tokenId: string }; row: { id: string } }>(
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
    sealedToken: Buffer
    now: Date
  }
  row: Subscription
}>(
  `insert into push_subscriptions
     (access_token_id, endpoint, p256dh, auth, standard, alerts, policy, sealed_token, created_at)
   values ($tokenId, $endpoint, $p256dh, $auth, $standard, $alerts, $policy, $sealedToken, $now) returning ${COLUMNS}`,
)

/** A subscription as it is to be kept. */
export interface NewSubscription extends Wishes {
  endpoint: string
  p256dh: Buffer
  auth: Buffer
  standard: boolean
  sealedToken: Buffer
}

/**
 * Remembers where a token's program wants to be told, instead of where it wanted before.
 * @throws NotFound when the token was revoked meanwhile
 */
export async function putSubscription(
  tx: Tx,
  { tokenId, ...wanted }: NewSubscription & { tokenId: string },
): Promise<Subscription> {
  const { endpoint, p256dh, auth, standard, alerts, policy, sealedToken } = wanted
  const [token] = await holdToken(tx.db, { tokenId })
  if (!token) throw new NotFound()
  // What was on its way to the old place does not go to the new one.
  await remove(tx.db, { tokenIds: [tokenId] })
  const [row] = await put(tx.db, {
    tokenId,
    endpoint,
    p256dh,
    auth,
    standard,
    alerts: JSON.stringify(alerts),
    policy,
    sealedToken,
    now: tx.now,
  })
  return row!
}

const change = statement<{ params: { tokenId: string; alerts: string; policy: string }; row: Subscription }>(
  `update push_subscriptions set alerts = $alerts, policy = $policy where access_token_id = $tokenId
    returning ${COLUMNS}`,
)

/** Remembers other wishes, in the place of all former ones. @throws NotFound without a subscription */
export async function changeWishes(
  tx: Tx,
  { tokenId, alerts, policy }: Wishes & { tokenId: string },
): Promise<Subscription> {
  const [row] = await change(tx.db, { tokenId, alerts: JSON.stringify(alerts), policy })
  if (!row) throw new NotFound()
  return row
}

/** Forgets where the programs of these tokens wanted to be told, with all that is on its way there. */
export async function removeSubscriptions(tx: Tx, { tokenIds }: { tokenIds: readonly string[] }): Promise<void> {
  await remove(tx.db, { tokenIds })
}

/** What a token is encrypted for, where it is kept beside its subscription. */
export function tokenPurpose(tokenId: string): string {
  return `push for token ${tokenId}`
}
