import { sql } from 'kysely'
import type { Ctx } from '../src/domain/context.ts'

/**
 * Lets the jobs of an effect that wait for a later moment begin now: the queue goes by the database's clock, which no
 * test moves.
 */
export async function hasten(ctx: Pick<Ctx, 'db'>, effect: string): Promise<void> {
  await sql`
    with due as (
      update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = ${effect} and j.locked_at is null returning j.id
    )
    select pg_notify('jobs:insert', json_build_object('r', random()::text, 'count', count(*))::text) from due`.execute(
    ctx.db,
  )
}
