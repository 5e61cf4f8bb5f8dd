import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openBrowserSession } from '../../../test/http/open-session.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { db } = testServer.ctx

test('users read by apps and browsers while the database accepts no writes, also at the first request of a day', async () => {
  const alice = await testServer.createUser()
  const browser = await openBrowserSession(testServer, alice)
  await sql`update users set last_seen_at = now() - interval '3 days'`.execute(db)
  await sql`update access_tokens set last_used_at = now() - interval '3 days'`.execute(db)
  // As with a full disk.
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`.execute(db)
  for (const table of ['access_tokens', 'sessions', 'users'])
    await sql`create trigger refuse before update on ${sql.table(table)} execute function refuse()`.execute(db)
  const read = async () => [
    (await alice.client.get('/api/v1/timelines/home')).status,
    (await browser.get('/settings/preferences')).status,
  ]
  assert.deepEqual(await read(), [200, 200])
  for (const table of ['access_tokens', 'sessions', 'users'])
    await sql`drop trigger refuse on ${sql.table(table)}`.execute(db)
  assert.deepEqual(await read(), [200, 200])
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users u join access_tokens t on t.user_id = u.id
    where u.account_id = ${alice.accountId} and u.last_seen_at > now() - interval '1 day'
      and t.last_used_at > now() - interval '1 day'`.execute(db)
  assert.equal(rows[0]!.count, 1, 'a later request records the use')
})
