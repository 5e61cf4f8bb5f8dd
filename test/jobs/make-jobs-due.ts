import { sql } from 'kysely'
import type { BuilderCtx } from '../query-builder.ts'

/**
 * Makes the delayed jobs of an effect due, and wakes the workers. The queue uses the database's clock, which tests
 * cannot move.
 */
export async function makeJobsDue({ db, bus }: Pick<BuilderCtx, 'db' | 'bus'>, effect: string): Promise<void> {
  await sql`update jobs set run_at = now() where name = ${effect} and locked_at is null`.execute(db)
  await bus.publish('jobs.enqueued', ['default', 'network', 'ingress', 'media'])
}
