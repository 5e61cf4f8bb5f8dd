import { readPublicKey } from '../../src/federation/signatures/keys.ts'
import { MalformedSignature } from '../../src/federation/signatures/signature.ts'
import type { Signature, SignatureSpec } from '../../src/federation/signatures/signature.ts'
import { checkDigest, checkSignature, isSignedBy, parseSignature } from '../../src/federation/signatures/verify.ts'
import { judgeByFedify } from '../fedify.ts'
import type { PeerRequest } from './behaviour.ts'

export type Verdict = { ok: true; keyId: string; spec: SignatureSpec } | { ok: false; reason: string }

/** Gets a document of a server under test. @throws Error when it does not come */
export type Load = (url: string) => Promise<unknown>

/** What the documents said that keys come from. A key that fits no more is asked for again, once. */
export type KnownDocuments = Map<string, unknown>

/** Judges a signed request twice, by ourselves and by Fedify: only what both accept is accepted. */
export async function judgeRequest(
  request: PeerRequest,
  { origin, load, known }: { origin: string; load: Load; known: KnownDocuments },
): Promise<Verdict> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
  let signature: Signature | null
  try {
    signature = parseSignature(headers)
  } catch (err) {
    if (!(err instanceof MalformedSignature)) throw err
    return { ok: false, reason: err.message }
  }
  if (signature === null) return { ok: false, reason: 'not signed' }
  const { keyId, spec } = signature
  const received = { ...request, url: origin + request.path, headers, now: new Date() }
  const fault = checkSignature(signature, received) ?? checkDigest(signature, received)
  if (fault) return { ok: false, reason: fault.detail }

  const address = keyId.replace(/#.*$/, '')
  const wasKnown = known.has(address)
  for (const isLast of wasKnown ? [false, true] : [true]) {
    try {
      if (!known.has(address)) known.set(address, await load(address))
    } catch (err) {
      return { ok: false, reason: `no key: ${(err as Error).message}` }
    }
    const publicKey = readPublicKey(findKey(known.get(address), keyId))
    if (publicKey && isSignedBy(signature, { request: received, publicKey })) break
    known.delete(address)
    if (isLast) return { ok: false, reason: publicKey ? 'not signed by this key' : `no key at ${keyId}` }
  }

  // Fedify reads a target without its query under draft-cavage, which is not how we sign.
  if (spec === 'cavage' && request.path.includes('?')) return { ok: true, keyId, spec }
  const body = request.method === 'GET' || request.method === 'HEAD' ? null : request.body
  const wrong = await judgeByFedify(
    { method: request.method, url: received.url, headers, body },
    { spec, load: async () => known.get(address) },
  )
  return wrong === null ? { ok: true, keyId, spec } : { ok: false, reason: `Fedify: ${wrong}` }
}

/** The text of a key that an actor's document, or the document of a key, lists. */
function findKey(document: unknown, keyId: string): unknown {
  const { id, publicKey, publicKeyPem } = (document ?? {}) as {
    id?: unknown
    publicKey?: unknown
    publicKeyPem?: unknown
  }
  if (id === keyId && publicKeyPem !== undefined) return publicKeyPem
  const keys = [publicKey].flat() as ({ id?: unknown; publicKeyPem?: unknown } | undefined)[]
  return keys.find((key) => key?.id === keyId)?.publicKeyPem
}
