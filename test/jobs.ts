import { sql } from 'kysely'
import { QUEUES, SCHEMAS } from '../src/platform/jobs/queues.ts'
import type { BuilderCtx } from './query-builder.ts'

/** Nothing waits to be done any more. */
export async function forgetJobs({ db }: Pick<BuilderCtx, 'db'>): Promise<void> {
  for (const queue of QUEUES) await sql`delete from ${sql.table(`${SCHEMAS[queue]}._private_jobs`)}`.execute(db)
}
