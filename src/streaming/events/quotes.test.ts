import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openQuoteServers } from '../../../test/federation/quote-servers.ts'
import { openSocket, openStreamingServer, statusOf, until } from '../../../test/streaming/streams.ts'
import type { Socket } from '../../../test/streaming/streams.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const quoting = await openQuoteServers()
const { testServer, makeActor, post, deliver, recordNote, serveAuthorization } = quoting
const streams = await openStreamingServer(testServer.ctx)
after(async () => {
  await streams.close()
  await quoting.close()
})

const listen = async ({ token }: TestUser, ...names: string[]): Promise<Socket> => {
  const socket = await openSocket(streams.origin, { token, stream: 'user' })
  await socket.subscribe(...names)
  return socket
}

test('the later acceptance of a quote, and its revocation, are sent as updates without an edit', async () => {
  const [user, fan, carol] = [await testServer.createUser(), await testServer.createUser(), await makeActor()]
  await fan.client.post(`/api/v1/accounts/${user.accountId}/follow`)
  const { id, note } = await recordNote(user, carol)
  const socket = await listen(fan)
  const status = await post(user, { quoted_status_id: id })
  const { activity: request } = await carol.inbox.next(({ type }) => type === 'QuoteRequest')
  await until(() => socket.received.some(({ event }) => event === 'update'))
  const result = serveAuthorization(carol, status.uri, note['id'])
  await deliver(carol, carol.activity('Accept', request, { result }))
  const untilState = (state: string) =>
    until(() =>
      socket.received.find(
        (one) =>
          one.event === 'status.update' && statusOf(one).id === status.id && statusOf(one).quote?.state === state,
      ),
    )
  const accepted = statusOf(await untilState('accepted'))
  assert.deepEqual(accepted, (await fan.client.get(`/api/v1/statuses/${status.id}`)).body)
  assert.equal(accepted.edited_at, null)
  await deliver(carol, carol.activity('Delete', result))
  await untilState('revoked')
})

test('a public stream hides quoted statuses from viewers that block their author or are blocked by it', async () => {
  const [author, quoter, blocked, blocking] = (await Promise.all(
    Array.from({ length: 4 }, async () => testServer.createUser()),
  )) as [TestUser, TestUser, TestUser, TestUser]
  const quoted = await post(author, { status: 'not for all' })
  await author.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  await blocking.client.post(`/api/v1/accounts/${author.accountId}/block`)
  const sockets = await Promise.all([blocked, blocking, quoter].map((user) => listen(user, 'public')))
  const status = await post(quoter, { quoted_status_id: quoted.id })
  const states = await Promise.all(
    sockets.map(async ({ received }) => {
      const event = await until(() =>
        received.find((one) => one.stream[0] === 'public' && statusOf(one).id === status.id),
      )
      const { quote } = statusOf(event)
      assert.equal(JSON.stringify(quote).includes('not for all'), quote?.state !== 'unauthorized')
      return quote?.state
    }),
  )
  assert.deepEqual(states, ['unauthorized', 'blocked_account', 'accepted'])
})
