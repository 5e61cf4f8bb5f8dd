import type { Ctx } from '../../../domain/context.ts'
import { isDomainAllowed } from '../../../domain/domain-blocks/federating-domain.ts'
import { ForbiddenError, NotFoundError, RequestError, UnauthorizedError } from '../../../lib/errors.ts'
import { networkPrefixOf } from '../../../lib/http/network-prefix-of.ts'
import type { PublicKey } from '../../keys/find-public-key.ts'
import { isLocalDomain } from '../../remote/fetch/request-remote.ts'
import { headerValue } from '../../signatures/signature.ts'
import type { RequestHead, Signature } from '../../signatures/signature.ts'
import { checkSignature, isSignedBy, parseSignature } from '../../signatures/verify.ts'
import { FAILED_DELIVERIES, checkThrottle } from '../../throttles.ts'
import { hostOf } from '../../wire/read-values.ts'
import { fetchKey, KeyNotFoundError } from './fetch-key.ts'
import { findSender } from './find-sender.ts'
import type { Sender } from './find-sender.ts'

/** The result of the authentication of a delivery by its headers. */
export interface DeliveryAuthentication {
  signature: Signature
  /** The canonical host of the key. */
  host: string
  sender: Sender
  /** The key that made the signature; null if no key with this id is stored, so the signature is not verified yet. */
  key: PublicKey | null
  /** Why the key is not known: another one with its id is stored, but its server has none any more. */
  keyError?: KeyNotFoundError
}

/**
 * Decides by the headers alone whether the body of a delivery is read: a signature covers the body through its digest,
 * so it can be verified first. Without a stored key, the body must have no content coding, and the network of the
 * client must not have sent too many deliveries without a valid signature. If the server of a stored key has no key any
 * more, the body is read, too: it may be the deletion of the owner, who got a new key before.
 * @throws UnauthorizedError · BadRequestError · ForbiddenError for a suspended server · NotFoundError for a
 *   server that limited federation does not allow · RequestError 415 for a content
 *   coding · ThrottledError · ServiceUnavailableError if a new key could not be fetched
 */
export async function authenticateDelivery(
  ctx: Ctx,
  { head, ip }: { head: RequestHead; ip: string },
): Promise<DeliveryAuthentication> {
  const signature = parseSignature(head.headers)
  if (!signature) throw new UnauthorizedError('Request not signed')
  const { keyId } = signature
  const host = hostOf(keyId)
  if (host === null || isLocalDomain(ctx, host)) throw new UnauthorizedError('The key is not one of another server')
  if (!(await isDomainAllowed(ctx, { domain: host }))) throw new NotFoundError()
  const failure = checkSignature(signature, head)
  if (failure) throw new UnauthorizedError(failure.detail)

  const isSigned = ({ publicKey }: PublicKey) => isSignedBy(signature, { request: head, publicKey })
  const sender = await findSender(ctx, { keyId, host })
  if (sender.key && isSigned(sender.key)) return { signature, host, sender, key: sender.key }
  if (sender.isBlocked) throw new ForbiddenError()
  await checkThrottle(ctx, { throttle: FAILED_DELIVERIES, key: networkPrefixOf(ip) })
  let keyError: KeyNotFoundError | undefined
  if (sender.key) {
    const key = await fetchKey(ctx, { keyId, ip, isSignedBy: isSigned }).catch((err: unknown) => {
      if (!(err instanceof KeyNotFoundError)) throw err
      keyError = err
      return null
    })
    // The new key may be that of another actor.
    if (key) return { signature, host, sender: await findSender(ctx, { keyId, host }), key }
  }
  const coding = headerValue(head.headers, 'content-encoding')
  if (coding !== null && coding.toLowerCase() !== 'identity') {
    throw keyError ?? new RequestError(415, 'A content coding is only accepted from senders whose key is known')
  }
  return { signature, host, sender, key: null, ...(keyError && { keyError }) }
}
