import { createHash, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { parsePublicKey } from '../../src/federation/signatures/keys.ts'
import { createSigner } from '../../src/federation/signatures/create-signer.ts'
import { MalformedSignatureError } from '../../src/federation/signatures/signature.ts'
import type { ReceivedRequest, SignatureSpec } from '../../src/federation/signatures/signature.ts'
import { checkDigest, checkSignature, isSignedBy, parseSignature } from '../../src/federation/signatures/verify.ts'
import { takeKeyPair } from '../services/rsa-keys.ts'

/** Signed requests: as the server creates them, and written manually with one error. */

export interface UnsignedRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: Buffer | null
}

export type IncomingRequest = ReceivedRequest & { headers: Record<string, string> }

export const { publicKeyPem, privateKey } = takeKeyPair()
const publicKey = parsePublicKey(publicKeyPem)!
export const keyId = 'https://remote.test/users/bob#main-key'
export const body = Buffer.from('{"id":"https://remote.test/1","type":"Like"}')

export function post(url = 'https://linnet.test/inbox'): UnsignedRequest {
  return {
    method: 'POST',
    url,
    headers: { host: new URL(url).host, 'content-type': 'application/activity+json' },
    body,
  }
}

export function get(url: string): UnsignedRequest {
  return { method: 'GET', url, headers: { host: new URL(url).host, accept: 'application/activity+json' }, body: null }
}

export function toIncoming(draft: UnsignedRequest, now = new Date()): IncomingRequest {
  return { ...draft, body: draft.body ?? Buffer.alloc(0), now }
}

/** Signs a request, and returns it as received. */
export async function signAndReceive(
  draft: UnsignedRequest,
  { spec, now = new Date() }: { spec: SignatureSpec; now?: Date },
): Promise<IncomingRequest> {
  const added = await createSigner({ key: { keyId, privateKey }, spec, now: () => now })(draft)
  return toIncoming({ ...draft, headers: { ...draft.headers, ...added } }, now)
}

/** Does all checks of a signature. Returns the reason for which a request is rejected, in one word, or `accepted`. */
export function rejectionReasonOf(request: ReceivedRequest, key: KeyObject = publicKey): string {
  try {
    const signature = parseSignature(request.headers)
    if (signature === null) return 'unsigned'
    const error = checkSignature(signature, request) ?? checkDigest(signature, request)
    if (error) return error.reason
    return isSignedBy(signature, { request, publicKey: key }) ? 'accepted' : 'key'
  } catch (err) {
    if (err instanceof MalformedSignatureError) return 'malformed'
    throw err
  }
}

/**
 * Creates a draft-cavage signature that is valid for the components that it covers. `params` are added to the header
 * unchanged; `target` is the signed value of `(request-target)`.
 */
export function signCavageManually({
  covered = ['(request-target)', 'host', 'date', 'digest'],
  params = {},
  headers = {},
  target = 'post /inbox',
}: {
  covered?: string[]
  params?: Record<string, string>
  headers?: Record<string, string>
  target?: string
}): IncomingRequest {
  const draft = post()
  const all: Record<string, string> = {
    ...draft.headers,
    date: new Date().toUTCString(),
    digest: `SHA-256=${createHash('sha256').update(body).digest('base64')}`,
    ...headers,
  }
  const value = (name: string) =>
    name === '(request-target)' ? target : (params[name.replace(/[()]/g, '')] ?? all[name])
  const text = covered.map((name) => `${name}: ${value(name)}`).join('\n')
  const signature = sign('sha256', Buffer.from(text, 'latin1'), privateKey).toString('base64')
  const written = { keyId: `"${keyId}"`, headers: `"${covered.join(' ')}"`, ...params, signature: `"${signature}"` }
  all['signature'] = Object.entries(written)
    .map(([name, text]) => `${name}=${text}`)
    .join(',')
  return toIncoming({ ...draft, headers: all })
}

/**
 * Creates an RFC 9421 signature that is valid for the components that it covers; `params` are added, null removes one.
 */
export function signMessageManually({
  covered = ['"@method"', '"@target-uri"', '"content-digest"'],
  params = {},
  values = {},
}: {
  covered?: string[]
  params?: Record<string, string | number | null>
  /** Signed values of components that differ from the correct ones. */
  values?: Record<string, string>
}): IncomingRequest {
  const draft = post()
  const all: Record<string, string> = {
    ...draft.headers,
    'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
  }
  const derived: Record<string, string> = { '"@method"': 'POST', '"@target-uri"': draft.url, ...values }
  const written = { created: Math.floor(Date.now() / 1000), keyid: `"${keyId}"`, ...params }
  const parameters = [
    `(${covered.join(' ')})`,
    ...Object.entries(written).flatMap(([name, value]) => (value === null ? [] : `${name}=${value}`)),
  ].join(';')
  const base = [
    ...covered.map((name) => `${name}: ${derived[name] ?? all[name.replaceAll('"', '')]}`),
    `"@signature-params": ${parameters}`,
  ].join('\n')
  all['signature-input'] = `sig1=${parameters}`
  all['signature'] = `sig1=:${sign('sha256', Buffer.from(base, 'latin1'), privateKey).toString('base64')}:`
  return toIncoming({ ...draft, headers: all })
}

/** Returns the request with a replacement in its signature headers. */
export function rewriteHeaders(request: IncomingRequest, from: string | RegExp, to: string): IncomingRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    name.startsWith('signature') ? value.replace(from, to) : value,
  ])
  return { ...request, headers: Object.fromEntries(headers) as Record<string, string> }
}
