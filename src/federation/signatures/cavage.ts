import { sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { OutboundRequest } from '../../platform/fetch.ts'
import { digestOf, matchesDigest } from './digest.ts'
import type { SigningKey } from './keys.ts'
import {
  checkSize,
  decodeBase64,
  headerValue,
  isForHost,
  MalformedSignature,
  readCovered,
  readKeyId,
  readSeconds,
} from './signature.ts'
import type { CavageSignature, ReceivedRequest, RequestHead, SignatureFault } from './signature.ts'

const MAX_HEADER_LENGTH = 8192
/** How far a clock may be off, and how late a delivery may come. */
const SKEW_SECONDS = 12 * 3600
const EXPIRY_GRACE_SECONDS = 3600
const ALGORITHMS = new Set(['rsa-sha256', 'hs2019'])

const signAside = promisify<string, Buffer, KeyObject, Buffer>(sign)

/** Signs a request that is about to be sent; the work is done off the main thread. Gives the headers to add. */
export async function signCavage(
  request: OutboundRequest,
  { key, now }: { key: SigningKey; now: Date },
): Promise<Record<string, string>> {
  const { method, url, headers, body } = request
  const added: Record<string, string> = {
    date: now.toUTCString(),
    ...(body !== null && { digest: digestOf(body) }),
  }
  const all: Readonly<Record<string, string>> = { ...headers, ...added }
  const covered = ['(request-target)', 'host', 'date', 'digest', 'content-type'].filter(
    (name) => name.startsWith('(') || all[name] !== undefined,
  )
  const target = targetsOf(method, url)[0]!
  const text = covered.map((name) => `${name}: ${name.startsWith('(') ? target : all[name]}`).join('\n')
  const signature = await signAside('sha256', Buffer.from(text, 'latin1'), key.privateKey)
  added['signature'] =
    `keyId="${key.keyId}",algorithm="rsa-sha256",headers="${covered.join(' ')}",signature="${signature.toString('base64')}"`
  return added
}

/** Reads the value of a `Signature` header. @throws MalformedSignature */
export function parseCavage(header: string): CavageSignature {
  const params = parseParams(header)
  const covered = (params.get('headers') ?? 'date').toLowerCase().split(' ').filter(Boolean)
  return {
    spec: 'cavage',
    keyId: readKeyId(params.get('keyid')),
    algorithm: params.get('algorithm')?.toLowerCase() ?? null,
    covered: readCovered(covered),
    bytes: checkSize(decodeBase64(params.get('signature') ?? '')),
    created: readSeconds('created', params.get('created')),
    expires: readSeconds('expires', params.get('expires')),
  }
}

/** `name="value",name=value`; names in lower case, none twice. */
function parseParams(header: string): Map<string, string> {
  if (header.length > MAX_HEADER_LENGTH) throw new MalformedSignature('the header is too long')
  const params = new Map<string, string>()
  const pattern = /[ \t]*([A-Za-z]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))[ \t]*(,|$)/y
  while (pattern.lastIndex < header.length) {
    const [, name, quoted, bare, end] = pattern.exec(header) ?? []
    if (name === undefined) throw new MalformedSignature('the header is not a list of parameters')
    if (end === ',' && pattern.lastIndex === header.length) throw new MalformedSignature('a comma leads to nothing')
    if (params.has(name.toLowerCase())) throw new MalformedSignature(`${name} is repeated`)
    params.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare!)
  }
  return params
}

/** What is wrong with a signature before the body is read and any key is looked at; null = nothing. */
export function checkCavage(signature: CavageSignature, request: RequestHead): SignatureFault | null {
  const { algorithm } = signature
  if (algorithm !== null && !ALGORITHMS.has(algorithm)) return { reason: 'algorithm', detail: algorithm }
  return (
    checkCoverage(signature, request) ??
    (isForHost(request.headers, request.url) ? null : { reason: 'host', detail: 'signed for another host' }) ??
    checkTime(signature, request)
  )
}

