import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount } from '../../../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { suspend, unsuspend } from '../../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { changeSetting } from '../../../../../domain/instance/instance-settings.ts'

const PATH = '/api/v1/admin/suggestions'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const scopes = 'read write admin:read admin:write'
const moderator = await testServer.createUser({ role: 'moderator', scopes })
const viewer = await testServer.createUser({ scopes })
const friend = await testServer.createUser()
const [chosen, writer, remote] = [
  await testServer.createUser({ username: 'chosen' }),
  await testServer.createUser({ username: 'writer' }),
  await createRemoteAccount(ctx, { handle: { username: 'star', domain: 'far.test' } }),
]
const ids = { chosen: chosen.accountId, writer: writer.accountId, star: remote }
await sql`update accounts set discoverable = true where id = any(${Object.values(ids)}::bigint[])`.execute(db)
await sql`update account_stats set followers_count = 9 where account_id = ${ids.star}`.execute(db)
await ctx.write((tx) => changeSetting(tx, { by: null, name: 'bootstrap-timeline-accounts', text: 'chosen' }))
const post = await writer.client.post('/api/v1/statuses', { status: 'Read me' })
await friend.client.post(`/api/v1/statuses/${post.body.id}/favourite`)

const nameOf = (id: string) => Object.entries(ids).find(([, other]) => other === id)?.[0] ?? id

interface Row {
  account: { id: string }
  sources: string[]
  suppressed?: boolean
}

async function list(query: Record<string, unknown> = {}): Promise<[name: string, sources: string][]> {
  const { status, body } = await moderator.client.get<Row[]>(PATH, query)
  assert.equal(status, 200)
  for (const row of body) {
    assertEntity('AdminSuggestion', row)
    assert.equal(row.suppressed, query['state'] === 'suppressed')
  }
  return body.map(({ account, sources }) => [nameOf(account.id), sources.join()])
}
async function change(id: string, action: 'suppress' | 'restore'): Promise<boolean | undefined> {
  const { status, body } = await moderator.client.post<Row>(`${PATH}/${id}/${action}`)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminSuggestion', body)
  return body.suppressed
}
const suggested = async () =>
  (await viewer.client.get<Row[]>('/api/v2/suggestions')).body.map(({ account }) => nameOf(account.id))

suite('suggestions for the staff', () => {
  test('are those that do not depend on a viewer, with their sources', async () => {
    await moderator.client.delete(`/api/v1/suggestions/${ids.writer}`)
    const expected = [
      ['chosen', 'featured'],
      ['writer', 'most_interactions'],
      ['star', 'most_followed'],
    ]
    assert.deepEqual(await list(), expected)
    assert.deepEqual(await list({ limit: 1, offset: 1 }), [expected[1]])
    assert.deepEqual(await list({ state: 'suppressed' }), [])
    const { headers } = await moderator.client.get(PATH, { limit: 1, state: 'suggested' })
    assert.match(String(headers['link']), /admin\/suggestions\?state=suggested&limit=1&offset=1>; rel="next"/)
    const { body } = await moderator.client.get<Row>(`${PATH}/${ids.star}`)
    assertEntity('AdminSuggestion', body)
    assert.deepEqual([body.sources, body.suppressed], [['most_followed'], false])
  })

  test('disappear for all users and from all sources when they are suppressed, until they are restored', async () => {
    await viewer.client.post(`/api/v1/accounts/${friend.accountId}/follow`)
    await friend.client.post(`/api/v1/accounts/${ids.writer}/follow`)
    assert.deepEqual(await suggested(), ['chosen', 'writer', 'star'])
    for (const [name, id] of Object.entries(ids)) {
      assert.equal(await change(id, 'suppress'), true)
      assert.equal(await change(id, 'suppress'), true)
      assert.ok(!(await suggested()).includes(name), name)
    }
    assert.deepEqual(await list(), [])
    assert.deepEqual(await list({ state: 'suppressed' }), [
      ['star', ''],
      ['writer', ''],
      ['chosen', ''],
    ])
    await suspend(ctx, { accountId: ids.star })
    assert.deepEqual(await list({ state: 'suppressed', offset: 1 }), [['chosen', '']])
    await unsuspend(ctx, { accountId: ids.star })
    for (const id of Object.values(ids)) {
      assert.equal(await change(id, 'restore'), false)
      assert.equal(await change(id, 'restore'), false)
    }
    assert.deepEqual(await suggested(), ['chosen', 'writer', 'star'])
    const { rows } = await sql<{ entry: string }>`
      select concat_ws(' ', action, target_type, label, account_id) as entry from audit_log_entries
      where target_id = ${ids.star} order by id`.execute(db)
    assert.deepEqual(
      rows.map(({ entry }) => entry),
      ['suppress', 'restore'].map((action) => `${action}_suggestion account star@far.test ${moderator.accountId}`),
    )
  })

  test('are changed only by staff who review trends, and only for existing accounts', async () => {
    for (const url of [PATH, `${PATH}/${ids.star}`]) assert.equal((await viewer.client.get(url)).status, 403, url)
    const pending = await testServer.createUser({ approved: false })
    for (const action of ['suppress', 'restore']) {
      assert.equal((await viewer.client.post(`${PATH}/${ids.star}/${action}`)).status, 403)
      for (const id of ['99999999', 'x', pending.accountId]) {
        const { status, body } = await moderator.client.post(`${PATH}/${id}/${action}`)
        assert.deepEqual([status, body], [404, { error: 'Record not found' }])
      }
    }
    assert.equal((await moderator.client.get(`${PATH}/99999999`)).status, 404)
    assert.equal((await moderator.client.get(PATH, { state: 'other' })).status, 422)
  })
})
