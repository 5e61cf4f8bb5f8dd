import { BadRequestError } from '../../lib/errors.ts'

/** The headers of a request in Node's form: names in lower case, repeated headers joined. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A received request, as far as a signature can cover it. */
export interface ReceivedRequest {
  method: string
  /**
   * Absolute: the public origin of this server, then path and query exactly as received (`config.origin +
   * request.raw.url`). A signature that was made for another host is refused.
   */
  url: string
  headers: RequestHeaders
  /** The raw bytes. */
  body: Buffer
  now: Date
}

/** A received request whose body has not been read. Signatures cover the body only through the digest header. */
export type RequestHead = Omit<ReceivedRequest, 'body'>

interface CommonSignature {
  /** An https URL. It is not verified to identify the key or the actor. */
  keyId: string
  /** The covered components in order, in lower case. */
  covered: readonly string[]
  bytes: Buffer
  /** Seconds since 1970. */
  created: number | null
  expires: number | null
}

/** draft-cavage-http-signatures-12 */
export interface CavageSignature extends CommonSignature {
  spec: 'cavage'
  algorithm: string | null
}

/** RFC 9421 */
export interface MessageSignature extends CommonSignature {
  spec: 'rfc9421'
  algorithm: string | null
  /** The parameters exactly as received: they are part of the signature base (RFC 9421 §2.3). */
  parameters: string
}

export type Signature = CavageSignature | MessageSignature
export type SignatureSpec = Signature['spec']

export interface SignatureError {
  reason:
    /** Not RSA-SHA256 under any of its names. */
    | 'algorithm'
    /** A required component is not covered, or a covered component is missing. */
    | 'coverage'
    /** Signed for another host. */
    | 'host'
    | 'digest'
    | 'time'
  detail: string
}

/** 400: a signature that can't be parsed. */
export class MalformedSignatureError extends BadRequestError {
  constructor(detail: string) {
    super(`Malformed signature: ${detail}`)
  }
}

const MAX_KEY_ID_LENGTH = 2048
const MAX_COVERED = 64
/** RSA keys have 8192 bits at most. */
const MAX_SIGNATURE_BYTES = 1024

/**
 * Returns a key id.
 * @throws MalformedSignatureError unless it is a plain https URL, so that no other URL is ever fetched
 */
export function readKeyId(text: unknown): string {
  // An @ is allowed in the path, as in /@name#main-key, but not before it.
  const isPlain =
    typeof text === 'string' && /^https:\/\/[^/?#@\\\s]+([/?#][^\\]*)?$/i.test(text) && /^[!-~]+$/.test(text)
  if (!isPlain || text.length > MAX_KEY_ID_LENGTH || !URL.canParse(text)) {
    throw new MalformedSignatureError('the key id is not an https address')
  }
  return text
}

/** Parses whole seconds since 1970. @throws MalformedSignatureError */
export function readSeconds(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,11}$/.test(text)) throw new MalformedSignatureError(`${name} is not a time`)
  return Number(text)
}

/** Returns the covered components. @throws MalformedSignatureError for too many or repeated ones */
export function checkCovered(names: readonly string[]): readonly string[] {
  if (names.length > MAX_COVERED) throw new MalformedSignatureError('too many components')
  if (new Set(names).size !== names.length) throw new MalformedSignatureError('a component is repeated')
  return names
}

/** Returns the signature. @throws MalformedSignatureError if no RSA key can have made it */
export function checkSignatureSize(bytes: Buffer): Buffer {
  if (bytes.length === 0 || bytes.length > MAX_SIGNATURE_BYTES)
    throw new MalformedSignatureError('the signature has an invalid length')
  return bytes
}

/** Decodes canonical base64, with padding or without. @throws MalformedSignatureError */
export function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/={1,2}$/, '')) {
    throw new MalformedSignatureError('not base64')
  }
  return bytes
}

/** Returns the value of a header, with repeated headers joined (RFC 9110 §5.2); null if it is absent. */
export function headerValue(headers: RequestHeaders, name: string): string | null {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return value === undefined ? null : [value].flat().join(', ').trim()
}

/** Returns whether the `Host` header names the host of the URL, ignoring case, the default port and a trailing dot. */
export function isHostHeaderOf(headers: RequestHeaders, url: string): boolean {
  const named = headerValue(headers, 'host') ?? ''
  if (!URL.canParse(url) || !/^[^\s/?#@\\]+$/.test(named)) return false
  const { protocol, host } = new URL(url)
  const full = `${protocol}//${named}/`
  return URL.canParse(full) && withoutDot(new URL(full).host) === withoutDot(host)
}

const withoutDot = (host: string): string => host.replace(/\.(:\d+)?$/, '$1')
