import { createHash } from 'node:crypto'
import type { ActivityFacts } from '../objects/read-activity.ts'
import { readSigningTime } from '../signatures/verify.ts'
import type { ReceivedRequest, Signature } from '../signatures/signature.ts'
import { idOf, typesOf } from '../wire/read.ts'

/**
 * The kinds of activities that set something which an Undo ends. Servers may use their ids again: Misskey gives every
 * Follow between two users the same id, and its Undo another one that is always the same.
 */
const KINDS: ReadonlySet<string> = new Set(['Announce', 'Block', 'Follow', 'Like'])

/** How one delivery of an interaction, or of its Undo, is ordered among the others of the same actor. */
export interface InteractionKeys {
  /** Of the actor and the id of the interaction; null when the activity names no id. */
  interactionKey: string | null
  /** Of the actor, the kind and the object, with the kind in front; null when an Undo names only an id. */
  relationKey: string | null
  isUndo: boolean
}

/** Returns the keys of a Follow, Like, Announce or Block, or of an Undo that may end one; null for everything else. */
function readInteractionKeys(activity: ActivityFacts): InteractionKeys | null {
  const { actor, type, object } = activity
  const objectId = object === null ? null : idOf(object)
  if (KINDS.has(type)) {
    return { ...keysOf({ actor, kind: type, id: activity.id, about: objectId }), isUndo: false }
  }
  if (type !== 'Undo' || object === null) return null
  if (typeof object === 'string') {
    return { ...keysOf({ actor, kind: null, id: objectId, about: null }), isUndo: true }
  }
  const kind = typesOf(object).find((one) => KINDS.has(one))
  if (kind === undefined) return null
  return { ...keysOf({ actor, kind, id: objectId, about: idOf(object['object']) }), isUndo: true }
}

function keysOf({
  actor,
  kind,
  id,
  about,
}: {
  actor: string
  kind: string | null
  id: string | null
  about: string | null
}): Omit<InteractionKeys, 'isUndo'> {
  return {
    interactionKey: id === null ? null : digestOf([actor, id]),
    relationKey: kind === null || about === null ? null : `${kind} ${digestOf([actor, about])}`,
  }
}

function digestOf(value: readonly string[] | Buffer): string {
  const bytes = Buffer.isBuffer(value) ? value : JSON.stringify(value)
  return createHash('sha256').update(bytes).digest('base64url')
}

/** One signed delivery of an interaction. */
export interface SignedInteraction extends InteractionKeys {
  /** Names the signature. Whatever is delivered with the same signature again is a replay. */
  name: string
  signedAt: Date
}

/** Returns what orders and names a delivery of an interaction; null for activities of other kinds. */
export function readSignedInteraction(
  activity: ActivityFacts,
  { signature, request }: { signature: Signature; request: ReceivedRequest },
): SignedInteraction | null {
  const keys = readInteractionKeys(activity)
  if (!keys) return null
  return { ...keys, name: `signature:${digestOf(signature.bytes)}`, signedAt: readSigningTime(signature, request) }
}
