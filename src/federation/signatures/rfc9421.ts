import { sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { OutboundRequest } from '../../platform/fetch.ts'
import { contentDigestOf, matchesContentDigest } from './digest.ts'
import type { SigningKey } from './keys.ts'
import { checkSize, headerValue, isForHost, MalformedSignature, readCovered, readKeyId } from './signature.ts'
import type { MessageSignature, ReceivedRequest, RequestHead, SignatureFault } from './signature.ts'
import { parseDictionary } from './structured-fields.ts'
import type { BareItem, Item, Member } from './structured-fields.ts'

const ALGORITHM = 'rsa-v1_5-sha256'
const WINDOW_SECONDS = 3600
const MAX_SECONDS = 99_999_999_999

const signAside = promisify<string, Buffer, KeyObject, Buffer>(sign)

/** As `signCavage`, by RFC 9421. */
export async function signMessage(
  request: OutboundRequest,
  { key, now }: { key: SigningKey; now: Date },
): Promise<Record<string, string>> {
  const { method, url, headers, body } = request
  const added: Record<string, string> = body === null ? {} : { 'content-digest': contentDigestOf(body) }
  const all = { ...headers, ...added }
  const covered = ['@method', '@target-uri', 'content-type', 'content-digest'].filter(
    (name) => name.startsWith('@') || all[name] !== undefined,
  )
  const created = Math.floor(now.getTime() / 1000)
  const list = covered.map((name) => `"${name}"`).join(' ')
  const parameters = `(${list});created=${created};keyid="${key.keyId}";alg="${ALGORITHM}"`
  const base = baseOf(covered, { method, url, headers: all, parameters })
  const signature = await signAside('sha256', Buffer.from(base, 'latin1'), key.privateKey)
  return { ...added, 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signature.toString('base64')}:` }
}

/**
 * Reads the headers `Signature-Input` and `Signature`. Of several signatures the first whose algorithm is ours counts.
 * @throws MalformedSignature
 */
export function parseMessageSignature(input: string, signature: string): MessageSignature {
  const inputs = [...parseDictionary(input)]
  const signatures = parseDictionary(signature)
  const chosen =
    inputs.find(([, { params }]) => [undefined, ALGORITHM].includes(params.get('alg') as string)) ?? inputs[0]
  if (!chosen) throw new MalformedSignature('nothing is said of what is signed')
  const [label, { value, params, raw }]: [string, Member] = chosen
  const bytes = signatures.get(label)?.value
  if (!Array.isArray(value)) throw new MalformedSignature('no list of components')
  if (!Buffer.isBuffer(bytes)) throw new MalformedSignature(`${label} has no signature`)
  return {
    spec: 'rfc9421',
    keyId: readKeyId(params.get('keyid')),
    algorithm: readText('alg', params.get('alg')),
    covered: readCovered((value as readonly Item[]).map(readComponent)),
    bytes: checkSize(bytes),
    created: readTime('created', params.get('created')),
    expires: readTime('expires', params.get('expires')),
    parameters: raw,
  }
}

function readComponent({ value, params }: Item): string {
  if (typeof value !== 'string' || !/^@?[!#$%&'*+.^_`|~0-9a-z-]+$/.test(value)) {
    throw new MalformedSignature('a component is not a name in lower case')
  }
  if (params.size > 0) throw new MalformedSignature(`${value} has parameters, which are not supported`)
  return value
}

function readText(name: string, value: BareItem | undefined): string | null {
  if (value === undefined) return null
  if (typeof value !== 'string') throw new MalformedSignature(`${name} is not a text`)
  return value
}

function readTime(name: string, value: BareItem | undefined): number | null {
  if (value === undefined) return null
  if (typeof value !== 'number' || value < 0 || value > MAX_SECONDS)
    throw new MalformedSignature(`${name} is not a time`)
  return value
}

/** What is wrong with a signature before the body is read and any key is looked at; null = nothing. */
export function checkMessageSignature(signature: MessageSignature, request: RequestHead): SignatureFault | null {
  const { algorithm, covered } = signature
  if (algorithm !== null && algorithm !== ALGORITHM) return { reason: 'algorithm', detail: algorithm }
  return (
    checkCoverage(covered, request) ??
    (isForHost(request.headers, request.url) ? null : { reason: 'host', detail: 'signed for another host' }) ??
    checkTime(signature, request.now.getTime() / 1000)
  )
}

/** Whether the body is the one whose digest is signed. */
export function hasSignedContentDigest({ covered }: MessageSignature, { headers, body }: ReceivedRequest): boolean {
  return !covered.includes('content-digest') || matchesContentDigest(headerValue(headers, 'content-digest')!, body)
}

function checkCoverage(covered: readonly string[], { method, headers }: RequestHead): SignatureFault | null {
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const needed = ['@method', '@target-uri', ...(hasBody ? ['content-digest'] : [])]
  const bare = needed.find((name) => !covered.includes(name))
  if (bare) return { reason: 'coverage', detail: `${bare} is not signed` }
  const absent = covered.find((name) =>
    name.startsWith('@') ? !Object.hasOwn(DERIVED, name) : headerValue(headers, name) === null,
  )
  return absent ? { reason: 'coverage', detail: `${absent} is signed, but not there` } : null
}

function checkTime({ created, expires }: MessageSignature, now: number): SignatureFault | null {
  if (created === null) return { reason: 'coverage', detail: 'created is missing' }
  if (created > now + WINDOW_SECONDS) return { reason: 'time', detail: 'made in the future' }
  // A longer life than ours is not granted: a captured request could be sent again for as long.
  const end = expires === null ? created : Math.min(expires, created)
  return now > end + WINDOW_SECONDS ? { reason: 'time', detail: 'expired' } : null
}

/** Whether this key made the signature. */
export function isMessageSignedBy(
  { covered, parameters, bytes }: MessageSignature,
  { request, publicKey }: { request: RequestHead; publicKey: KeyObject },
): boolean {
  const base = baseOf(covered, { ...request, parameters })
  return verify('sha256', Buffer.from(base, 'latin1'), publicKey, bytes)
}

type Message = Pick<RequestHead, 'method' | 'url' | 'headers'>

/** What can be derived of a request (RFC 9421, 2.2), as far as it is used. */
const DERIVED: Readonly<Record<string, (message: Message) => string>> = {
  '@method': ({ method }) => method.toUpperCase(),
  '@target-uri': ({ url }) => url,
  '@authority': ({ url }) => new URL(url).host,
  '@scheme': ({ url }) => new URL(url).protocol.slice(0, -1),
  '@request-target': ({ url }) => new URL(url).pathname + new URL(url).search,
  '@path': ({ url }) => new URL(url).pathname,
  '@query': ({ url }) => new URL(url).search || '?',
}

function baseOf(covered: readonly string[], message: Message & { parameters: string }): string {
  const lines = covered.map((name) => {
    const derive = DERIVED[name]
    return `"${name}": ${derive ? derive(message) : (headerValue(message.headers, name) ?? '')}`
  })
  return [...lines, `"@signature-params": ${message.parameters}`].join('\n')
}
