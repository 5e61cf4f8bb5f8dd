import { sql } from 'kysely'
import type { BuilderCtx } from '../query-builder.ts'

/**
 * Makes the delayed jobs of an effect due, and wakes the workers. The queue uses the database's clock, which tests
 * cannot move.
 */
export async function makeJobsDue({ db, bus }: Pick<BuilderCtx, 'db' | 'bus'>, effect: string): Promise<void> {
  // Locked in the order of their ids, so that concurrent calls cannot deadlock.
  await sql`with waiting as (select id from jobs where name = ${effect} and locked_at is null order by id for update)
    update jobs set run_at = now() from waiting where jobs.id = waiting.id`.execute(db)
  await bus.publish('jobs.enqueued', ['default', 'network', 'ingress', 'media'])
}
