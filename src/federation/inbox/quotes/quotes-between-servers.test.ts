// Slow: runs two servers.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openConnectedServers } from '../../../../test/servers/connected-servers.ts'
import type { TestUser, TestServer } from '../../../../test/servers/test-server.ts'
import type { Status } from '../../../entities/statuses/status.ts'

const connectedServers = await openConnectedServers(['first.test', 'second.test', 'third.test'])
after(connectedServers.close)
const { servers: testServers, deliverAll, findStatus, follow } = connectedServers
const [first, second, third] = testServers as [TestServer, TestServer, TestServer]

async function post({ client }: TestUser, body: object = {}) {
  const { status, body: made } = await client.post('/api/v1/statuses', { status: 'words', ...body })
  assert.equal(status, 200, JSON.stringify(made))
  return made
}

const quotedIn = ({ quote }: Status) => (quote && 'quoted_status' in quote ? quote.quoted_status : null)

/** Returns the number of quotes of a status, by its URI, that each user sees. */
const countsFor = async (users: readonly TestUser[], uri: string) =>
  Promise.all(users.map(async (user) => (await findStatus(user, uri)).quotes_count))

test('three servers agree on a quote from its request to its revocation', async () => {
  const [author, quoter, reader] = [await first.createUser(), await second.createUser(), await third.createUser()]
  const users = [author, quoter, reader]
  await follow(reader, `@${quoter.username}@second.test`)
  await follow(quoter, `@${author.username}@first.test`)
  const quoted = await post(author, { status: 'worth quoting' })
  await deliverAll()
  const { id: quotedIdOnSecond } = await findStatus(quoter, quoted.uri)
  const quoting = await post(quoter, { quoted_status_id: quotedIdOnSecond })
  assert.equal(quoting.quote?.state, 'pending')
  await deliverAll()
  const states = async () => Promise.all(users.map(async (user) => (await findStatus(user, quoting.uri)).quote?.state))
  assert.deepEqual(await states(), ['accepted', 'accepted', 'accepted'])
  const shown = quotedIn(await findStatus(reader, quoting.uri))
  assert.deepEqual([shown?.uri, shown?.content], [quoted.uri, '<p>worth quoting</p>'])
  assert.deepEqual(await countsFor(users, quoted.uri), [1, 1, 1])
  const { body: notifications } = await author.client.get('/api/v1/notifications')
  assert.deepEqual(
    notifications.map(({ type }: { type: string }) => type),
    ['quote', 'follow'],
  )
  const { id: quotingIdOnFirst } = await findStatus(author, quoting.uri)
  await author.client.post(`/api/v1/statuses/${quoted.id}/quotes/${quotingIdOnFirst}/revoke`)
  await deliverAll()
  assert.deepEqual((await states()).slice(0, 2), ['revoked', 'revoked'])
  assert.notEqual((await states())[2], 'accepted')
  assert.deepEqual(await countsFor(users, quoted.uri), [0, 0, 0])
})

test('a quote in a followers-only status is shown to followers on any server', async () => {
  const [author, quoter, reader] = [await first.createUser(), await second.createUser(), await third.createUser()]
  await follow(reader, `@${quoter.username}@second.test`)
  const quoted = await post(author)
  const { id } = await findStatus(quoter, quoted.uri)
  const quoting = await post(quoter, { quoted_status_id: id, visibility: 'private' })
  await deliverAll()
  const { body: home } = await reader.client.get('/api/v1/timelines/home')
  assert.deepEqual(
    home.map(({ uri, quote }: Status) => [uri, quote?.state]),
    [[quoting.uri, 'accepted']],
  )
  const { body: notifications } = await author.client.get('/api/v1/notifications')
  assert.deepEqual(
    notifications.map(({ type, status }: { type: string; status: Status }) => [type, status.uri, status.quote?.state]),
    [['quote', quoting.uri, 'accepted']],
  )
})

test('a quote that the policy denies is rejected by the quoted author’s server', async () => {
  const [author, quoter] = [await first.createUser(), await second.createUser()]
  const quoted = await post(author, { status: 'mine' })
  const { id } = await findStatus(quoter, quoted.uri)
  await author.client.put(`/api/v1/statuses/${quoted.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
  const quoting = await post(quoter, { quoted_status_id: id })
  await deliverAll()
  const { body } = await quoter.client.get(`/api/v1/statuses/${quoting.id}`)
  assert.deepEqual(body.quote, { state: 'rejected', quoted_status: null })
  assert.equal((await author.client.get(`/api/v1/statuses/${quoted.id}`)).body.quotes_count, 0)
})

test('an approved quote between accounts of one server is shown on another server', async () => {
  const [author, quoter, reader] = [await first.createUser(), await first.createUser(), await second.createUser()]
  await follow(reader, `@${quoter.username}@first.test`)
  const quoted = await post(author)
  const quoting = await post(quoter, { quoted_status_id: quoted.id })
  const own = await post(quoter, { quoted_status_id: quoting.id, visibility: 'unlisted' })
  await deliverAll()
  for (const [{ uri }, inner] of [
    [quoting, quoted.uri],
    [own, quoting.uri],
  ] as const) {
    const status = await findStatus(reader, uri)
    assert.deepEqual([status.quote?.state, quotedIn(status)?.uri], ['accepted', inner])
  }
  await author.client.delete(`/api/v1/statuses/${quoted.id}`)
  await deliverAll()
  assert.equal((await findStatus(reader, quoting.uri)).quote?.state, 'deleted')
})
