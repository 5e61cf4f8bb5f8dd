import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { walkPages } from '../../../../test/http/walk-pages.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { List } from '../../../entities/accounts/list.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { recordFollowAccept } from '../../relationships/follows/answered-requests.ts'

const testServer = await openTestServer()
after(testServer.close)

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

/** Creates a list with one member, whom the owner follows. */
async function createList(owner: TestUser, member: { accountId: string }): Promise<List> {
  await owner.client.post(`/api/v1/accounts/${member.accountId}/follow`)
  const { body } = await owner.client.post<List>('/api/v1/lists', { title: 'Friends' })
  const response = await owner.client.post(`/api/v1/lists/${body.id}/accounts`, { account_ids: [member.accountId] })
  assert.equal(response.status, 200)
  return body
}

test('the pages of a list timeline contain every status once, in both directions', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const list = await createList(alice, bob)
  const empty = await alice.client.get(`/api/v1/timelines/list/${list.id}`)
  assert.deepEqual([empty.status, empty.body, empty.headers.link], [200, [], undefined])
  const ids: string[] = []
  for (let n = 0; n < 13; n += 1) {
    ids.unshift((await bob.client.post<Status>('/api/v1/statuses', { status: `number ${n}` })).body.id)
  }
  await testServer.waitForJobs()
  const path = `/api/v1/timelines/list/${list.id}`
  assert.deepEqual(await walkPages(alice.client, `${path}?limit=5`), [ids.slice(0, 5), ids.slice(5, 10), ids.slice(10)])
  const up = await walkPages(alice.client, `${path}?limit=5&min_id=${ids.at(-1)}`, 'prev')
  assert.deepEqual(up.toReversed().flat(), ids.slice(0, -1))
  const { headers } = await alice.client.get(`${path}?limit=40`)
  assert.match(String(headers.link), /max_id=.*rel="next".*min_id=.*rel="prev"/)
})

test('a list timeline shows edits, and no deleted statuses', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const list = await createList(alice, bob)
  const post = async (user: TestUser, status: string) =>
    (await user.client.post<Status>('/api/v1/statuses', { status })).body.id
  const [edited, deleted, reblogged] = [
    await post(bob, 'first words'),
    await post(bob, 'gone'),
    await post(carol, 'reblogged'),
  ]
  const reblog = await bob.client.post<Status>(`/api/v1/statuses/${reblogged}/reblog`)
  await testServer.waitForJobs()
  const read = async () => (await alice.client.get<Status[]>(`/api/v1/timelines/list/${list.id}`)).body
  assert.deepEqual(idsOf(await read()), [reblog.body.id, deleted, edited])
  await bob.client.put(`/api/v1/statuses/${edited}`, { status: 'other words' })
  await bob.client.delete(`/api/v1/statuses/${deleted}`)
  await carol.client.delete(`/api/v1/statuses/${reblogged}`)
  const remaining = await read()
  assert.deepEqual(idsOf(remaining), [edited])
  assert.match(remaining[0]?.content ?? '', /other words/)
})

test('a remote account is on a list from the follow request on, and its statuses once it has accepted', async () => {
  const alice = await testServer.createUser()
  const accountId = await createRemoteAccount(testServer.ctx)
  const list = await createList(alice, { accountId })
  const read = async () => idsOf((await alice.client.get(`/api/v1/timelines/list/${list.id}`)).body)
  const post = () => createRemoteStatus(testServer.ctx, { accountId, publishedAt: new Date() })
  const early = await post()
  await testServer.waitForJobs()
  assert.deepEqual(await read(), [])
  await testServer.ctx.write((tx) => recordFollowAccept(tx, { accountId: alice.accountId, targetAccountId: accountId }))
  await testServer.waitForJobs()
  const late = await post()
  await testServer.waitForJobs()
  assert.deepEqual(await read(), [late, early])
  assert.deepEqual(idsOf((await alice.client.get(`/api/v1/lists/${list.id}/accounts`)).body), [accountId])
})
