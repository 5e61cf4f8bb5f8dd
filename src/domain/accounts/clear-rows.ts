import { sql } from 'kysely'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** Rows of one statement, so that none holds others up. */
const CHUNK = 2_000

/** What is removed with more care (`purge.ts`), and what stays until nobody has to be told anything more. */
const LEFT_ALONE = [
  'account_stats',
  'accounts',
  'actor_keys',
  'favourites',
  'follows',
  'media_attachments',
  'sent_activities',
  'statuses',
]

// Whatever would go with an account: read from the schema, so that no table is forgotten.
const findColumns = statement<{ params: { lEFT_ALONE: readonly string[] }; row: { table: string; column: string } }>(
  `select t.relname as table, a.attname as column
   from pg_constraint c join pg_class t on t.oid = c.conrelid
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
   where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.confdeltype = 'c' and cardinality(c.conkey) = 1
     and t.relname <> all($lEFT_ALONE::text[]) order by 1, 2`,
)

/**
 * Removes some of what belongs to an account and counts for nothing: what it keeps, whom it mutes, what it was notified
 * of, and what is about it in the same way. True as long as there is more.
 */
export async function clearRows(tx: Tx, { accountId }: { accountId: string }): Promise<boolean> {
  for (const { table, column } of await findColumns(tx.db, { lEFT_ALONE: LEFT_ALONE })) {
    const [name, of] = [sql.table(table), sql.ref(column)]
    const { rows } = await sql`
      delete from ${name} where ctid = any(array(select ctid from ${name} where ${of} = ${accountId} limit ${CHUNK}))
      returning 1`.execute(tx.db)
    if (rows.length === CHUNK) return true
  }
  return false
}
