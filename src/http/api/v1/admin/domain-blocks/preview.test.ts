import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import {
  createRemoteAccount,
  createRemoteStatus,
  uniqueName,
} from '../../../../../../test/federation/remote-records.ts'
import { countQueries } from '../../../../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { recordFollowAccept } from '../../../../../domain/relationships/follows/answered-requests.ts'
import { recordRemoteFollow } from '../../../../../domain/relationships/follows/record-remote-follow.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
const { client } = await testServer.createUser({ role: 'admin', scopes: 'read write admin:read admin:write' })

const preview = (domain: string) => client.get('/api/v1/admin/domain_blocks/preview', { domain })

/** Creates an account of a domain; `host` is the host of its URI. */
function createRemote(domain: string, host = domain): Promise<string> {
  const name = uniqueName('guest')
  return createRemoteAccount(ctx, { handle: { username: name, domain }, uri: `https://${host}/users/${name}` })
}

test('the preview of a domain block counts what is stored of the domain and its subdomains', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const [top, sub, byHost] = [
    await createRemote('bad.test'),
    await createRemote('sub.bad.test'),
    await createRemote('elsewhere.test', 'www.bad.test'),
  ]
  const other = await createRemote('notbad.test')
  for (const accountId of [top, top, sub, other]) await createRemoteStatus(ctx, { accountId })
  for (const target of [top, byHost, other]) {
    await alice.client.post(`/api/v1/accounts/${target}/follow`)
    await ctx.write((tx) => recordFollowAccept(tx, { accountId: alice.accountId, targetAccountId: target }))
  }
  for (const { accountId: targetAccountId } of [alice, bob]) {
    for (const accountId of [sub, other]) {
      const uri = `https://any.test/follows/${uniqueName()}`
      await ctx.write((tx) => recordRemoteFollow(tx, { accountId, targetAccountId, uri }))
    }
  }
  for (const target of [top, other]) {
    const { status } = await bob.client.post('/api/v1/reports', { account_id: target })
    assert.equal(status, 200)
  }
  for (const accountId of [top, other]) {
    await sql`insert into cached_files (account_id, rendition, remote_url, file_key, byte_size,
        fetched_at, used_at)
      values (${accountId}, 'avatar', 'https://any.test/a', ${`media/${accountId}`}, 5000,
        now(), now())`.execute(ctx.db)
  }
  const { status, body } = await preview('BAD.test.')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body, {
    domain: 'bad.test',
    accounts_count: 3,
    statuses_count: 3,
    media_files_count: 1,
    media_files_bytes: 5_000,
    following_count: 2,
    followers_count: 2,
    users_count: 2,
    reports_count: 1,
  })
  // Nothing has changed.
  assert.deepEqual((await client.get('/api/v1/admin/domain_blocks')).body, [])
  const counts: number[] = []
  for (const domain of ['bad.test', 'unknown.test']) counts.push(await countQueries(() => preview(domain)))
  assert.equal(counts[0], counts[1])
})

test('the preview of a domain block needs a valid domain, and unknown domains have nothing', async () => {
  for (const domain of ['', 'a b', 'https://bad.test/']) assert.equal((await preview(domain)).status, 422)
  const { domain, ...counts } = (await preview('unknown.test')).body
  assert.equal(domain, 'unknown.test')
  assert.deepEqual(new Set(Object.values(counts)), new Set([0]))
})
