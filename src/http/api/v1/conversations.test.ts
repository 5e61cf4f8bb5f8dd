import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { countQueries } from '../../../../test/count-queries.ts'
import { findPort } from '../../../../test/linnet.ts'
import { walkPages } from '../../../../test/walk.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import type { Conversation } from '../../../entities/conversation.ts'
import type { Status } from '../../../entities/status.ts'

const world = await openWorld()
after(world.close)

async function people(n: number): Promise<Person[]> {
  return Promise.all(Array.from({ length: n }, async () => world.createPerson()))
}

/** Writes to these people and nobody else. */
async function say(from: Person, to: readonly Person[], more: object = {}): Promise<Status> {
  const status = [...to.map((one) => `@${one.username}`), 'psst'].join(' ')
  const answer = await from.client.post<Status>('/api/v1/statuses', { status, visibility: 'direct', ...more })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  await world.settle()
  return answer.body
}

async function listOf(person: Person, query = ''): Promise<Conversation[]> {
  const { status, body } = await person.client.get<Conversation[]>(`/api/v1/conversations${query}`)
  assert.equal(status, 200)
  return body
}

/** What matters of somebody's conversations: the others, the last status, and a star where it is unread. */
async function glance(person: Person): Promise<string[]> {
  return (await listOf(person)).map(({ accounts, last_status: last, unread }) => {
    const names = accounts.map((one) => one.username).toSorted()
    return `${names.join(' ')}: ${last?.id}${unread ? '*' : ''}`
  })
}

async function act(person: Person, verb: string, other: Person, terms: object = {}): Promise<void> {
  const { status } = await person.client.post(`/api/v1/accounts/${other.accountId}/${verb}`, terms)
  assert.equal(status, 200)
}

test('what is written to somebody is a conversation of both, unread for whom it is for', async () => {
  const [ann, bob, eve] = (await people(3)) as [Person, Person, Person]
  const first = await say(ann, [bob])
  const [own] = await listOf(ann)
  assertOnWire('Conversation', own)
  assert.deepEqual(
    own!.accounts.map((one) => one.id),
    [bob.accountId],
  )
  assert.deepEqual([own!.unread, own!.last_status?.id], [false, first.id])
  assert.deepEqual(own!.last_status, (await ann.client.get(`/api/v1/statuses/${first.id}`)).body)
  assert.deepEqual(await glance(bob), [`${ann.username}: ${first.id}*`])
  assert.deepEqual(await listOf(eve), [])
  const reply = await say(bob, [ann], { in_reply_to_id: first.id })
  assert.deepEqual(await glance(ann), [`${bob.username}: ${reply.id}*`])
  assert.deepEqual(await glance(bob), [`${ann.username}: ${reply.id}`], 'who answers has read it')
})

test('a note to oneself is a conversation with oneself; what is not direct is none', async () => {
  const ann = await world.createPerson()
  const bob = await world.createPerson()
  for (const visibility of ['public', 'unlisted', 'private']) await say(ann, [bob], { visibility })
  const note = await say(ann, [])
  assert.deepEqual(await glance(ann), [`${ann.username}: ${note.id}`])
  assert.deepEqual(await glance(bob), [])
})

test('within a thread there is a conversation for every circle of people', async () => {
  const [ann, bob, eve] = (await people(3)) as [Person, Person, Person]
  const first = await say(ann, [bob])
  const wider = await say(bob, [ann, eve], { in_reply_to_id: first.id })
  const [withBoth, withBob] = [`${[bob.username, eve.username].toSorted().join(' ')}: ${wider.id}`, `${bob.username}: `]
  assert.deepEqual(await glance(ann), [`${withBoth}*`, `${withBob}${first.id}`])
  const back = await say(ann, [bob], { in_reply_to_id: wider.id })
  assert.deepEqual(await glance(ann), [`${withBob}${back.id}`, `${withBoth}*`])
  const other = await say(ann, [bob])
  assert.deepEqual((await glance(ann)).slice(0, 2), [`${withBob}${other.id}`, `${withBob}${back.id}`])
})

test('a conversation is marked as read and as unread by whose it is', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  const { id: statusId } = await say(ann, [bob])
  const [{ id }] = (await listOf(bob)) as [Conversation]
  const read = await bob.client.post<Conversation>(`/api/v1/conversations/${id}/read`)
  assertOnWire('Conversation', read.body)
  assert.deepEqual([read.status, read.body.unread, read.body.last_status?.id], [200, false, statusId])
  assert.deepEqual(await listOf(bob), [read.body])
  const unread = await bob.client.post<Conversation>(`/api/v1/conversations/${id}/unread`)
  assert.deepEqual(unread.body, { ...read.body, unread: true })
  assert.deepEqual(await listOf(bob), [unread.body])
})

