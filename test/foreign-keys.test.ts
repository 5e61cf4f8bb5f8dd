import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { CLEARED_COLUMNS } from '../src/domain/account-deletion/delete-account-rows.ts'
import { HIDDEN_WITH_STATUS } from '../src/domain/statuses/write/hide-status.ts'
import { cloneDatabase } from './services/database/test-database.ts'

const { connection, drop } = await cloneDatabase()
const client = new pg.Client(connection)
await client.connect()
after(async () => {
  await client.end()
  await drop()
})

/** The columns whose rows PostgreSQL deletes with a row of this table, as `table.column`. */
async function listCascades(table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select t.relname || '.' || a.attname as name
     from pg_constraint c join pg_class t on t.oid = c.conrelid
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
     where c.contype = 'f' and c.confrelid = $1::regclass and c.confdeltype = 'c'`,
    [table],
  )
  return rows.map(({ name }) => name).toSorted()
}

/** Tables with data of the status itself, which is retained for moderators, who can restore the status. */
const RETAINED = [
  'archive_import_statuses',
  'imported_statuses',
  'mentions',
  'polls',
  'quotes',
  'restorable_statuses',
  'status_edits',
  'status_preview_links',
  'status_stats',
  'status_tags',
]

test('hiding a status deletes its rows from every referencing table except those with data of the status itself', async () => {
  const deleted = [...HIDDEN_WITH_STATUS, ...RETAINED].map((table) => `${table}.status_id`)
  // Reblogs are statuses and have a statement of their own.
  assert.deepEqual(await listCascades('statuses'), [...deleted, 'statuses.reblog_of_id'].toSorted())
})

/** Tables with a separate step in `purge-account.ts`, or whose rows are retained until the deletion is delivered. */
const SEPARATE = new Set([
  'account_archives',
  'account_filter_fields',
  'account_purges',
  'account_stats',
  'actor_keys',
  'favourites',
  'follows',
  'media_attachments',
  'quotes',
  'sent_activities',
  'statuses',
])

test('purging an account clears every column that references it, except those with a separate step', async () => {
  const cascades = await listCascades('accounts')
  assert.deepEqual(
    CLEARED_COLUMNS.toSorted(),
    cascades.filter((name) => !SEPARATE.has(name.split('.')[0]!)),
  )
})

/** Foreign keys of small tables, or to rows that only a user who owns few of them deletes. */
const WITHOUT_INDEX = [
  'access_tokens.user_id',
  'authorization_codes.application_id',
  'authorization_codes.user_id',
  'statuses.application_id',
  'users.role_id',
  'users.sign_up_application_id',
]

test('an index finds the rows that refer to a deleted row, except for a few foreign keys', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select c.conrelid::regclass || '.' || a.attname as name
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and not exists (
       select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = a.attnum and i.indisvalid
         and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))`,
  )
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), WITHOUT_INDEX)
})
