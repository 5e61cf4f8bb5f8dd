import { sql } from 'kysely'
import type { BuilderCtx } from '../query-builder.ts'

/** Deletes the jobs of all queues. */
export async function deleteJobs({ db }: Pick<BuilderCtx, 'db'>): Promise<void> {
  await sql`delete from jobs`.execute(db)
}
