import { createHash } from 'node:crypto'
import { MalformedSignatureError } from './signature.ts'
import { parseDictionary } from './structured-fields.ts'

const HASHES: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-512': 'sha512' }

/** Returns the value of a `Digest` header (RFC 3230). */
export function createDigest(body: Buffer): string {
  return `SHA-256=${hash('sha256', body).toString('base64')}`
}

/** Returns the value of a `Content-Digest` header (RFC 9530). */
export function createContentDigest(body: Buffer): string {
  return `sha-256=:${hash('sha256', body).toString('base64')}:`
}

/** Returns whether a `Digest` header matches these bytes: every digest of a supported algorithm, and at least one. */
export function matchesDigest(header: string, body: Buffer): boolean {
  const digests: [string, Buffer][] = []
  for (const part of header.split(',')) {
    const [, name = '', value = ''] = /^\s*([A-Za-z0-9-]+)=([A-Za-z0-9+/]+={0,2})\s*$/.exec(part) ?? []
    digests.push([name.toLowerCase(), Buffer.from(value, 'base64')])
  }
  return allMatch(digests, body)
}

/** Does the same as `matchesDigest` for a `Content-Digest` header. */
export function matchesContentDigest(header: string, body: Buffer): boolean {
  try {
    const members = [...parseDictionary(header)]
    return allMatch(
      members.map(([name, { value }]) => [name, Buffer.isBuffer(value) ? value : Buffer.alloc(0)]),
      body,
    )
  } catch (err) {
    if (err instanceof MalformedSignatureError) return false
    throw err
  }
}

function allMatch(digests: readonly (readonly [string, Buffer])[], body: Buffer): boolean {
  const known = digests.filter(([name]) => Object.hasOwn(HASHES, name))
  if (new Set(known.map(([name]) => name)).size !== known.length) return false
  return known.length > 0 && known.every(([name, digest]) => digest.equals(hash(HASHES[name]!, body)))
}

function hash(algorithm: string, body: Buffer): Buffer {
  return createHash(algorithm).update(body).digest()
}
