import type { Ctx } from './domain/context.ts'
import type { EventName } from './domain/events.ts'
import { statement } from './platform/db/statement.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** The scheduled events and their periods. */
const TICKS = {
  'clock.minutely': MINUTE_MS,
  'clock.five_minutely': 5 * MINUTE_MS,
  'clock.hourly': HOUR_MS,
} satisfies Partial<Record<EventName, number>>

/** How often a process checks whether a tick is due. */
const CHECK_INTERVAL_MS = 30_000

/**
 * The previous period is not due: the clock of another process is slightly ahead of this one. An earlier period is, so
 * that a clock that was wrong and is set back does not stop the schedule.
 */
const recordTick = statement<{ params: { name: string; period: string; now: Date }; row: { name: string } }>(
  `insert into settings (name, value) values ($name, $period::jsonb)
   on conflict (name) do update set value = excluded.value, updated_at = $now
     where excluded.value::bigint > settings.value::bigint or excluded.value::bigint < settings.value::bigint - 1
   returning name`,
)

/**
 * Starts the schedule, which emits an event at each tick. Several processes may run it: the first process that finds a
 * tick due records it and emits the event in one transaction, so each tick happens once.
 */
export function startSchedule(ctx: Ctx): { stop(): Promise<void> } {
  let running = Promise.resolve()
  const checkDueTicks = () => {
    running = running.then(() =>
      emitDueTicks(ctx).catch((err: unknown) => ctx.log.warn({ err }, 'Scheduled events could not be emitted')),
    )
  }
  const timer = setInterval(checkDueTicks, CHECK_INTERVAL_MS)
  checkDueTicks()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

/** Emits the events of the ticks that are due. */
async function emitDueTicks(ctx: Ctx): Promise<void> {
  for (const [name, periodMs] of Object.entries(TICKS) as [keyof typeof TICKS, number][]) {
    await ctx.write(async (tx) => {
      const period = Math.floor(tx.now.getTime() / periodMs)
      const [due] = await recordTick(tx.db, { name: `clock:${name}`, period: JSON.stringify(period), now: tx.now })
      if (due) tx.emit(name, {})
    })
  }
}
