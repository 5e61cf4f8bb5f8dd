import { sql } from 'kysely'
import { QUEUES, SCHEMAS } from '../src/platform/jobs/queues.ts'
import type { BuilderCtx } from './query-builder.ts'

/**
 * Lets the jobs of an effect that wait for a later moment begin now: the queues go by the database's clock, which no
 * test moves.
 */
export async function hasten({ db }: Pick<BuilderCtx, 'db'>, effect: string): Promise<void> {
  for (const queue of QUEUES) {
    await sql`
      with due as (
        update ${sql.table(`${SCHEMAS[queue]}._private_jobs`)} j set run_at = now()
        from ${sql.table(`${SCHEMAS[queue]}._private_tasks`)} t
        where t.id = j.task_id and t.identifier = ${effect} and j.locked_at is null returning j.id
      )
      select pg_notify('jobs:insert', json_build_object('r', random()::text, 'count', count(*))::text) from due`.execute(
      db,
    )
  }
}
