import type { Ctx } from '../../domain/context.ts'
import { Forbidden, Refusal, Unauthorized } from '../../lib/errors.ts'
import { networkOf } from '../../lib/network.ts'
import type { PublicKey } from '../public-keys.ts'
import { isOurs } from '../remote/ask.ts'
import { headerValue } from '../signatures/signature.ts'
import type { RequestHead, Signature } from '../signatures/signature.ts'
import { checkSignature, isSignedBy, parseSignature } from '../signatures/verify.ts'
import { FAILED_DELIVERIES, refuseIfUsedUp } from '../throttles.ts'
import { hostOf } from '../wire/read.ts'
import { fetchKey } from './fetch-key.ts'
import { findSender } from './find-sender.ts'
import type { Sender } from './find-sender.ts'

/** What the headers of a delivery prove. */
export interface Admission {
  signature: Signature
  /** Of the key, canonical. */
  host: string
  sender: Sender
  /** The key that made the signature; null: no key with this id is stored, so nothing is proven yet. */
  key: PublicKey | null
}

/**
 * Decides from its headers alone whether the body of a delivery is read: a signature covers the body through its digest,
 * so it can be verified first. Without a stored key the body must come as it is, from a network that did not send too
 * many deliveries without a valid signature.
 * @throws Unauthorized · BadRequest · Forbidden from a blocked server · Refusal 415 for a content coding · Throttled ·
 *   Unavailable when a new key could not be fetched
 */
export async function admitDelivery(ctx: Ctx, { head, ip }: { head: RequestHead; ip: string }): Promise<Admission> {
  const signature = parseSignature(head.headers)
  if (!signature) throw new Unauthorized('Request not signed')
  const { keyId } = signature
  const host = hostOf(keyId)
  if (host === null || isOurs(ctx, host)) throw new Unauthorized('The key is not one of another server')
  const fault = checkSignature(signature, head)
  if (fault) throw new Unauthorized(fault.detail)

  const isSigned = ({ publicKey }: PublicKey) => isSignedBy(signature, { request: head, publicKey })
  const sender = await findSender(ctx, { keyId, host })
  if (sender.key && isSigned(sender.key)) return { signature, host, sender, key: sender.key }
  if (sender.isBlocked) throw new Forbidden()
  await refuseIfUsedUp(ctx, { throttle: FAILED_DELIVERIES, key: networkOf(ip) })
  if (sender.key) {
    const key = await fetchKey(ctx, { keyId, ip, isSignedBy: isSigned })
    // The new key may be that of another actor.
    return { signature, host, sender: await findSender(ctx, { keyId, host }), key }
  }
  const coding = headerValue(head.headers, 'content-encoding')
  if (coding !== null && coding.toLowerCase() !== 'identity') {
    throw new Refusal(415, 'A content coding is only accepted from senders whose key is known')
  }
  return { signature, host, sender, key: null }
}
