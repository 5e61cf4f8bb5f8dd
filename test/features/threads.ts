import { sql } from 'kysely'
import type { BuilderCtx } from '../query-builder.ts'

/**
 * Inserts many public replies to a status in one statement, without effects; returns their ids, oldest first.
 * `parentOf` is SQL for the number of the reply that reply number `n` (from 1) answers; 0 is the status itself. The
 * authors alternate.
 */
export async function createReplies(
  { db, config }: Pick<BuilderCtx, 'db' | 'config'>,
  { rootId, accountIds, count, parentOf }: { rootId: string; accountIds: string[]; count: number; parentOf: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with numbered as materialized (
      select n, next_status_id() as id, (${accountIds}::bigint[])[n % ${accountIds.length}::int + 1] as account_id,
        ${sql.raw(parentOf)} as parent
      from generate_series(1, ${count}::int) n order by n
    ), linked as (
      select r.n, r.id, r.account_id, coalesce(p.id, root.id) as parent_id,
        coalesce(p.account_id, root.account_id) as parent_account_id, root.conversation_id
      from numbered r join statuses root on root.id = ${rootId} left join numbered p on p.n = r.parent
    ), inserted as (
      insert into statuses (id, account_id, uri, url, text, content, visibility, language, in_reply_to_id,
        in_reply_to_account_id, conversation_id)
      select id, account_id, ${config.origin}::text || '/ap/users/' || account_id || '/statuses/' || id,
        ${config.origin}::text || '/@author/' || id, text, '<p>' || text || '</p>', 'public', 'en', parent_id,
        parent_account_id, conversation_id
      from linked, lateral (select repeat('Reply number ' || n || ' of many. ', 6)) as written (text)
    ), mentioned as (
      insert into mentions (status_id, account_id) select id, parent_account_id from linked
    )
    select id from linked order by n`.execute(db)
  await sql`analyze statuses, mentions`.execute(db)
  return rows.map((row) => row.id)
}
