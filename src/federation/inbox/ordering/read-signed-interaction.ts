import { createHash } from 'node:crypto'
import type { ParsedActivity } from '../../objects/read/read-activity.ts'
import { readSigningTime } from '../../signatures/verify.ts'
import type { ReceivedRequest, Signature } from '../../signatures/signature.ts'
import { idOf, typesOf } from '../../wire/read-values.ts'

/**
 * The types of activities that an Undo can end. Servers may reuse their ids: Misskey gives every Follow between two
 * users the same id, and every Undo of it another one.
 */
const INTERACTION_TYPES: ReadonlySet<string> = new Set(['Announce', 'Block', 'Follow', 'Like'])

/** The keys by which a delivery of an interaction, or of its Undo, is ordered among those of the same actor. */
export interface InteractionKeys {
  /** A hash of the actor and the id of the interaction; null if the activity names no id. */
  interactionKey: string | null
  /** The type, then a hash of the actor and the object; null if an Undo names only an id. */
  relationshipKey: string | null
  isUndo: boolean
}

/**
 * Returns the keys of a Follow, Like, Announce or Block, or of an Undo that may end one, and of the Update of an actor,
 * of which the latest one counts, too; null for everything else.
 */
function readInteractionKeys(activity: ParsedActivity): InteractionKeys | null {
  const { actor, type, object } = activity
  const objectId = object === null ? null : idOf(object)
  if (INTERACTION_TYPES.has(type)) {
    return { ...keysOf({ actor, kind: type, id: activity.id, objectId }), isUndo: false }
  }
  if (type === 'Update' && objectId === actor)
    return { ...keysOf({ actor, kind: type, id: null, objectId }), isUndo: false }
  if (type !== 'Undo' || object === null) return null
  if (typeof object === 'string') {
    return { ...keysOf({ actor, kind: null, id: objectId, objectId: null }), isUndo: true }
  }
  const kind = typesOf(object).find((one) => INTERACTION_TYPES.has(one))
  if (kind === undefined) return null
  return { ...keysOf({ actor, kind, id: objectId, objectId: idOf(object['object']) }), isUndo: true }
}

function keysOf({
  actor,
  kind,
  id,
  objectId,
}: {
  actor: string
  kind: string | null
  id: string | null
  objectId: string | null
}): Omit<InteractionKeys, 'isUndo'> {
  return {
    interactionKey: id === null ? null : digest([actor, id]),
    relationshipKey: kind === null || objectId === null ? null : `${kind} ${digest([actor, objectId])}`,
  }
}

function digest(value: readonly string[] | Buffer): string {
  const bytes = Buffer.isBuffer(value) ? value : JSON.stringify(value)
  return createHash('sha256').update(bytes).digest('base64url')
}

/** A signed delivery of an interaction. */
export interface SignedInteraction extends InteractionKeys {
  /** Identifies the signature. Another delivery with the same signature is a replay. Null for an Update. */
  deduplicationKey: string | null
  signedAt: Date
}

/** Returns the keys and the time of signing of a delivery that has keys; null for other activities. */
export function readSignedInteraction(
  activity: ParsedActivity,
  { signature, request }: { signature: Signature; request: ReceivedRequest },
): SignedInteraction | null {
  const keys = readInteractionKeys(activity)
  if (!keys) return null
  return {
    ...keys,
    deduplicationKey: activity.type === 'Update' ? null : `signature:${digest(signature.bytes)}`,
    signedAt: readSigningTime(signature, request),
  }
}