/** Whether the body is the one whose digest is signed. */
export function hasSignedDigest({ covered }: CavageSignature, { headers, body }: ReceivedRequest): boolean {
  return !covered.includes('digest') || matchesDigest(headerValue(headers, 'digest')!, body)
}

function checkCoverage(
  { algorithm, covered, created, expires }: CavageSignature,
  { method, headers }: RequestHead,
): SignatureFault | null {
  const needed = ['(request-target)', 'host', ...(hasBody(method) ? ['digest'] : [])]
  const bare = needed.find((name) => !covered.includes(name))
  if (bare) return { reason: 'coverage', detail: `${bare} is not signed` }
  if (!covered.includes('date') && !covered.includes('(created)')) {
    return { reason: 'coverage', detail: 'neither date nor (created) is signed' }
  }
  for (const name of covered) {
    // These two go with hs2019 only: other algorithms once signed without them.
    if (name === '(created)' && (created === null || algorithm === 'rsa-sha256')) return absent(name)
    if (name === '(expires)' && (expires === null || algorithm === 'rsa-sha256')) return absent(name)
    if (!name.startsWith('(') && headerValue(headers, name) === null) return absent(name)
    if (name.startsWith('(') && !['(request-target)', '(created)', '(expires)'].includes(name)) return absent(name)
  }
  return null
}

const absent = (name: string): SignatureFault => ({ reason: 'coverage', detail: `${name} is signed, but not there` })

function checkTime(signature: CavageSignature, request: RequestHead): SignatureFault | null {
  const { expires } = signature
  const seconds = request.now.getTime() / 1000
  const times = signedTimes(signature, request)
  if (times.some((time) => time === null || Math.abs(seconds - time) > SKEW_SECONDS)) {
    return { reason: 'time', detail: 'not made within the last 12 hours' }
  }
  if (expires !== null && seconds > expires + EXPIRY_GRACE_SECONDS) return { reason: 'time', detail: 'expired' }
  return null
}

/** The moments that a signature covers, in seconds since 1970; null for a date that cannot be read. */
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
 * Returns when a request was signed, in seconds since 1970, after `checkCavage` found no fault. Of two covered moments
 * it returns the earlier one; a `created` that the signature does not cover does not count.
 */
export function readCavageTime(signature: CavageSignature, request: Pick<ReceivedRequest, 'headers'>): number {
  return Math.min(...signedTimes(signature, request).filter((time) => time !== null))
}

/** An HTTP date, in seconds since 1970; null for anything else. */
function readDate(text: string): number | null {
  if (!/^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time / 1000
}

/** Whether this key made the signature. Some servers sign the path without its query. */
export function isCavageSignedBy(
  signature: CavageSignature,
  { request, publicKey }: { request: RequestHead; publicKey: KeyObject },
): boolean {
  return targetsOf(request.method, request.url).some((target) => {
    const lines = signature.covered.map((name) => `${name}: ${valueOf(name, { signature, request, target })}`)
    return verify('sha256', Buffer.from(lines.join('\n'), 'latin1'), publicKey, signature.bytes)
  })
}

function valueOf(
  name: string,
  { signature, request, target }: { signature: CavageSignature; request: RequestHead; target: string },
): string {
  if (name === '(request-target)') return target
  if (name === '(created)') return String(signature.created)
  if (name === '(expires)') return String(signature.expires)
  return headerValue(request.headers, name) ?? ''
}

/** `post /inbox?page=1`, then the same without its query. */
function targetsOf(method: string, url: string): string[] {
  const path = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? ''
  const withSlash = path.startsWith('/') ? path : `/${path}`
  const targets = [withSlash, withSlash.replace(/\?.*$/, '')]
  return [...new Set(targets)].map((target) => `${method.toLowerCase()} ${target}`)
}

const hasBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD'
