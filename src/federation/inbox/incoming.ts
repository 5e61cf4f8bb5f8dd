import type { Ctx } from '../../domain/context.ts'
import type { ActivityFacts, Mentioned } from '../objects/read-activity.ts'
import { findKnownActor } from '../remote/actor.ts'
import type { Budget } from '../remote/budget.ts'
import type { WireObject } from '../wire/normalise.ts'
import { idOf, isSameHost } from '../wire/read.ts'
import type { ReceivedInteraction } from './order-interactions.ts'

/** An activity whose sender is proven, on its way to what it does. */
export interface Incoming {
  activity: ActivityFacts
  /** Whose own inbox it came to; null: the shared one. */
  inboxAccountId: string | null
  budget: Budget
  /** The delivery, if it is an interaction or the Undo of one. */
  interaction: ReceivedInteraction | null
}

/**
 * Does what an activity says, as far as its actor may say it. It may run twice.
 * A refusal of any floor means that nothing is to be done.
 */
export type Handler = (ctx: Ctx, incoming: Incoming) => Promise<void>

/** The id of what an activity is about, if the actor's own server can speak for it. */
export function ownId({ actor }: ActivityFacts, value: Mentioned | null): string | null {
  const id = value === null ? null : idOf(value)
  return id !== null && isSameHost(id, actor) ? id : null
}

/** The whole of what an activity holds, not only its id. */
export function embedded(value: Mentioned | null): WireObject | null {
  return typeof value === 'object' ? value : null
}

/** Somebody of here who is meant by an id; null for anybody else. */
export async function findLocalId(ctx: Pick<Ctx, 'db'>, uri: string | null): Promise<string | null> {
  if (uri === null) return null
  const known = await findKnownActor(ctx, { uri })
  return known && known.domain === null ? known.id : null
}
