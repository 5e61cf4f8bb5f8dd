import { parsePublicKey } from '../../../src/federation/signatures/keys.ts'
import { MalformedSignatureError } from '../../../src/federation/signatures/signature.ts'
import type { Signature, SignatureSpec } from '../../../src/federation/signatures/signature.ts'
import { checkDigest, checkSignature, isSignedBy, parseSignature } from '../../../src/federation/signatures/verify.ts'
import { verifyWithFedify } from '../fedify.ts'
import type { PeerRequest } from './behaviour.ts'

export type VerificationResult = { ok: true; keyId: string; spec: SignatureSpec } | { ok: false; reason: string }

/** Fetches a document from a server under test. @throws Error if that fails */
export type LoadDocument = (url: string) => Promise<unknown>

/** The fetched documents that contain keys. If a key does not match, its document is fetched again once. */
export type KnownDocuments = Map<string, unknown>

/** Verifies a signed request with Linnet's code and with Fedify; both must accept it. */
export async function verifyRequest(
  request: PeerRequest,
  { origin, load, known }: { origin: string; load: LoadDocument; known: KnownDocuments },
): Promise<VerificationResult> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
  let signature: Signature | null
  try {
    signature = parseSignature(headers)
  } catch (err) {
    if (!(err instanceof MalformedSignatureError)) throw err
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
    const publicKey = parsePublicKey(findKey(known.get(address), keyId))
    if (publicKey && isSignedBy(signature, { request: received, publicKey })) break
    known.delete(address)
    if (isLast) return { ok: false, reason: publicKey ? 'not signed by this key' : `no key at ${keyId}` }
  }

  // Under draft-cavage, Fedify omits the query from the request target; Linnet signs it.
  if (spec === 'cavage' && request.path.includes('?')) return { ok: true, keyId, spec }
  const body = request.method === 'GET' || request.method === 'HEAD' ? null : request.body
  const wrong = await verifyWithFedify(
    { method: request.method, url: received.url, headers, body },
    { spec, load: async () => known.get(address) },
  )
  return wrong === null ? { ok: true, keyId, spec } : { ok: false, reason: `Fedify: ${wrong}` }
}

/** Returns the PEM of a key from an actor document or a key document. */
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
