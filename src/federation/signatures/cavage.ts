import { sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { OutboundRequest } from '../../platform/fetch/fetcher.ts'
import { createDigest, matchesDigest } from './digest.ts'
import type { SigningKey } from './keys.ts'
import {
  checkSignatureSize,
  decodeBase64,
  headerValue,
  isHostHeaderOf,
  MalformedSignatureError,
  checkCovered,
  readKeyId,
  readSeconds,
} from './signature.ts'
import type { CavageSignature, ReceivedRequest, RequestHead, SignatureError } from './signature.ts'

const MAX_HEADER_LENGTH = 8192
/** The tolerated clock skew, and the greatest tolerated delay of a delivery. */
const SKEW_SECONDS = 12 * 3600
const EXPIRY_GRACE_SECONDS = 3600
/** What is signed of a request that has it. */
const SIGNED = ['(request-target)', 'host', 'date', 'digest', 'content-type', 'collection-synchronization']
const ALGORITHMS = new Set(['rsa-sha256', 'hs2019'])

const signInThreadPool = promisify<string, Buffer, KeyObject, Buffer>(sign)

/**
 * Signs an outbound request by draft-cavage-http-signatures-12, in the thread pool rather than on the main thread.
 * Returns the headers to add.
 */
export async function signCavage(
  request: OutboundRequest,
  { key, now }: { key: SigningKey; now: Date },
): Promise<Record<string, string>> {
  const { method, url, headers, body } = request
  const added: Record<string, string> = {
    date: now.toUTCString(),
    ...(body !== null && { digest: createDigest(body) }),
  }
  const all: Readonly<Record<string, string>> = { ...headers, ...added }
  const covered = SIGNED.filter((name) => name.startsWith('(') || all[name] !== undefined)
  const target = requestTargetsOf(method, url)[0]!
  const text = covered.map((name) => `${name}: ${name.startsWith('(') ? target : all[name]}`).join('\n')
  const signature = await signInThreadPool('sha256', Buffer.from(text, 'latin1'), key.privateKey)
  added['signature'] =
    `keyId="${key.keyId}",algorithm="rsa-sha256",headers="${covered.join(' ')}",signature="${signature.toString('base64')}"`
  return added
}

/** Parses the value of a `Signature` header. @throws MalformedSignatureError */
export function parseCavage(header: string): CavageSignature {
  const params = parseParams(header)
  const covered = (params.get('headers') ?? 'date').toLowerCase().split(' ').filter(Boolean)
  return {
    spec: 'cavage',
    keyId: readKeyId(params.get('keyid')),
    algorithm: params.get('algorithm')?.toLowerCase() ?? null,
    covered: checkCovered(covered),
    bytes: checkSignatureSize(decodeBase64(params.get('signature') ?? '')),
    created: readSeconds('created', params.get('created')),
    expires: readSeconds('expires', params.get('expires')),
  }
}

/** Parses `name="value",name=value`. Returns names in lower case; a repeated name is an error. */
function parseParams(header: string): Map<string, string> {
  if (header.length > MAX_HEADER_LENGTH) throw new MalformedSignatureError('the header is too long')
  const params = new Map<string, string>()
  const pattern = /[ \t]*([A-Za-z]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))[ \t]*(,|$)/y
  while (pattern.lastIndex < header.length) {
    const [, name, quoted, bare, end] = pattern.exec(header) ?? []
    if (name === undefined) throw new MalformedSignatureError('the header is not a list of parameters')
    if (end === ',' && pattern.lastIndex === header.length) throw new MalformedSignatureError('trailing comma')
    if (params.has(name.toLowerCase())) throw new MalformedSignatureError(`${name} is repeated`)
    params.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare!)
  }
  return params
}

/** Checks all that needs neither the body nor the key. Returns null if nothing is wrong. */
export function checkCavage(signature: CavageSignature, request: RequestHead): SignatureError | null {
  const { algorithm } = signature
  if (algorithm !== null && !ALGORITHMS.has(algorithm)) return { reason: 'algorithm', detail: algorithm }
  return (
    checkCoverage(signature, request) ??
    (isHostHeaderOf(request.headers, request.url) ? null : { reason: 'host', detail: 'signed for another host' }) ??
    checkTime(signature, request)
  )
}

