import type { Ctx } from '../domain/context.ts'
import type { EventName, Events } from '../domain/events.ts'
import { yieldToOtherJobs } from '../platform/jobs/yield-to-other-jobs.ts'

/** One consequence of an event. It reads by id again, checks first whether it is still due, and may run twice. */
type Effect<Name extends EventName> = (ctx: Ctx, payload: Events[Name]) => Promise<void>

/**
 * The effects of all events whose names begin with one of these words: `EffectsOf<'poll'>` has the rows `poll.due`,
 * `poll.ended`, … A table that lacks one of them does not compile, nor does a table with a row of another area.
 */
export type EffectsOf<Area extends string> = {
  [Name in Extract<EventName, `${Area}.${string}`>]: Record<string, Effect<Name>>
}

/**
 * An effect that works on sets. Called like any other effect, it works on one payload; `runBatch` is the same for
 * several payloads. The worker passes to it all payloads of its name that it has fetched together, at most 100. If
 * `runBatch` throws, the worker calls the effect with each payload, so a payload that fails is retried alone.
 */
export type BatchedEffect<Payload> = ((ctx: Ctx, payload: Payload) => Promise<void>) & {
  readonly runBatch: (ctx: Ctx, payloads: readonly Payload[]) => Promise<void>
}

/** Returns an effect that works on sets. `run` may get the same payload twice, and a payload again after a failure. */
export function batched<Payload>(
  run: (ctx: Ctx, payloads: readonly Payload[]) => Promise<void>,
): BatchedEffect<Payload> {
  return Object.assign(async (ctx: Ctx, payload: Payload) => run(ctx, [payload]), { runBatch: run })
}

/**
 * Returns an effect that continues long work of one user or member of the staff, a part at a time. Each part waits for
 * the jobs of others.
 */
export function yielding<Payload>(
  run: (ctx: Ctx, payload: Payload) => Promise<void>,
): (ctx: Ctx, payload: Payload) => Promise<void> {
  return async (ctx, payload) => {
    await yieldToOtherJobs(ctx.db)
    await run(ctx, payload)
  }
}
