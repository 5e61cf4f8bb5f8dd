import { hash } from 'node:crypto'

/** What the `Collection-Synchronization` header of a delivery says about the followers of its sender (FEP-8fcf). */
export interface FollowerDigest {
  /** The followers collection of the sender. */
  collectionId: string
  /** Where the followers on the server of the recipient are listed. */
  url: string
  /** The combined hashes of their ids: 64 hexadecimal digits. */
  digest: string
}

/** The name of the header. */
export const FOLLOWER_DIGEST_HEADER = 'collection-synchronization'

const MAX_LENGTH = 8192
const PARAMETER = /(\w+)="([^"\\]*)"/g

export function writeFollowerDigest({ collectionId, url, digest }: FollowerDigest): string {
  return `collectionId="${collectionId}", url="${url}", digest="${digest}"`
}

/** Parses the value of the header; null if a parameter is missing or malformed. */
export function parseFollowerDigest(value: string): FollowerDigest | null {
  if (value.length > MAX_LENGTH) return null
  const parameters = new Map([...value.matchAll(PARAMETER)].map(([, name, text]) => [name!, text!]))
  const [collectionId, url] = [parameters.get('collectionId'), parameters.get('url')]
  const digest = parameters.get('digest')?.toLowerCase()
  if (!collectionId || !url || !digest || !/^[\da-f]{64}$/.test(digest)) return null
  return { collectionId, url, digest }
}

/** Combines the SHA-256 hashes of ids by exclusive or, so that their order does not matter. 64 zeros without ids. */
export function digestOfIds(ids: Iterable<string>): string {
  const combined = Buffer.alloc(32)
  for (const id of new Set(ids)) {
    for (const [index, byte] of hash('sha256', id, 'buffer').entries()) combined[index]! ^= byte
  }
  return combined.toString('hex')
}

/** SQL: does the same for the ids `column` of a group, in a form for `readDigest`. */
export const combinedHashes = (column: string): string =>
  `bit_xor(('x' || encode(sha256(convert_to(${column}, 'UTF8')), 'hex'))::bit(256))::text`

/** Converts the result of `combinedHashes`, null without ids, to hexadecimal digits. */
export function readDigest(bits: string | null): string {
  return BigInt(`0b${bits ?? '0'}`)
    .toString(16)
    .padStart(64, '0')
}
