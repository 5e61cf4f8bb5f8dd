import { sql } from 'kysely'
import type { Ctx } from '../src/domain/context.ts'
import { QUEUES, SCHEMAS } from '../src/platform/jobs/queues.ts'

/** Nothing waits to be done any more. */
export async function forgetJobs({ db }: Pick<Ctx, 'db'>): Promise<void> {
  for (const queue of QUEUES) await sql`delete from ${sql.table(`${SCHEMAS[queue]}._private_jobs`)}`.execute(db)
}
