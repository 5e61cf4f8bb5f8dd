import { BadRequest } from '../../lib/errors.ts'

/** The headers of a request as Node gives them: names in lower case, repeated ones joined. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A request that came in, as far as a signature speaks of it. */
export interface ReceivedRequest {
  method: string
  /**
   * Absolute: our public origin, then path and query exactly as they came (`config.origin + request.raw.url`). A
   * signature that was made for another host is refused.
   */
  url: string
  headers: RequestHeaders
  /** The raw bytes. */
  body: Buffer
  now: Date
}

/** The same before its body was read. Signatures cover the body only through its digest, which is a header. */
export type RequestHead = Omit<ReceivedRequest, 'body'>

interface AnySignature {
  /** An https URL. Nothing says yet that it is the key's or the actor's own. */
  keyId: string
  /** What is covered, in order, in lower case. */
  covered: readonly string[]
  bytes: Buffer
  /** Seconds since 1970. */
  created: number | null
  expires: number | null
}

/** draft-cavage-http-signatures-12 */
export interface CavageSignature extends AnySignature {
  spec: 'cavage'
  algorithm: string | null
}

/** RFC 9421 */
export interface MessageSignature extends AnySignature {
  spec: 'rfc9421'
  algorithm: string | null
  /** The parameters as they were written: they are part of what is signed. */
  parameters: string
}

export type Signature = CavageSignature | MessageSignature
export type SignatureSpec = Signature['spec']

export interface SignatureFault {
  reason:
    | 'unsigned'
    /** Neither RSA-SHA256 nor a name for it. */
    | 'algorithm'
    /** Something that must be signed is not, or what is signed is not there. */
    | 'coverage'
    /** Made for another host. */
    | 'host'
    | 'digest'
    | 'time'
    /** All is in order, but this key did not sign it: a newer key might have. */
    | 'key'
  detail: string
}

/** 400: a signature that can't be read. */
export class MalformedSignature extends BadRequest {
  constructor(detail: string) {
    super(`Malformed signature: ${detail}`)
  }
}

const MAX_KEY_ID_LENGTH = 2048
const MAX_COVERED = 64
/** RSA keys have 8192 bits at most. */
const MAX_SIGNATURE_BYTES = 1024

/** @throws MalformedSignature unless it is a plain https URL, so that nothing else is ever looked up */
export function readKeyId(text: unknown): string {
  // An @ may stand in the path, as in /@name#main-key, but not before it.
  const isPlain =
    typeof text === 'string' && /^https:\/\/[^/?#@\\\s]+([/?#][^\\]*)?$/i.test(text) && /^[!-~]+$/.test(text)
  if (!isPlain || text.length > MAX_KEY_ID_LENGTH || !URL.canParse(text)) {
    throw new MalformedSignature('the key id is not an https address')
  }
  return text
}

/** Whole seconds since 1970. @throws MalformedSignature */
export function readSeconds(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,11}$/.test(text)) throw new MalformedSignature(`${name} is not a time`)
  return Number(text)
}

/** @throws MalformedSignature */
export function readCovered(names: readonly string[]): readonly string[] {
  if (names.length > MAX_COVERED) throw new MalformedSignature('too many components')
  if (new Set(names).size !== names.length) throw new MalformedSignature('a component is repeated')
  return names
}

/** @throws MalformedSignature for what no RSA key can have made */
export function checkSize(bytes: Buffer): Buffer {
  if (bytes.length === 0 || bytes.length > MAX_SIGNATURE_BYTES)
    throw new MalformedSignature('the signature has no size')
  return bytes
}

/** Decodes base64 in its one spelling, with padding or without. @throws MalformedSignature */
export function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/={1,2}$/, '')) {
    throw new MalformedSignature('not base64')
  }
  return bytes
}

/** The one value of a header, with repeated ones joined as HTTP says; null where it is absent. */
export function headerValue(headers: RequestHeaders, name: string): string | null {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return value === undefined ? null : [value].flat().join(', ').trim()
}

/** Whether the Host header names the host of the URL: case, the default port and a last dot don't matter. */
export function isForHost(headers: RequestHeaders, url: string): boolean {
  const named = headerValue(headers, 'host') ?? ''
  if (!URL.canParse(url) || !/^[^\s/?#@\\]+$/.test(named)) return false
  const { protocol, host } = new URL(url)
  const full = `${protocol}//${named}/`
  return URL.canParse(full) && withoutDot(new URL(full).host) === withoutDot(host)
}

const withoutDot = (host: string): string => host.replace(/\.(:\d+)?$/, '$1')
