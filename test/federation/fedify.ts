import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import { preloadedContexts } from '@fedify/fedify/runtime'
import type { DocumentLoader } from '@fedify/fedify/runtime'
import { signRequest, verifyRequestDetailed } from '@fedify/fedify/sig'
import { Object as FedifyObject } from '@fedify/fedify/vocab'

/** An independent ActivityPub implementation, which verifies Linnet's signatures and signs requests for Linnet. */

const SPECS = { cavage: 'draft-cavage-http-signatures-12', rfc9421: 'rfc9421' } as const

export interface SentRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: Buffer | null
}

/** Signs a request with Fedify. Returns all of its headers, with names in lower case. */
export async function signWithFedify(
  { method, url, headers, body }: SentRequest,
  { keyId, privateKey, spec }: { keyId: string; privateKey: KeyObject; spec: keyof typeof SPECS },
): Promise<Record<string, string>> {
  const request = new Request(url, { method, headers, body: body && new Uint8Array(body) })
  const key = privateKey.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, true, ['sign'])
  const signed = await signRequest(request, key, new URL(keyId), { spec: SPECS[spec] })
  return Object.fromEntries(signed.headers)
}

/**
 * Verifies a signature with Fedify; `load` returns the documents that it requests. Returns null if the signature is
 * valid, otherwise the reason. Under draft-cavage, Fedify verifies a GET without its query.
 */
export async function verifyWithFedify(
  { method, url, headers, body }: SentRequest,
  { load, spec }: { load: (url: string) => Promise<unknown>; spec: keyof typeof SPECS },
): Promise<string | null> {
  const request = new Request(url, { method, headers, body: body && new Uint8Array(body) })
  const documentLoader: DocumentLoader = async (documentUrl) => ({
    contextUrl: null,
    documentUrl,
    document: await load(documentUrl),
  })
  const options = { spec: SPECS[spec], documentLoader, contextLoader }
  const result = await verifyRequestDetailed(request, options)
  if (result.verified) return null
  return result.reason.type === 'keyFetchError' ? `no key: ${JSON.stringify(result.reason.result)}` : result.reason.type
}

/** Loads the contexts that implementations contain; a remote server would have to fetch any other one. */
const contextLoader: DocumentLoader = async (documentUrl) => {
  const document = preloadedContexts[documentUrl]
  if (document === undefined) throw new Error(`${documentUrl} is not a preloaded context`)
  return { contextUrl: null, documentUrl, document }
}

/** Returns an actor document with a key and the required properties only. */
export function actorWithKey({ keyId, publicKeyPem }: { keyId: string; publicKeyPem: string }): object {
  const id = keyId.replace(/#.*$/, '')
  return {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id,
    type: 'Person',
    preferredUsername: 'somebody',
    inbox: `${id}/inbox`,
    publicKey: { id: keyId, owner: id, publicKeyPem },
  }
}

/** A class of Fedify's vocabulary. */
export type FedifyClass<T> = abstract new (...args: never) => T

/**
 * Parses a document with Fedify, without fetching anything. Checks that it has this type and that its contexts define
 * all of its names.
 */
export async function parseWithFedify<T extends FedifyObject>(kind: FedifyClass<T>, document: unknown): Promise<T> {
  const object = await FedifyObject.fromJsonLd(document, { contextLoader, documentLoader: contextLoader })
  assert.deepEqual(undefinedNames(document as Record<string, unknown>), [])
  if (object instanceof kind) return object
  throw new Error(`${object.constructor.name} is no ${kind.name}`)
}

/** Returns the names in a document that none of its contexts defines. */
function undefinedNames(document: Record<string, unknown>): string[] {
  const known = new Set(['@context', 'id', 'type', 'contentMap'])
  for (const context of [document['@context']].flat()) {
    const terms = typeof context === 'string' ? preloadedContexts[context] : { '@context': context }
    const all = [(terms as { '@context': object | object[] })['@context']].flat()
    for (const name of all.flatMap((one) => Object.keys(one))) known.add(name)
  }
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (!known.has(name)) found.add(name)
      if (name !== '@context' && name !== 'contentMap') visit(inner)
      if (name === 'type' && !known.has(String(inner))) found.add(String(inner))
    }
  }
  visit(document)
  return [...found]
}
