import type { Ctx } from './domain/context.ts'
import type { EventName } from './domain/events.ts'
import { statement } from './platform/db/statement.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** What the clock tells, and how often. */
const TICKS = {
  'clock.minutely': MINUTE_MS,
  'clock.five_minutely': 5 * MINUTE_MS,
  'clock.hourly': HOUR_MS,
} satisfies Partial<Record<EventName, number>>

/** How often a process looks whether a tick is due. */
const LOOK_MS = 30_000

const recordTick = statement<{ params: { name: string; period: string; now: Date }; row: { name: string } }>(
  `insert into settings (name, value) values ($name, $period::jsonb)
   on conflict (name) do update set value = excluded.value, updated_at = $now where settings.value <> excluded.value
   returning name`,
)

/**
 * The clock. Every process may run it: a tick is an event like any other, written by the first process that finds it
 * due, in the transaction that also notes the time, so each tick happens once however many processes there are.
 */
export function startClock(ctx: Ctx): { stop(): Promise<void> } {
  let running = Promise.resolve()
  const look = () => {
    running = running.then(() =>
      tick(ctx).catch((err: unknown) => ctx.log.warn({ err }, 'scheduled events could not be emitted')),
    )
  }
  const timer = setInterval(look, LOOK_MS)
  look()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

/** Writes the ticks that are due. */
async function tick(ctx: Ctx): Promise<void> {
  for (const [name, periodMs] of Object.entries(TICKS) as [keyof typeof TICKS, number][]) {
    await ctx.write(async (tx) => {
      const period = Math.floor(tx.now.getTime() / periodMs)
      const [due] = await recordTick(tx.db, { name: `clock:${name}`, period: JSON.stringify(period), now: tx.now })
      if (due) tx.emit(name, {})
    })
  }
}
