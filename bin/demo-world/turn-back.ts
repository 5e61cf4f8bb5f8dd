import { sql } from 'kysely'
import type { BuilderCtx } from '../../test/query-builder.ts'

/** A clock that is set by hand, for what happens in the program and for the ids that the database gives. */
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
 * Does the work in a world whose posts come to be at the clock's time: the generator of ids reads a setting of the
 * transaction instead of the time. Afterwards it is as the migrations made it.
 */
export async function turnBack(ctx: BuilderCtx, clock: Clock, work: (ctx: BuilderCtx) => Promise<void>): Promise<void> {
  const generator = await sql<{ text: string }>`select pg_get_functiondef('next_status_id'::regproc) as text`.execute(
    ctx.db,
  )
  const { text } = generator.rows[0]!
  const turned = text.replaceAll(
    /clock_timestamp\(\)/gi,
    `coalesce(nullif(current_setting('demo.now', true), '')::timestamptz, clock_timestamp())`,
  )
  if (turned === text) throw new Error('The generator of ids does not read the time as it did')
  await sql.raw(turned).execute(ctx.db)
  try {
    await work({
      ...ctx,
      write: (verb) =>
        ctx.write(async (tx) => {
          await sql`select set_config('demo.now', ${clock.now().toISOString()}, true)`.execute(tx.db)
          return verb(tx)
        }),
    })
  } finally {
    await sql.raw(text).execute(ctx.db)
  }
}
