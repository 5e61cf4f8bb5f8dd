import { createHash, sign } from 'node:crypto'
import { makeKeyPair, readPublicKey } from '../src/federation/signatures/keys.ts'
import { createSigner } from '../src/federation/signatures/sign.ts'
import { MalformedSignature } from '../src/federation/signatures/signature.ts'
import type { ReceivedRequest, SignatureSpec } from '../src/federation/signatures/signature.ts'
import { verifySignature } from '../src/federation/signatures/verify.ts'

/** Requests with signatures: as we make them, and made by hand to be wrong in one point. */

export interface Draft {
  method: string
  url: string
  headers: Record<string, string>
  body: Buffer | null
}

export type Arrived = ReceivedRequest & { headers: Record<string, string> }

export const { publicKeyPem, privateKey } = await makeKeyPair()
const publicKey = readPublicKey(publicKeyPem)!
export const keyId = 'https://remote.test/users/bob#main-key'
export const body = Buffer.from('{"id":"https://remote.test/1","type":"Like"}')

export function post(url = 'https://linnet.test/inbox'): Draft {
  return {
    method: 'POST',
    url,
    headers: { host: new URL(url).host, 'content-type': 'application/activity+json' },
    body,
  }
}

export function get(url: string): Draft {
  return { method: 'GET', url, headers: { host: new URL(url).host, accept: 'application/activity+json' }, body: null }
}

export function arrive(draft: Draft, now = new Date()): Arrived {
  return { ...draft, body: draft.body ?? Buffer.alloc(0), now }
}

/** What arrives when we sign this and send it. */
export async function signAndArrive(
  draft: Draft,
  { spec, now = new Date() }: { spec: SignatureSpec; now?: Date },
): Promise<Arrived> {
  const added = await createSigner({ key: { keyId, privateKey }, spec, now: () => now })(draft)
  return arrive({ ...draft, headers: { ...draft.headers, ...added } }, now)
}

/** Why a request is refused, in one word; `accepted` when it is not. */
export function judge(request: ReceivedRequest): string {
  try {
    return verifySignature(request, publicKey)?.reason ?? 'accepted'
  } catch (err) {
    if (err instanceof MalformedSignature) return 'malformed'
    throw err
  }
}

/**
 * A draft-cavage signature that is right for what it covers, whatever that is. `params` are added to the header as
 * they are; `target` is what is signed as the request's.
 */
export function signCavageByHand({
  covered = ['(request-target)', 'host', 'date', 'digest'],
  params = {},
  headers = {},
  target = 'post /inbox',
}: {
  covered?: string[]
  params?: Record<string, string>
  headers?: Record<string, string>
  target?: string
}): Arrived {
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
  return arrive({ ...draft, headers: all })
}

/** An RFC 9421 signature that is right for what it covers; `params` are written as they are, null = left out. */
export function signMessageByHand({
  covered = ['"@method"', '"@target-uri"', '"content-digest"'],
  params = {},
  values = {},
}: {
  covered?: string[]
  params?: Record<string, string | number | null>
  /** What is signed of a component, where that isn't what would be right. */
  values?: Record<string, string>
}): Arrived {
  const draft = post()
  const all: Record<string, string> = {
    ...draft.headers,
    'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
  }
  const right: Record<string, string> = { '"@method"': 'POST', '"@target-uri"': draft.url, ...values }
  const written = { created: Math.floor(Date.now() / 1000), keyid: `"${keyId}"`, ...params }
  const parameters = [
    `(${covered.join(' ')})`,
    ...Object.entries(written).flatMap(([name, value]) => (value === null ? [] : `${name}=${value}`)),
  ].join(';')
  const base = [
    ...covered.map((name) => `${name}: ${right[name] ?? all[name.replaceAll('"', '')]}`),
    `"@signature-params": ${parameters}`,
  ].join('\n')
  all['signature-input'] = `sig1=${parameters}`
  all['signature'] = `sig1=:${sign('sha256', Buffer.from(base, 'latin1'), privateKey).toString('base64')}:`
  return arrive({ ...draft, headers: all })
}

/** The same request with something else in its signature's headers. */
export function rewrite(request: Arrived, from: string | RegExp, to: string): Arrived {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    name.startsWith('signature') ? value.replace(from, to) : value,
  ])
  return { ...request, headers: Object.fromEntries(headers) as Record<string, string> }
}
