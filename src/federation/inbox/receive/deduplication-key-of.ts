import { createHash } from 'node:crypto'
import type { ActivityHead } from '../../objects/read/read-activity.ts'
import type { Signature } from '../../signatures/signature.ts'

/**
 * Types of activities whose ids servers reuse: GoToSocial and Friendica give all Updates of a post the same id,
 * Mobilizon gives them that of its Create, as BookWyrm does for its Delete, and Hubzilla gives all Accepts of a contact
 * the same id.
 */
const TYPES_WITH_REUSED_IDS: ReadonlySet<string> = new Set(['Accept', 'Delete', 'Reject', 'Update'])

/** Types of which Mastodon sends the same content without an id each time that a post is pinned or unpinned. */
const REPEATABLE_TYPES: ReadonlySet<string> = new Set(['Add', 'Remove'])

/**
 * Returns the key by which repeated deliveries of an activity are detected: its id or, if it has none or its id does
 * not identify it, a hash of the body. An Add or Remove without an id is identified by the signature of its delivery,
 * and so is a Move: Mastodon sends the same one again if an administrator repeats it for the followers that stayed.
 */
export function deduplicationKeyOf(
  { id, type }: ActivityHead,
  { body, signature }: { body: Buffer; signature: Signature },
): string {
  if (type === 'Move' || (id === null && REPEATABLE_TYPES.has(type))) return `signature:${hash(signature.bytes)}`
  return id === null || TYPES_WITH_REUSED_IDS.has(type) ? `sha256:${hash(body)}` : id
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url')
}
