import { sql } from 'kysely'
import { QUEUE_SCHEMAS } from '../../src/platform/jobs/queues.ts'
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
  const schema = QUEUE_SCHEMAS.default
  const { rows: jobs } = await sql<{ id: string }>`
    with task as (
      insert into ${sql.table(`${schema}._private_tasks`)} (identifier) values ('walk') returning id
    )
    insert into ${sql.table(`${schema}._private_jobs`)} (task_id, payload, attempts, max_attempts)
    select task.id, '{}', 1, 1 from task, generate_series(1, ${ROWS}::int) returning id`.execute(db)
  return { hosts: hosts.map(({ domain }) => domain), deadJobs: jobs.map(({ id }) => id).toReversed() }
}
