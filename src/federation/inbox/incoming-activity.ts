import type { Ctx } from '../../domain/context.ts'
import type { ParsedActivity, ObjectReference } from '../objects/read/read-activity.ts'
import { findKnownActor } from '../remote/actors/resolve-actor.ts'
import type { FetchBudget } from '../remote/fetch/budget.ts'
import type { WireObject } from '../wire/normalize.ts'
import { idOf, isSameHost } from '../wire/read-values.ts'
import type { ReceivedInteraction } from './ordering/order-interactions.ts'

/** An authenticated activity, to be handled. */
export interface IncomingActivity {
  activity: ParsedActivity
  /** The account in whose personal inbox it arrived; null for the shared inbox. */
  inboxAccountId: string | null
  /** It arrived in another inbox before, where it may not have been processed yet. */
  isRepetition: boolean
  budget: FetchBudget
  /** The delivery, if it is an interaction or the Undo of one. */
  interaction: ReceivedInteraction | null
}

/**
 * Performs an activity, as far as its actor is authorized. It may run twice. A `RequestError` of any layer means that
 * the activity has no effect.
 */
export type ActivityHandler = (ctx: Ctx, incoming: IncomingActivity) => Promise<void>

/** Returns the id of a referenced object, if it has the same host as the actor; else null. */
export function sameOriginId({ actor }: ParsedActivity, value: ObjectReference | null): string | null {
  const id = value === null ? null : idOf(value)
  return id !== null && isSameHost(id, actor) ? id : null
}

/** Returns the object that a reference embeds; null if it is only an id. */
export function embeddedObject(value: ObjectReference | null): WireObject | null {
  return typeof value === 'object' ? value : null
}

/** Returns the local account with an actor id; null if there is none. */
export async function findLocalAccountId(ctx: Pick<Ctx, 'db'>, uri: string | null): Promise<string | null> {
  if (uri === null) return null
  const known = await findKnownActor(ctx, { uri })
  return known && known.domain === null ? known.id : null
}
