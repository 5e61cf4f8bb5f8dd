// Slow: runs two servers.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openNeighbours } from '../../test/neighbours.ts'
import type { Person, World } from '../../test/world.ts'
import type { Status } from '../entities/status.ts'

const neighbours = await openNeighbours(['first.test', 'second.test', 'third.test'])
after(neighbours.close)
const { worlds, settle, findStatus, follow } = neighbours
const [first, second, third] = worlds as [World, World, World]

async function post({ client }: Person, body: object = {}) {
  const { status, body: made } = await client.post('/api/v1/statuses', { status: 'words', ...body })
  assert.equal(status, 200, JSON.stringify(made))
  return made
}

const quotedIn = ({ quote }: Status) => (quote && 'quoted_status' in quote ? quote.quoted_status : null)

/** How many quotes each person finds of a status, by its address. */
const countsFor = async (people: readonly Person[], uri: string) =>
  Promise.all(people.map(async (person) => (await findStatus(person, uri)).quotes_count))

test('three servers of ours agree on a quote from its request to its end', async () => {
  const [author, quoter, reader] = [await first.createPerson(), await second.createPerson(), await third.createPerson()]
  const everybody = [author, quoter, reader]
  await follow(reader, `@${quoter.username}@second.test`)
  await follow(quoter, `@${author.username}@first.test`)
  const quoted = await post(author, { status: 'worth quoting' })
  await settle()
  const { id: quotedThere } = await findStatus(quoter, quoted.uri)
  const quoting = await post(quoter, { quoted_status_id: quotedThere })
  assert.equal(quoting.quote?.state, 'pending')
  await settle()
  const states = async () =>
    Promise.all(everybody.map(async (person) => (await findStatus(person, quoting.uri)).quote?.state))
  assert.deepEqual(await states(), ['accepted', 'accepted', 'accepted'])
  const shown = quotedIn(await findStatus(reader, quoting.uri))
  assert.deepEqual([shown?.uri, shown?.content], [quoted.uri, '<p>worth quoting</p>'])
  assert.deepEqual(await countsFor(everybody, quoted.uri), [1, 1, 1])
  const { body: notifications } = await author.client.get('/api/v1/notifications')
  assert.deepEqual(
    notifications.map(({ type }: { type: string }) => type),
    ['quote', 'follow'],
  )
  const { id: quotingHere } = await findStatus(author, quoting.uri)
  await author.client.post(`/api/v1/statuses/${quoted.id}/quotes/${quotingHere}/revoke`)
  await settle()
  assert.deepEqual((await states()).slice(0, 2), ['revoked', 'revoked'])
  assert.notEqual((await states())[2], 'accepted')
  assert.deepEqual(await countsFor(everybody, quoted.uri), [0, 0, 0])
})

test('what is quoted for followers alone is shown to them, on whatever server they are', async () => {
  const [author, quoter, reader] = [await first.createPerson(), await second.createPerson(), await third.createPerson()]
  await follow(reader, `@${quoter.username}@second.test`)
  const quoted = await post(author)
  const { id } = await findStatus(quoter, quoted.uri)
  const quoting = await post(quoter, { quoted_status_id: id, visibility: 'private' })
  await settle()
  const { body: home } = await reader.client.get('/api/v1/timelines/home')
  assert.deepEqual(
    home.map(({ uri, quote }: Status) => [uri, quote?.state]),
    [[quoting.uri, 'accepted']],
  )
  const { body: news } = await author.client.get('/api/v1/notifications')
  assert.deepEqual(
    news.map(({ type, status }: { type: string; status: Status }) => [type, status.uri, status.quote?.state]),
    [['quote', quoting.uri, 'accepted']],
  )
})

test('whoever may not is refused by the server of whom they quote, whatever their own server thought', async () => {
  const [author, quoter] = [await first.createPerson(), await second.createPerson()]
  const quoted = await post(author, { status: 'mine' })
  const { id } = await findStatus(quoter, quoted.uri)
  await author.client.put(`/api/v1/statuses/${quoted.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
  const quoting = await post(quoter, { quoted_status_id: id })
  await settle()
  const { body } = await quoter.client.get(`/api/v1/statuses/${quoting.id}`)
  assert.deepEqual(body.quote, { state: 'rejected', quoted_status: null })
  assert.equal((await author.client.get(`/api/v1/statuses/${quoted.id}`)).body.quotes_count, 0)
})

test('what people of one server quote of each other is shown on another as they agreed', async () => {
  const [author, quoter, reader] = [await first.createPerson(), await first.createPerson(), await second.createPerson()]
  await follow(reader, `@${quoter.username}@first.test`)
  const quoted = await post(author)
  const quoting = await post(quoter, { quoted_status_id: quoted.id })
  const own = await post(quoter, { quoted_status_id: quoting.id, visibility: 'unlisted' })
  await settle()
  for (const [{ uri }, inner] of [
    [quoting, quoted.uri],
    [own, quoting.uri],
  ] as const) {
    const status = await findStatus(reader, uri)
    assert.deepEqual([status.quote?.state, quotedIn(status)?.uri], ['accepted', inner])
  }
  await author.client.delete(`/api/v1/statuses/${quoted.id}`)
  await settle()
  assert.equal((await findStatus(reader, quoting.uri)).quote?.state, 'deleted')
})
