import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { createUsers } from '../../../../test/servers/create-users.ts'

const USERS = 6

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { db } = testServer.ctx
const accountIds = await createUsers(testServer.ctx, { prefix: 'Filtered', count: USERS })
await sql`insert into accounts (username, domain, uri, url, display_name) values
  ('Far', 'far.test', 'https://far.test/1', 'https://far.test/@1', 'Someone FAR')`.execute(db)
await sql`insert into invites (id, code, user_id, autofollow, comment, created_at) overriding system value
  select id, 'code' || id, id, false, '', now() from users`.execute(db)

/** Returns the rows that differ from their sources, or that are missing. */
async function findDifferences(): Promise<unknown[]> {
  const { rows } = await sql`
    select to_jsonb(f) as stored, to_jsonb(s) as expected
    from account_filter_fields f full join account_filter_sources s using (account_id)
    where to_jsonb(f) is distinct from to_jsonb(s)`.execute(db)
  return rows
}

/** Changes of the n-th user by a value. */
const CHANGES = {
  profile: 'update accounts set username = username || $value, display_name = repeat($value, 40) where id = $account',
  domain: `update accounts set domain = nullif($value || '.test', '0.test') where id = $account`,
  silenced: `update accounts set silenced_at = nullif(now(), $time) where id = $account`,
  suspended: `update accounts set suspended_at = $time, sensitized_at = nullif(now(), $time) where id = $account`,
  user: `update users set email = $value || account_id || '@MAIL.test', role_id = case $value when '0' then -99 else 1 end,
    approved = $value <> '1', disabled_at = $time, sign_up_ip = ('10.0.0.' || $value)::inet where account_id = $account`,
  session: `insert into sessions (id_hash, user_id, ip, expires_at) select sha256($value::bytea), id,
    ('2001:db8::' || $value)::inet, now() from users where account_id = $account on conflict do nothing`,
  logout: `delete from sessions where id_hash = sha256($value::bytea)`,
  logoutEverywhere: `delete from sessions where user_id = (select id from users where account_id = $account)`,
  invited: `insert into invite_uses (user_id, invite_id, autofollow_pending)
    select u.id, i.id, false from users u, (select id from invites order by id % ($value::int + 2), id limit 1) i
    where account_id = $account on conflict (user_id) do update set invite_id = excluded.invite_id`,
  inviteDeleted: `delete from invites where id = (select min(id) from invites) and $value = '1'`,
  userDeleted: `delete from users where account_id = $account and $value = '2'`,
  deleted: `delete from accounts where id = $account and $value = '3'`,
} as const

const run = (change: keyof typeof CHANGES, { user, value }: { user: number; value: number }) =>
  sql
    .raw(
      CHANGES[change]
        .replaceAll('$account', accountIds[user]!)
        .replaceAll('$value', `'${value}'`)
        .replaceAll('$time', value % 2 === 0 ? 'null::timestamptz' : 'now()'),
    )
    .execute(db)

test('the fields by which accounts are filtered equal their sources after any changes', async () => {
  assert.deepEqual(await findDifferences(), [])
  const step = fc.record({
    change: fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])),
    user: fc.nat(USERS - 2),
    value: fc.nat(3),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const { change, ...input } of steps) await run(change, input)
      assert.deepEqual(await findDifferences(), [])
    }),
    { numRuns: 60 },
  )
})

test('concurrent log-ins and log-outs of a user leave the addresses of the remaining sessions', async () => {
  const user = USERS - 1
  for (let round = 0; round < 5; round += 1) {
    const values = Array.from({ length: 8 }, (_, n) => n + 10)
    await Promise.all(
      values.flatMap((value) => [run('session', { user, value }), run('logout', { user, value: value - 1 })]),
    )
    assert.deepEqual(await findDifferences(), [])
  }
})
