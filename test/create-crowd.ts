import { sql } from 'kysely'
import type { BuilderCtx } from './query-builder.ts'

/**
 * Makes many people at once, in one statement: `prefix1`, `prefix2`, … They have no tokens and no passwords, and
 * nobody is told of them. Returns the ids of their accounts, in that order.
 */
export async function createCrowd(
  { db, config }: Pick<BuilderCtx, 'db' | 'config'>,
  { prefix, count }: { prefix: string; count: number },
): Promise<string[]> {
  const { origin } = config
  const { rows } = await sql<{ id: string }>`
    with wanted as materialized (
      select nextval(pg_get_serial_sequence('accounts', 'id')) as id, ${prefix}::text || n as name
      from generate_series(1, ${count}::int) n order by n
    ), made as (
      insert into accounts (id, username, uri, url) overriding system value
      select id, name, ${origin}::text || '/ap/users/' || id, ${origin}::text || '/@' || name from wanted returning id
    ), counted as (
      insert into account_stats (account_id) select id from made
    ), people as (
      insert into users (account_id, email, confirmed_at) select id, name || '@mail.test', now() from wanted
    )
    select id from wanted order by id`.execute(db)
  return rows.map((row) => row.id)
}
