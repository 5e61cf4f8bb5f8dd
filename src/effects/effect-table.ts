import type { Ctx } from '../domain/context.ts'
import type { EventName, Events } from '../domain/events.ts'

/** One consequence of an event. It reads by id again, checks first whether it is still due, and may run twice. */
type Effect<Name extends EventName> = (ctx: Ctx, payload: Events[Name]) => Promise<void>

/**
 * The effects of all events whose names begin with one of these words: `EffectsOf<'poll'>` has the rows `poll.due`,
 * `poll.ended`, … A table that lacks one of them does not compile, nor does a table with a row of another area.
 */
export type EffectsOf<Area extends string> = {
  [Name in Extract<EventName, `${Area}.${string}`>]: Record<string, Effect<Name>>
}
