import type { WireObject, WireValue } from '../wire/normalise.ts'
import { audienceOf, idOf, listOf, momentOf, textOf, typesOf } from '../wire/read.ts'
import { Unreadable } from '../wire/unreadable.ts'
import { LIMITS } from './limits.ts'

/** Something that an activity is about: its id, or the whole of it, which only its own host may vouch for. */
export type Mentioned = string | WireObject

/** What every activity says first. */
export interface ActivityHead {
  /** null: it has none that could be asked for. */
  id: string | null
  type: string
  /** The id of the one who acts. */
  actor: string
}

export interface ActivityFacts extends ActivityHead {
  object: Mentioned | null
  /** All of them, where there are several, as in a report. */
  objects: Mentioned[]
  target: Mentioned | null
  /** What it was done with; what came of it. */
  instrument: Mentioned | null
  result: Mentioned | null
  to: string[]
  cc: string[]
  /** What it says itself, as it came: text or HTML. */
  content: string
  publishedAt: Date | null
}

/**
 * Reads only who does what kind of thing to which object: a few addresses, however many the activity holds.
 * @throws Unreadable for one without a type, or with no or several actors
 */
export function readActivityHead(object: WireObject): ActivityHead & { objectId: string | null } {
  const [type] = typesOf(object)
  const actors = listOf(object['actor'])
  const actor = actors.length === 1 ? idOf(actors[0]) : null
  if (type === undefined || actor === null) throw new Unreadable('An activity has a type and one actor')
  return { id: idOf(object), type, actor, objectId: idOf(object['object']) }
}

/**
 * Reads an activity of any kind.
 * @throws Unreadable for one without a type, or with no or several actors
 */
export function readActivity(object: WireObject, { now }: { now: Date }): ActivityFacts {
  const { id, type, actor } = readActivityHead(object)
  const objects = mentionedIn(object['object'])
  return {
    id,
    type,
    actor,
    object: objects[0] ?? null,
    objects,
    target: mentionedIn(object['target'])[0] ?? null,
    instrument: mentionedIn(object['instrument'])[0] ?? null,
    result: mentionedIn(object['result'])[0] ?? null,
    to: audienceOf(object['to'], LIMITS.recipients),
    cc: audienceOf(object['cc'], LIMITS.recipients),
    content: textOf(object['content'], LIMITS.content) ?? '',
    publishedAt: momentOf(object['published'], now),
  }
}

/** `as:Public` is what a relay is followed by, and stays in the one spelling of `PUBLIC`. */
function mentionedIn(value: WireValue | undefined): Mentioned[] {
  const found: Mentioned[] = []
  for (const one of listOf(value)) {
    if (found.length === LIMITS.objects) break
    if (typeof one === 'string') found.push(...audienceOf(one, 1))
    else if (typeof one === 'object' && one !== null && !Array.isArray(one)) found.push(one as WireObject)
  }
  return found
}
