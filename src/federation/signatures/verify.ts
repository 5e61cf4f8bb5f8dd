import type { KeyObject } from 'node:crypto'
import { checkCavage, hasSignedDigest, isCavageSignedBy, parseCavage, readCavageTime } from './cavage.ts'
import { checkMessageSignature, hasSignedContentDigest, isMessageSignedBy, parseMessageSignature } from './rfc9421.ts'
import { headerValue, MalformedSignatureError } from './signature.ts'
import type { ReceivedRequest, RequestHead, RequestHeaders, Signature, SignatureError } from './signature.ts'

/**
 * Parses the signature of a request, of either scheme; null if there is none.
 * @throws MalformedSignatureError
 */
export function parseSignature(headers: RequestHeaders): Signature | null {
  const signature = headerValue(headers, 'signature')
  const input = headerValue(headers, 'signature-input')
  if (signature === null && input === null) return null
  if (signature === null) throw new MalformedSignatureError('Signature-Input without Signature')
  return input === null ? parseCavage(signature) : parseMessageSignature(input, signature)
}

/**
 * Checks all that needs neither the body nor the key: algorithm, coverage, host and time. Callers do this before they
 * read the body or fetch a key. Returns null if nothing is wrong so far.
 */
export function checkSignature(signature: Signature, requestHead: RequestHead): SignatureError | null {
  return signature.spec === 'cavage'
    ? checkCavage(signature, requestHead)
    : checkMessageSignature(signature, requestHead)
}

/**
 * Returns when a request was signed, after `checkSignature` found no error. If the sender's clock is ahead, it returns
 * the time of receipt instead of a time in the future.
 */
export function readSigningTime(signature: Signature, request: Pick<RequestHead, 'headers' | 'now'>): Date {
  const seconds = signature.spec === 'cavage' ? readCavageTime(signature, request) : signature.created!
  return new Date(Math.min(seconds * 1000, request.now.getTime()))
}

/** Compares the body with the digest that the signature covers, after `checkSignature`. Returns null if they match. */
export function checkDigest(signature: Signature, request: ReceivedRequest): SignatureError | null {
  const isSigned =
    signature.spec === 'cavage' ? hasSignedDigest(signature, request) : hasSignedContentDigest(signature, request)
  return isSigned ? null : { reason: 'digest', detail: 'the digest is not that of the body' }
}

/**
 * Returns whether this key made the signature, after `checkSignature` found no error. It needs no body and takes 25 µs.
 */
export function isSignedBy(
  signature: Signature,
  { request, publicKey }: { request: RequestHead; publicKey: KeyObject },
): boolean {
  return signature.spec === 'cavage'
    ? isCavageSignedBy(signature, { request, publicKey })
    : isMessageSignedBy(signature, { request, publicKey })
}
