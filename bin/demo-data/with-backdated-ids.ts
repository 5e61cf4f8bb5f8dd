import { sql } from 'kysely'
import type { BuilderCtx } from '../../test/query-builder.ts'

/** A clock that is set explicitly, for the program and for the status ids that the database generates. */
export interface Clock {
  now(): Date
  set(now: Date): void
}

export function createClock(start: Date): Clock {
  let time = start
  return {
    now: () => time,
    set(now) {
      time = now
    },
  }
}

/**
 * Runs `work` with status ids of the clock's time: the generator of ids reads a setting of the transaction instead of
 * the time. Afterwards the generator of the migrations is restored.
 */
export async function withBackdatedIds(
  ctx: BuilderCtx,
  clock: Clock,
  work: (ctx: BuilderCtx) => Promise<void>,
): Promise<void> {
  const generator = await sql<{ text: string }>`select pg_get_functiondef('next_status_id'::regproc) as text`.execute(
    ctx.db,
  )
  const { text } = generator.rows[0]!
  const replaced = text.replaceAll(
    /clock_timestamp\(\)/gi,
    `coalesce(nullif(current_setting('demo.now', true), '')::timestamptz, clock_timestamp())`,
  )
  if (replaced === text) throw new Error('The generator of status ids does not call clock_timestamp()')
  await sql.raw(replaced).execute(ctx.db)
  try {
    await work({
      ...ctx,
      write: (operation) =>
        ctx.write(async (tx) => {
          await sql`select set_config('demo.now', ${clock.now().toISOString()}, true)`.execute(tx.db)
          return operation(tx)
        }),
    })
  } finally {
    await sql.raw(text).execute(ctx.db)
  }
}
