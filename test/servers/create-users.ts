import { sql } from 'kysely'
import type { BuilderCtx } from '../query-builder.ts'

/**
 * Creates many users in one statement: `prefix1`, `prefix2`, … They have no tokens and no passwords, and cause no
 * events. Returns the ids of their accounts, in that order.
 */
export async function createUsers(
  { db, config }: Pick<BuilderCtx, 'db' | 'config'>,
  { prefix, count }: { prefix: string; count: number },
): Promise<string[]> {
  const { origin } = config
  const { rows } = await sql<{ id: string }>`
    with named as materialized (
      select nextval(pg_get_serial_sequence('accounts', 'id')) as id, ${prefix}::text || n as name
      from generate_series(1, ${count}::int) n order by n
    ), inserted as (
      insert into accounts (id, username, uri, url) overriding system value
      select id, name, ${origin}::text || '/ap/users/' || id, ${origin}::text || '/@' || name from named returning id
    ), counted as (
      insert into account_stats (account_id) select id from inserted
    ), local as (
      insert into users (account_id, email, confirmed_at) select id, name || '@mail.test', now() from named
    )
    select id from named order by id`.execute(db)
  return rows.map((row) => row.id)
}
