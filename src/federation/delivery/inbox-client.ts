import type { Ctx } from '../../domain/context.ts'
import { describeFollowers } from '../followers/find-follower-digests.ts'
import { FOLLOWER_DIGEST_HEADER } from '../followers/follower-digest.ts'
import { decryptFormerKey, ensureActorKey } from '../keys/actor-keys.ts'
import { createSigner } from '../signatures/create-signer.ts'
import type { SignatureSpec } from '../signatures/signature.ts'
import type { PendingDelivery } from './delivery-repository.ts'
import { resultOfResponse, resultOfError } from './response-policy.ts'
import type { DeliveryResult } from './response-policy.ts'

/** The timeout of a whole request: a server that takes longer is overloaded. */
const REQUEST_TIMEOUT_MS = 10_000

const CONTENT_TYPE = 'application/activity+json'

interface InboxClient {
  /** Sends one activity to one inbox; never throws. */
  send(delivery: PendingDelivery): Promise<DeliveryResult>
  /** The signature scheme that the host was last seen to accept. */
  signatureSpec(): SignatureSpec
}

/**
 * Creates a client for the inboxes of one host. If the host denies a signature of one scheme, the client retries once
 * with the other scheme and keeps using the one that the host accepts ("double-knocking"). An Update with a new key is
 * signed with the former key, and with the new one only if the host denies the former.
 */
export function createInboxClient(ctx: Ctx, { signsWith: initialSpec }: { signsWith: SignatureSpec }): InboxClient {
  let currentSpec = initialSpec

  async function send(delivery: PendingDelivery): Promise<DeliveryResult> {
    const result = await sendInEitherScheme(delivery)
    if (delivery.signing_key === null || result.outcome !== 'denied') return result
    // A host that has fetched the actor since the rotation accepts only the new key.
    if (!(await containsPresentKey(ctx, delivery))) return result
    return sendInEitherScheme({ ...delivery, signing_key: null })
  }

  /** Sends a delivery in the current scheme, and in the other one if the host denies the first. */
  async function sendInEitherScheme(delivery: PendingDelivery): Promise<DeliveryResult> {
    const firstSpec = currentSpec
    const first = await attempt(delivery, firstSpec)
    if (first.outcome !== 'denied') return first
    const otherSpec = firstSpec === 'cavage' ? 'rfc9421' : 'cavage'
    const second = await attempt(delivery, otherSpec)
    if (second.outcome === 'denied' || second.status === null) return first
    currentSpec = otherSpec
    return second
  }

  async function attempt(delivery: PendingDelivery, spec: SignatureSpec): Promise<DeliveryResult> {
    try {
      const { account_id: accountId, signing_key: encrypted } = delivery
      const key =
        accountId === null || encrypted === null
          ? await ensureActorKey(ctx, { accountId })
          : decryptFormerKey(ctx, { accountId, encrypted })
      const response = await ctx.fetcher.request({
        method: 'POST',
        url: delivery.inbox_url,
        headers: { 'content-type': CONTENT_TYPE, ...(await followerHeaders(ctx, delivery)) },
        body: delivery.body,
        sign: createSigner({ key, spec, now: ctx.now }),
        maxBytes: 0,
        timeoutMs: REQUEST_TIMEOUT_MS,
      })
      return resultOfResponse(response, { now: ctx.now() })
    } catch (err) {
      const result = resultOfError(err)
      if (result.outcome === 'unsent')
        ctx.log.error({ err, delivery: delivery.id }, 'Delivery request could not be built')
      return result
    }
  }

  return { send, signatureSpec: () => currentSpec }
}

/** Returns the header with which the recipient compares its followers of the account, if there is to be one. */
async function followerHeaders(
  ctx: Ctx,
  { account_id: accountId, inbox_url: inbox, names_followers: namesFollowers }: PendingDelivery,
): Promise<Record<string, string>> {
  if (!namesFollowers || accountId === null) return {}
  return { [FOLLOWER_DIGEST_HEADER]: await describeFollowers(ctx, { accountId, inbox }) }
}

/** Returns whether an Update contains the present key: an older one must not replace a newer key at the host. */
async function containsPresentKey(ctx: Ctx, { account_id: accountId, body }: PendingDelivery): Promise<boolean> {
  const key = await ensureActorKey(ctx, { accountId }).catch(() => null)
  return key !== null && body.includes(JSON.stringify(key.publicKeyPem))
}