/** Returns whether the body matches the signed `Digest` header, if that is covered. */
export function hasSignedDigest({ covered }: CavageSignature, { headers, body }: ReceivedRequest): boolean {
  return !covered.includes('digest') || matchesDigest(headerValue(headers, 'digest')!, body)
}

function checkCoverage(
  { algorithm, covered, created, expires }: CavageSignature,
  { method, headers }: RequestHead,
): SignatureError | null {
  const needed = ['(request-target)', 'host', ...(hasBody(method) ? ['digest'] : [])]
  const uncovered = needed.find((name) => !covered.includes(name))
  if (uncovered) return { reason: 'coverage', detail: `${uncovered} is not signed` }
  if (!covered.includes('date') && !covered.includes('(created)')) {
    return { reason: 'coverage', detail: 'neither date nor (created) is signed' }
  }
  for (const name of covered) {
    // Only hs2019 allows these two: implementations of other algorithms once signed without them.
    if (name === '(created)' && (created === null || algorithm === 'rsa-sha256')) return missingHeader(name)
    if (name === '(expires)' && (expires === null || algorithm === 'rsa-sha256')) return missingHeader(name)
    if (!name.startsWith('(') && headerValue(headers, name) === null) return missingHeader(name)
    if (name.startsWith('(') && !['(request-target)', '(created)', '(expires)'].includes(name))
      return missingHeader(name)
  }
  return null
}

const missingHeader = (name: string): SignatureError => ({
  reason: 'coverage',
  detail: `${name} is covered but missing`,
})

function checkTime(signature: CavageSignature, request: RequestHead): SignatureError | null {
  const { expires } = signature
  const seconds = request.now.getTime() / 1000
  const times = signedTimes(signature, request)
  if (times.some((time) => time === null || Math.abs(seconds - time) > SKEW_SECONDS)) {
    return { reason: 'time', detail: 'not made within the last 12 hours' }
  }
  if (expires !== null && seconds > expires + EXPIRY_GRACE_SECONDS) return { reason: 'time', detail: 'expired' }
  return null
}

/** Returns the times that a signature covers, in seconds since 1970; null for a date that cannot be parsed. */
function signedTimes(
  { covered, created }: CavageSignature,
  { headers }: Pick<ReceivedRequest, 'headers'>,
): (number | null)[] {
  return [
    ...(covered.includes('date') ? [readDate(headerValue(headers, 'date')!)] : []),
    ...(covered.includes('(created)') ? [created] : []),
  ]
}

/**
 * Returns when a request was signed, in seconds since 1970, after `checkCavage` found no error. Of two covered times it
 * returns the earlier one; a `created` that the signature does not cover is ignored.
 */
export function readCavageTime(signature: CavageSignature, request: Pick<ReceivedRequest, 'headers'>): number {
  return Math.min(...signedTimes(signature, request).filter((time) => time !== null))
}

/** Parses an HTTP date into seconds since 1970; null for anything else. */
function readDate(text: string): number | null {
  if (!/^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time / 1000
}

/** Returns whether this key made the signature. Some servers sign the path without its query. */
export function isCavageSignedBy(
  signature: CavageSignature,
  { request, publicKey }: { request: RequestHead; publicKey: KeyObject },
): boolean {
  return requestTargetsOf(request.method, request.url).some((target) => {
    const lines = signature.covered.map((name) => `${name}: ${coveredValue(name, { signature, request, target })}`)
    return verify('sha256', Buffer.from(lines.join('\n'), 'latin1'), publicKey, signature.bytes)
  })
}

function coveredValue(
  name: string,
  { signature, request, target }: { signature: CavageSignature; request: RequestHead; target: string },
): string {
  if (name === '(request-target)') return target
  if (name === '(created)') return String(signature.created)
  if (name === '(expires)') return String(signature.expires)
  return headerValue(request.headers, name) ?? ''
}

/** Returns `(request-target)` values such as `post /inbox?page=1`: with the query, then without it. */
function requestTargetsOf(method: string, url: string): string[] {
  const path = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? ''
  const withSlash = path.startsWith('/') ? path : `/${path}`
  const targets = [withSlash, withSlash.replace(/\?.*$/, '')]
  return [...new Set(targets)].map((target) => `${method.toLowerCase()} ${target}`)
}

const hasBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD'
