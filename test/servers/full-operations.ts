import { sql } from 'kysely'
import type { BuilderCtx } from '../query-builder.ts'

/** More than fit on a page. */
const ROWS = 210

/**
 * Replaces the servers with deliveries, and adds dead jobs. Returns the domains, and the ids of the jobs, in the order of
 * the lists.
 */
export async function fillOperations({ db }: Pick<BuilderCtx, 'db'>): Promise<{ hosts: string[]; deadJobs: string[] }> {
  await sql`delete from deliveries`.execute(db)
  await sql`delete from hosts`.execute(db)
  const { rows: hosts } = await sql<{ domain: string }>`
    insert into hosts (domain, unreachable_since)
    select 'h' || lpad(n::text, 3, '0') || '.test', now() from generate_series(1, ${ROWS}::int) n
    returning domain`.execute(db)
  const { rows: jobs } = await sql<{ id: string }>`
    insert into jobs (queue, name, payload, attempts, max_attempts, run_at)
    select 'default', 'walk', '{}', 1, 1, now() from generate_series(1, ${ROWS}::int) returning id`.execute(db)
  return { hosts: hosts.map(({ domain }) => domain), deadJobs: jobs.map(({ id }) => id).toReversed() }
}
