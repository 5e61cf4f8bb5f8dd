import type { KeyObject } from 'node:crypto'
import { checkCavage, hasSignedDigest, isCavageSignedBy, parseCavage, readCavageTime } from './cavage.ts'
import { checkMessageSignature, hasSignedContentDigest, isMessageSignedBy, parseMessageSignature } from './rfc9421.ts'
import { headerValue, MalformedSignature } from './signature.ts'
import type { ReceivedRequest, RequestHead, RequestHeaders, Signature, SignatureFault } from './signature.ts'

/**
 * Reads the signature of a request, whichever of the two kinds it is; null where there is none.
 * @throws MalformedSignature
 */
export function parseSignature(headers: RequestHeaders): Signature | null {
  const signature = headerValue(headers, 'signature')
  const input = headerValue(headers, 'signature-input')
  if (signature === null && input === null) return null
  if (signature === null) throw new MalformedSignature('Signature-Input without Signature')
  return input === null ? parseCavage(signature) : parseMessageSignature(input, signature)
}

/**
 * Judges all that can be judged without the body and the key: algorithm, what is covered, host, time. It comes before
 * the body is read and any key is fetched. null = nothing is wrong so far.
 */
export function checkSignature(signature: Signature, request: RequestHead): SignatureFault | null {
  return signature.spec === 'cavage' ? checkCavage(signature, request) : checkMessageSignature(signature, request)
}

/**
 * Returns when a request was signed, after `checkSignature` found no fault. A sender's clock that is ahead does not put
 * it into the future: then it is the moment of receipt.
 */
export function readSigningTime(signature: Signature, request: Pick<RequestHead, 'headers' | 'now'>): Date {
  const seconds = signature.spec === 'cavage' ? readCavageTime(signature, request) : signature.created!
  return new Date(Math.min(seconds * 1000, request.now.getTime()))
}

/** Compares the body with the digest that the signature covers, after `checkSignature`. null = it is the signed body. */
export function checkDigest(signature: Signature, request: ReceivedRequest): SignatureFault | null {
  const isSigned =
    signature.spec === 'cavage' ? hasSignedDigest(signature, request) : hasSignedContentDigest(signature, request)
  return isSigned ? null : { reason: 'digest', detail: 'the digest is not that of the body' }
}

/**
 * Whether this key made the signature, after `checkSignature` had nothing to say. It needs no body, and takes 25 µs.
 */
export function isSignedBy(
  signature: Signature,
  { request, publicKey }: { request: RequestHead; publicKey: KeyObject },
): boolean {
  return signature.spec === 'cavage'
    ? isCavageSignedBy(signature, { request, publicKey })
    : isMessageSignedBy(signature, { request, publicKey })
}

/**
 * All three in one, for a key that is at hand. null = signed, by this key.
 * @throws MalformedSignature
 */
export function verifySignature(request: ReceivedRequest, publicKey: KeyObject): SignatureFault | null {
  const signature = parseSignature(request.headers)
  if (signature === null) return { reason: 'unsigned', detail: 'no signature' }
  const fault = checkSignature(signature, request) ?? checkDigest(signature, request)
  if (fault) return fault
  return isSignedBy(signature, { request, publicKey }) ? null : { reason: 'key', detail: 'not signed by this key' }
}