test('VI11 nobody touches the conversation of somebody else, or finds out that it is there', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  await say(ann, [bob])
  const [{ id }] = (await listOf(bob)) as [Conversation]
  const before = await listOf(bob)
  for (const [method, path] of [
    ['POST', `/${id}/read`],
    ['POST', `/${id}/unread`],
    ['DELETE', `/${id}`],
  ] as const) {
    const url = `/api/v1/conversations${path}`
    const foreign = await ann.client.send({ method, url })
    const unknown = await ann.client.send({ method, url: url.replace(id, '9007199254740993') })
    assert.deepEqual([foreign.status, foreign.body], [404, unknown.body])
  }
  assert.deepEqual(await listOf(bob), before)
})

test('what is taken off the list comes back with the next message, and only with that', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  const first = await say(ann, [bob])
  const [{ id }] = (await listOf(bob)) as [Conversation]
  const gone = await bob.client.delete(`/api/v1/conversations/${id}`)
  assert.deepEqual([gone.status, gone.body], [200, {}])
  assert.deepEqual(await listOf(bob), [])
  assert.equal((await listOf(ann)).length, 1)
  assert.equal((await bob.client.get(`/api/v1/statuses/${first.id}`)).status, 200)
  const next = await say(ann, [bob], { in_reply_to_id: first.id })
  assert.deepEqual(await glance(bob), [`${ann.username}: ${next.id}*`])
  await ann.client.delete(`/api/v1/statuses/${next.id}`)
  assert.deepEqual(await listOf(bob), [])
  assert.deepEqual(await glance(ann), [`${bob.username}: ${first.id}`])
})

test('VI20 when a status is deleted, the one before is the last, and without any there is no conversation', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  const first = await say(ann, [bob])
  const second = await say(bob, [ann], { in_reply_to_id: first.id })
  const third = await say(ann, [bob], { in_reply_to_id: second.id })
  await bob.client.delete(`/api/v1/statuses/${second.id}`)
  assert.deepEqual(await glance(ann), [`${bob.username}: ${third.id}`])
  await ann.client.delete(`/api/v1/statuses/${third.id}`)
  assert.deepEqual(await glance(bob), [`${ann.username}: ${first.id}*`])
  await ann.client.delete(`/api/v1/statuses/${first.id}`)
  assert.deepEqual([await listOf(ann), await listOf(bob)], [[], []])
})

test('an edit that names somebody else moves the status to the conversation with them', async () => {
  const [ann, bob, eve] = (await people(3)) as [Person, Person, Person]
  const { id } = await say(ann, [bob])
  const edited = await ann.client.put(`/api/v1/statuses/${id}`, { status: `@${eve.username} hush` })
  assert.equal(edited.status, 200)
  await world.settle()
  assert.deepEqual(await glance(ann), [`${eve.username}: ${id}`])
  assert.deepEqual(await glance(eve), [`${ann.username}: ${id}*`])
  // Who had it may read it still.
  assert.deepEqual(await glance(bob), [`${ann.username}: ${id}*`])
  assert.match(String((await listOf(bob))[0]!.last_status!.content), /hush/)
})

test('an edit brings no conversation back that was taken off the list', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  const { id } = await say(ann, [bob])
  await bob.client.delete(`/api/v1/conversations/${await idOf(bob)}`)
  await ann.client.put(`/api/v1/statuses/${id}`, { status: `@${bob.username} hush` })
  await world.settle()
  assert.deepEqual([await glance(ann), await glance(bob)], [[`${bob.username}: ${id}`], []])
})

test('VI4 a block takes conversations away for good, and lets none come', async () => {
  const [ann, bob, eve] = (await people(3)) as [Person, Person, Person]
  await say(bob, [ann])
  await say(bob, [ann, eve])
  const kept = await say(eve, [ann])
  await act(ann, 'block', bob)
  assert.deepEqual(await glance(ann), [`${eve.username}: ${kept.id}*`])
  await say(eve, [ann, bob])
  await act(ann, 'unblock', bob)
  assert.deepEqual(await glance(ann), [`${eve.username}: ${kept.id}*`])
  const next = await say(bob, [ann])
  assert.equal((await glance(ann))[0], `${bob.username}: ${next.id}*`)
})

test('VI16 whoever mutes somebody with notifications sees no conversation with them as long as they do', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  const first = await say(bob, [ann])
  await act(ann, 'mute', bob)
  assert.deepEqual(await listOf(ann), [])
  await say(bob, [ann], { in_reply_to_id: first.id })
  await act(ann, 'unmute', bob)
  assert.deepEqual(await glance(ann), [`${bob.username}: ${first.id}*`], 'what was written meanwhile is not news')
  await act(ann, 'mute', bob, { notifications: false })
  const heard = await say(bob, [ann], { in_reply_to_id: first.id })
  assert.deepEqual(await glance(ann), [`${bob.username}: ${heard.id}*`])
})

