import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openCommandLine } from '../../../../../../test/command-line.ts'
import { createRemoteAccount } from '../../../../../../test/federation/remote-records.ts'
import { deleteJobs } from '../../../../../../test/jobs/delete-jobs.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { suspendAccount } from '../../../../../domain/moderation/accounts/account-states.ts'
import { ensureActorKey } from '../../../../../federation/keys/actor-keys.ts'
import { sql } from 'kysely'

const testServer = await openTestServer({ effects: false })
after(() => testServer.close())
const { ctx } = testServer
const scopes = 'read write admin:read admin:write'
const [moderator, admin] = [
  await testServer.createUser({ role: 'moderator', scopes }),
  await testServer.createUser({ role: 'admin', scopes }),
]
const linnet = await openCommandLine(testServer)

const rotate = (id: string, user = admin) => user.client.post(`/api/v1/admin/accounts/${id}/rotate_keys`)

async function createUserWithKey() {
  const user = await testServer.createUser()
  await ensureActorKey(ctx, user)
  return user
}

async function readJobs() {
  const { rows } = await sql<{ payload: { accountId: string; version: number }; run_at: Date }>`
    select payload, run_at from jobs j where name = 'rotateKey' order by run_at, id`.execute(ctx.db)
  return rows
}

const readAudit = () =>
  ctx.db
    .selectFrom('audit_log_entries')
    .select(['account_id', 'target_id', 'label', 'details'])
    .where('action', '=', 'rotate_keys')
    .orderBy('id')
    .execute()

suite('a request for new keys', () => {
  test('of one account schedules the replacement at once, with an audit entry', async () => {
    const user = await createUserWithKey()
    const { status, body } = await rotate(user.accountId)
    assert.deepEqual([status, body], [200, {}])
    const jobs = await readJobs()
    assert.deepEqual(
      jobs.map(({ payload }) => payload),
      [{ accountId: user.accountId, version: 1 }],
    )
    assert.ok(jobs[0]!.run_at.getTime() <= Date.now())
    const [entry] = await readAudit()
    assert.deepEqual(entry, {
      account_id: admin.accountId,
      target_id: user.accountId,
      label: user.username,
      details: {},
    })
  })

  test('needs the permission to manage federation, a higher role than the target, and a local account', async () => {
    await deleteJobs(ctx)
    const user = await createUserWithKey()
    assert.equal((await rotate(user.accountId, moderator)).status, 403)
    assert.equal((await rotate(admin.accountId)).status, 403)
    const remoteId = await createRemoteAccount(ctx, { handle: { username: 'remote', domain: 'remote.test' } })
    assert.equal((await rotate(remoteId)).status, 403)
    for (const id of ['999999', 'x', '0']) assert.equal((await rotate(id)).status, 404, id)
    const noKey = await testServer.createUser()
    assert.equal((await rotate(noKey.accountId)).status, 200)
    assert.deepEqual(await readJobs(), [])
    assert.equal((await readAudit()).length, 1)
  })
})

suite('linnet accounts rotate-keys', () => {
  test('requests the replacement of the key of one account', async () => {
    await deleteJobs(ctx)
    const user = await createUserWithKey()
    assert.deepEqual(await linnet.lines('accounts', 'rotate-keys', user.username, '--dry-run'), ['Would replace 1 key'])
    assert.deepEqual(await readJobs(), [])
    assert.deepEqual(await linnet.lines('accounts', 'rotate-keys', `@${user.username}@linnet.test`), [
      'Requested 1 key',
    ])
    assert.equal((await readJobs()).length, 1)
    const { username: noKey } = await testServer.createUser()
    assert.deepEqual(await linnet.lines('accounts', 'rotate-keys', noKey), ['Requested 0 keys'])
    assert.equal(await linnet.error('accounts', 'rotate-keys', 'nobody'), 'No local account is named nobody')
    for (const args of [[], [user.username, '--all']])
      assert.equal(await linnet.error('accounts', 'rotate-keys', ...args), 'Specify either a name or --all')
  })

  test('--all spreads the replacements, 1,000 in five minutes, and skips suspended accounts', async () => {
    await deleteJobs(ctx)
    const suspended = await createUserWithKey()
    await ctx.write((tx) => suspendAccount(tx, suspended))
    await deleteJobs(ctx)
    const { rows } = await sql<{ id: string }>`
      select a.id from accounts a join actor_keys k on k.account_id = a.id
      where a.domain is null and a.suspended_at is null order by a.id`.execute(ctx.db)
    const until = (result: { until: string }) => new Date(result.until).getTime()
    const planned = await linnet.json<{ until: string }>('accounts', 'rotate-keys', '--all', '--dry-run')
    assert.deepEqual(planned, { dry_run: true, accounts: rows.length, until: planned.until })
    assert.deepEqual(await readJobs(), [])
    const entries = (await readAudit()).length
    const before = Date.now()
    const result = await linnet.json<{ until: string }>('accounts', 'rotate-keys', '--all')
    assert.deepEqual(result, { dry_run: false, accounts: rows.length, until: result.until })
    assert.ok(until(result) >= before + (rows.length - 1) * 300)
    const jobs = await readJobs()
    assert.deepEqual(
      jobs.map(({ payload }) => payload),
      rows.map(({ id }) => ({ accountId: id, version: 1 })),
    )
    const gaps = jobs.slice(1).map(({ run_at }, n) => run_at.getTime() - jobs[n]!.run_at.getTime())
    assert.ok(gaps.every((ms) => Math.abs(ms - 300) <= 2, gaps))
    assert.deepEqual((await readAudit()).slice(entries), [
      { account_id: null, target_id: null, label: 'local accounts', details: { accounts: rows.length } },
    ])
  })
})
