import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeRemote, makeRemoteStatus } from '../../../test/remote.ts'
import { walkPages } from '../../../test/walk.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { List } from '../../entities/list.ts'
import type { Status } from '../../entities/status.ts'
import { acceptOwnRequest } from '../relationships/own-requests.ts'

const world = await openWorld()
after(world.close)

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

/** A list with somebody on it who is followed. */
async function listOf(owner: Person, member: { accountId: string }): Promise<List> {
  await owner.client.post(`/api/v1/accounts/${member.accountId}/follow`)
  const { body } = await owner.client.post<List>('/api/v1/lists', { title: 'Friends' })
  const answer = await owner.client.post(`/api/v1/lists/${body.id}/accounts`, { account_ids: [member.accountId] })
  assert.equal(answer.status, 200)
  return body
}

test('walking the pages of the timeline of a list meets every status once, in both directions', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const list = await listOf(alice, bob)
  const empty = await alice.client.get(`/api/v1/timelines/list/${list.id}`)
  assert.deepEqual([empty.status, empty.body, empty.headers.link], [200, [], undefined])
  const ids: string[] = []
  for (let n = 0; n < 13; n += 1) {
    ids.unshift((await bob.client.post<Status>('/api/v1/statuses', { status: `number ${n}` })).body.id)
  }
  await world.settle()
  const path = `/api/v1/timelines/list/${list.id}`
  assert.deepEqual(await walkPages(alice.client, `${path}?limit=5`), [ids.slice(0, 5), ids.slice(5, 10), ids.slice(10)])
  const up = await walkPages(alice.client, `${path}?limit=5&min_id=${ids.at(-1)}`, 'prev')
  assert.deepEqual(up.toReversed().flat(), ids.slice(0, -1))
  const { headers } = await alice.client.get(`${path}?limit=40`)
  assert.match(String(headers.link), /max_id=.*rel="next".*min_id=.*rel="prev"/)
})

test('the timeline of a list shows edits, and nothing that was deleted', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const list = await listOf(alice, bob)
  const post = async (person: Person, status: string) =>
    (await person.client.post<Status>('/api/v1/statuses', { status })).body.id
  const [kept, doomed, foreign] = [
    await post(bob, 'first words'),
    await post(bob, 'gone'),
    await post(carol, 'boosted'),
  ]
  const boost = await bob.client.post<Status>(`/api/v1/statuses/${foreign}/reblog`)
  await world.settle()
  const read = async () => (await alice.client.get<Status[]>(`/api/v1/timelines/list/${list.id}`)).body
  assert.deepEqual(idsOf(await read()), [boost.body.id, doomed, kept])
  await bob.client.put(`/api/v1/statuses/${kept}`, { status: 'other words' })
  await bob.client.delete(`/api/v1/statuses/${doomed}`)
  await carol.client.delete(`/api/v1/statuses/${foreign}`)
  const left = await read()
  assert.deepEqual(idsOf(left), [kept])
  assert.match(left[0]?.content ?? '', /other words/)
})

test('somebody of another server is on a list as soon as they are asked, and their posts when they have agreed', async () => {
  const alice = await world.createPerson()
  const accountId = await makeRemote(world.ctx)
  const list = await listOf(alice, { accountId })
  const read = async () => idsOf((await alice.client.get(`/api/v1/timelines/list/${list.id}`)).body)
  const post = () => makeRemoteStatus(world.ctx, { accountId, publishedAt: new Date() })
  const early = await post()
  await world.settle()
  assert.deepEqual(await read(), [])
  await world.ctx.write((tx) => acceptOwnRequest(tx, { accountId: alice.accountId, targetAccountId: accountId }))
  await world.settle()
  const late = await post()
  await world.settle()
  assert.deepEqual(await read(), [late, early])
  assert.deepEqual(idsOf((await alice.client.get(`/api/v1/lists/${list.id}/accounts`)).body), [accountId])
})
