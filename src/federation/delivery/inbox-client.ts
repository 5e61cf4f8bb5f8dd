import type { Ctx } from '../../domain/context.ts'
import { ensureActorKey } from '../keys/actor-keys.ts'
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
 * with the other scheme and keeps using the one that the host accepts ("double-knocking").
 */
export function createInboxClient(ctx: Ctx, { signsWith: initialSpec }: { signsWith: SignatureSpec }): InboxClient {
  let currentSpec = initialSpec

  async function send(delivery: PendingDelivery): Promise<DeliveryResult> {
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
      const key = await ensureActorKey(ctx, { accountId: delivery.account_id })
      const response = await ctx.fetcher.request({
        method: 'POST',
        url: delivery.inbox_url,
        headers: { 'content-type': CONTENT_TYPE },
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
