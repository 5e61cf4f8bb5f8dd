import { sql } from 'kysely'
import { QUEUES, QUEUE_SCHEMAS } from '../../src/platform/jobs/queues.ts'
import type { BuilderCtx } from '../query-builder.ts'

/**
 * Makes the delayed jobs of an effect due. The queues use the database's clock, which tests cannot move.
 */
export async function makeJobsDue({ db }: Pick<BuilderCtx, 'db'>, effect: string): Promise<void> {
  for (const queue of QUEUES) {
    await sql`
      with due as (
        update ${sql.table(`${QUEUE_SCHEMAS[queue]}._private_jobs`)} j set run_at = now()
        from ${sql.table(`${QUEUE_SCHEMAS[queue]}._private_tasks`)} t
        where t.id = j.task_id and t.identifier = ${effect} and j.locked_at is null returning j.id
      )
      select pg_notify('jobs:insert', json_build_object('r', random()::text, 'count', count(*))::text) from due`.execute(
      db,
    )
  }
}
