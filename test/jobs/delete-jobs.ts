import { sql } from 'kysely'
import { QUEUES, QUEUE_SCHEMAS } from '../../src/platform/jobs/queues.ts'
import type { BuilderCtx } from '../query-builder.ts'

/** Deletes the jobs of all queues. */
export async function deleteJobs({ db }: Pick<BuilderCtx, 'db'>): Promise<void> {
  for (const queue of QUEUES) await sql`delete from ${sql.table(`${QUEUE_SCHEMAS[queue]}._private_jobs`)}`.execute(db)
}
