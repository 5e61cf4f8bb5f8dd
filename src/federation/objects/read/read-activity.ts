import type { WireObject, WireValue } from '../../wire/normalize.ts'
import { audienceOf, idOf, listOf, pastDateOf, textOf, typesOf } from '../../wire/read-values.ts'
import { InvalidDocumentError } from '../../wire/invalid-document-error.ts'
import { LIMITS } from './limits.ts'

/** The types of activities that have an effect. */
const ACTIVITY_TYPES = [
  'Accept',
  'Add',
  'Announce',
  'Block',
  'Create',
  'Delete',
  'FeatureRequest',
  'Flag',
  'Follow',
  'Like',
  'Move',
  'QuoteRequest',
  'Reject',
  'Remove',
  'Undo',
  'Update',
] as const

export type ActivityType = (typeof ACTIVITY_TYPES)[number]

const KNOWN_TYPES: ReadonlySet<string> = new Set(ACTIVITY_TYPES)

/** A reference to an object: its id, or the embedded object, which is only trusted if it comes from its own host. */
export type ObjectReference = string | WireObject

/** The properties that every activity has. */
export interface ActivityHead {
  /** null unless it is an http(s) URL. */
  id: string | null
  /** Of several types, the first that has an effect. */
  type: string
  /** The id of the actor. */
  actor: string
}

export interface ParsedActivity extends ActivityHead {
  object: ObjectReference | null
  /** All objects, if there are several, as in a Flag. */
  objects: ObjectReference[]
  target: ObjectReference | null
  instrument: ObjectReference | null
  result: ObjectReference | null
  to: string[]
  cc: string[]
  /** The content of the activity itself as received, or else its summary: text or HTML. Lemmy reports with a summary. */
  content: string
  publishedAt: Date | null
}

/**
 * Reads only the id, the type, the actor and the id of the object, so that the cost is independent of the activity's
 * size.
 * @throws InvalidDocumentError if it has no type, no actor or several actors
 */
export function readActivityHead(object: WireObject): ActivityHead & { objectId: string | null } {
  const types = typesOf(object)
  const type = types.find((one) => KNOWN_TYPES.has(one)) ?? types[0]
  const actors = listOf(object['actor'])
  const actor = actors.length === 1 ? idOf(actors[0]) : null
  if (type === undefined || actor === null)
    throw new InvalidDocumentError('An activity needs a type and exactly one actor')
  return { id: idOf(object), type, actor, objectId: idOf(object['object']) }
}

/**
 * Reads an activity of any type.
 * @throws InvalidDocumentError if it has no type, no actor or several actors
 */
export function readActivity(object: WireObject, { now }: { now: Date }): ParsedActivity {
  const { id, type, actor } = readActivityHead(object)
  const objects = referencesIn(object['object'])
  return {
    id,
    type,
    actor,
    object: objects[0] ?? null,
    objects,
    target: referencesIn(object['target'])[0] ?? null,
    instrument: referencesIn(object['instrument'])[0] ?? null,
    result: referencesIn(object['result'])[0] ?? null,
    to: audienceOf(object['to'], LIMITS.recipients),
    cc: audienceOf(object['cc'], LIMITS.recipients),
    content: textOf(object['content'], LIMITS.content) || textOf(object['summary'], LIMITS.content) || '',
    publishedAt: pastDateOf(object['published'], now),
  }
}

/**
 * Returns the references in a value. The object of a relay's Follow is the public collection, which becomes `PUBLIC`.
 */
function referencesIn(value: WireValue | undefined): ObjectReference[] {
  const found: ObjectReference[] = []
  for (const one of listOf(value)) {
    if (found.length === LIMITS.objects) break
    if (typeof one === 'string') found.push(...audienceOf(one, 1))
    else if (typeof one === 'object' && one !== null && !Array.isArray(one)) found.push(one as WireObject)
  }
  return found
}
