import { sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { OutboundRequest } from '../../platform/fetch/fetcher.ts'
import { createContentDigest, matchesContentDigest } from './digest.ts'
import type { SigningKey } from './keys.ts'
import {
  checkSignatureSize,
  headerValue,
  isHostHeaderOf,
  MalformedSignatureError,
  checkCovered,
  readKeyId,
} from './signature.ts'
import type { MessageSignature, ReceivedRequest, RequestHead, SignatureError } from './signature.ts'
import { parseDictionary } from './structured-fields.ts'
import type { BareItem, Item, DictionaryMember } from './structured-fields.ts'

const ALGORITHM = 'rsa-v1_5-sha256'
/** What is signed of a request that has it. */
const SIGNED = ['@method', '@target-uri', 'content-type', 'content-digest', 'collection-synchronization']
const VALIDITY_SECONDS = 3600
const MAX_SECONDS = 99_999_999_999

const signInThreadPool = promisify<string, Buffer, KeyObject, Buffer>(sign)

/** Signs an outbound request by RFC 9421, in the thread pool. Returns the headers to add. */
export async function signMessage(
  request: OutboundRequest,
  { key, now }: { key: SigningKey; now: Date },
): Promise<Record<string, string>> {
  const { method, url, headers, body } = request
  const added: Record<string, string> = body === null ? {} : { 'content-digest': createContentDigest(body) }
  const all = { ...headers, ...added }
  const covered = SIGNED.filter((name) => name.startsWith('@') || all[name] !== undefined)
  const created = Math.floor(now.getTime() / 1000)
  const list = covered.map((name) => `"${name}"`).join(' ')
  const parameters = `(${list});created=${created};keyid="${key.keyId}";alg="${ALGORITHM}"`
  const base = signatureBase(covered, { method, url, headers: all, parameters })
  const signature = await signInThreadPool('sha256', Buffer.from(base, 'latin1'), key.privateKey)
  return { ...added, 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signature.toString('base64')}:` }
}

/**
 * Parses the headers `Signature-Input` and `Signature` (RFC 9421 §4). Of several signatures, the first one with a
 * supported algorithm counts.
 * @throws MalformedSignatureError
 */
export function parseMessageSignature(input: string, signature: string): MessageSignature {
  const inputs = [...parseDictionary(input)]
  const signatures = parseDictionary(signature)
  const chosen =
    inputs.find(([, { params }]) => [undefined, ALGORITHM].includes(params.get('alg') as string)) ?? inputs[0]
  if (!chosen) throw new MalformedSignatureError('Signature-Input is empty')
  const [label, { value, params, raw }]: [string, DictionaryMember] = chosen
  const bytes = signatures.get(label)?.value
  if (!Array.isArray(value)) throw new MalformedSignatureError('no list of components')
  if (!Buffer.isBuffer(bytes)) throw new MalformedSignatureError(`${label} has no signature`)
  return {
    spec: 'rfc9421',
    keyId: readKeyId(params.get('keyid')),
    algorithm: readText('alg', params.get('alg')),
    covered: checkCovered((value as readonly Item[]).map(readComponent)),
    bytes: checkSignatureSize(bytes),
    created: readTime('created', params.get('created')),
    expires: readTime('expires', params.get('expires')),
    parameters: raw,
  }
}

function readComponent({ value, params }: Item): string {
  if (typeof value !== 'string' || !/^@?[!#$%&'*+.^_`|~0-9a-z-]+$/.test(value)) {
    throw new MalformedSignatureError('a component is not a name in lower case')
  }
  if (params.size > 0) throw new MalformedSignatureError(`${value} has parameters, which are not supported`)
  return value
}

function readText(name: string, value: BareItem | undefined): string | null {
  if (value === undefined) return null
  if (typeof value !== 'string') throw new MalformedSignatureError(`${name} is not a text`)
  return value
}

function readTime(name: string, value: BareItem | undefined): number | null {
  if (value === undefined) return null
  if (typeof value !== 'number' || value < 0 || value > MAX_SECONDS)
    throw new MalformedSignatureError(`${name} is not a time`)
  return value
}

/** Checks all that needs neither the body nor the key. Returns null if nothing is wrong. */
export function checkMessageSignature(signature: MessageSignature, request: RequestHead): SignatureError | null {
  const { algorithm, covered } = signature
  if (algorithm !== null && algorithm !== ALGORITHM) return { reason: 'algorithm', detail: algorithm }
  return (
    checkCoverage(covered, request) ??
    (isHostHeaderOf(request.headers, request.url) ? null : { reason: 'host', detail: 'signed for another host' }) ??
    checkTime(signature, request.now.getTime() / 1000)
  )
}

/** Returns whether the body matches the signed `Content-Digest` header, if that is covered. */
export function hasSignedContentDigest({ covered }: MessageSignature, { headers, body }: ReceivedRequest): boolean {
  return !covered.includes('content-digest') || matchesContentDigest(headerValue(headers, 'content-digest')!, body)
}

function checkCoverage(covered: readonly string[], { method, headers }: RequestHead): SignatureError | null {
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const needed = ['@method', '@target-uri', ...(hasBody ? ['content-digest'] : [])]
  const uncovered = needed.find((name) => !covered.includes(name))
  if (uncovered) return { reason: 'coverage', detail: `${uncovered} is not signed` }
  const absent = covered.find((name) =>
    name.startsWith('@') ? !Object.hasOwn(DERIVED_COMPONENTS, name) : headerValue(headers, name) === null,
  )
  return absent ? { reason: 'coverage', detail: `${absent} is covered but missing` } : null
}

function checkTime({ created, expires }: MessageSignature, now: number): SignatureError | null {
  if (created === null) return { reason: 'coverage', detail: 'created is missing' }
  if (created > now + VALIDITY_SECONDS) return { reason: 'time', detail: 'made in the future' }
  // A longer validity than this server's own is not granted: a captured request could be replayed for as long.
  const end = expires === null ? created : Math.min(expires, created)
  return now > end + VALIDITY_SECONDS ? { reason: 'time', detail: 'expired' } : null
}

/** Returns whether this key made the signature (RFC 9421 §3.2). */
export function isMessageSignedBy(
  { covered, parameters, bytes }: MessageSignature,
  { request, publicKey }: { request: RequestHead; publicKey: KeyObject },
): boolean {
  const base = signatureBase(covered, { ...request, parameters })
  return verify('sha256', Buffer.from(base, 'latin1'), publicKey, bytes)
}

type Message = Pick<RequestHead, 'method' | 'url' | 'headers'>

/** The supported derived components of a request (RFC 9421 §2.2). */
const DERIVED_COMPONENTS: Readonly<Record<string, (message: Message) => string>> = {
  '@method': ({ method }) => method.toUpperCase(),
  '@target-uri': ({ url }) => url,
  '@authority': ({ url }) => new URL(url).host,
  '@scheme': ({ url }) => new URL(url).protocol.slice(0, -1),
  '@request-target': ({ url }) => new URL(url).pathname + new URL(url).search,
  '@path': ({ url }) => new URL(url).pathname,
  '@query': ({ url }) => new URL(url).search || '?',
}

function signatureBase(covered: readonly string[], message: Message & { parameters: string }): string {
  const lines = covered.map((name) => {
    const derive = DERIVED_COMPONENTS[name]
    return `"${name}": ${derive ? derive(message) : (headerValue(message.headers, name) ?? '')}`
  })
  return [...lines, `"@signature-params": ${message.parameters}`].join('\n')
}