test('a muted thread goes on quietly', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  const first = await say(ann, [bob])
  await ann.client.post(`/api/v1/statuses/${first.id}/mute`)
  const reply = await say(bob, [ann], { in_reply_to_id: first.id })
  assert.deepEqual(await glance(ann), [`${bob.username}: ${reply.id}`])
})

test('what somebody suspended wrote is not shown; what one wrote to them is', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  const asked = await say(bob, [ann])
  await setSuspended(bob, true)
  const path = `/api/v1/conversations/${await idOf(ann)}/read`
  assert.deepEqual([await listOf(ann), (await ann.client.post(path)).status], [[], 404])
  await setSuspended(bob, false)
  const answered = await say(ann, [bob], { in_reply_to_id: asked.id })
  const again = await say(bob, [ann], { in_reply_to_id: answered.id })
  await setSuspended(bob, true)
  const [seen] = await listOf(ann)
  assert.deepEqual([seen!.last_status?.id, seen!.accounts[0]?.suspended], [answered.id, true])
  await setSuspended(bob, false)
  assert.equal((await listOf(ann))[0]!.last_status?.id, again.id)
})

async function setSuspended({ accountId }: Person, suspended: boolean): Promise<void> {
  await sql`update accounts set suspended_at = case when ${suspended} then now() end, version = version + 1
    where id = ${accountId}`.execute(world.ctx.db)
}

async function idOf(person: Person): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from account_conversations where account_id = ${person.accountId}`.execute(world.ctx.db)
  return rows[0]!.id
}

test('VI8 neither the staff nor followers have a conversation that they take no part in', async () => {
  const [ann, bob, follower] = (await people(3)) as [Person, Person, Person]
  const owner = await world.createPerson({ role: 'owner' })
  await act(follower, 'follow', ann)
  await say(ann, [bob])
  assert.deepEqual([await listOf(follower), await listOf(owner)], [[], []])
})

test('BI2 conversations come in pages by their last status, each once, and a page asks as much as a single one', async () => {
  const [ann, ...others] = await people(12)
  const lasts: string[] = []
  for (const other of others) lasts.unshift((await say(other, [ann!])).id)
  const ids = (await listOf(ann!)).map((one) => one.id)
  assert.equal(ids.length, 11)
  const pages = await walkPages(ann!.client, '/api/v1/conversations?limit=3')
  assert.deepEqual(pages.flat(), ids)
  const first = await ann!.client.get<Conversation[]>('/api/v1/conversations?limit=3')
  assert.match(String(first.headers.link), new RegExp(`max_id=${lasts[2]}>.*min_id=${lasts[0]}>`))
  assert.deepEqual(
    (await listOf(ann!, `?min_id=${lasts[5]}&limit=2`)).map((one) => one.id),
    ids.slice(3, 5),
  )
  assert.deepEqual(
    (await listOf(ann!, `?since_id=${lasts[2]}`)).map((one) => one.id),
    ids.slice(0, 2),
  )
  await listOf(ann!)
  const [one, all] = [await countQueries(() => listOf(ann!, '?limit=1')), await countQueries(() => listOf(ann!))]
  assert.equal(all, one)
})

test('the old timeline of direct statuses is not there', async () => {
  const ann = await world.createPerson()
  assert.equal((await ann.client.get('/api/v1/timelines/direct')).status, 404)
})

test('masto.js lists conversations, marks one as read, and takes it away', async () => {
  const port = await findPort()
  const here = await openWorld({ env: { PORT: port, LOCAL_DOMAIN: `localhost:${port}` } })
  try {
    await here.listen()
    const [ann, bob] = [await here.createPerson(), await here.createPerson()]
    await ann.client.post('/api/v1/statuses', { status: `@${bob.username} hi`, visibility: 'direct' })
    await here.settle()
    const { conversations } = createRestAPIClient({ url: `http://localhost:${port}`, accessToken: bob.token }).v1
    const [talk] = await conversations.list()
    assert.deepEqual([talk!.unread, talk!.accounts[0]!.id], [true, ann.accountId])
    assert.equal((await conversations.$select(talk!.id).read()).unread, false)
    assert.equal((await conversations.$select(talk!.id).unread()).unread, true)
    await conversations.$select(talk!.id).remove()
    assert.deepEqual(await conversations.list(), [])
  } finally {
    await here.close()
  }
})
