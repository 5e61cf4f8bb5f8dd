import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openQuoting } from '../../test/quoting.ts'
import { openSocket, serveStreams, statusOf, until } from '../../test/streams.ts'
import type { Socket } from '../../test/streams.ts'
import type { Person } from '../../test/world.ts'

const quoting = await openQuoting()
const { world, makeActor, post, deliver, recordNote, serveConsent } = quoting
const streams = await serveStreams(world.ctx)
after(async () => {
  await streams.close()
  await quoting.close()
})

const listen = async ({ token }: Person, ...names: string[]): Promise<Socket> => {
  const socket = await openSocket(streams.origin, { token, stream: 'user' })
  await socket.subscribe(...names)
  return socket
}

test('a quote that is agreed to later, and its end, come as updates without an edit', async () => {
  const [person, fan, carol] = [await world.createPerson(), await world.createPerson(), await makeActor()]
  await fan.client.post(`/api/v1/accounts/${person.accountId}/follow`)
  const { id, note } = await recordNote(person, carol)
  const socket = await listen(fan)
  const status = await post(person, { quoted_status_id: id })
  const { activity: request } = await carol.inbox.next(({ type }) => type === 'QuoteRequest')
  await until(() => socket.received.some(({ event }) => event === 'update'))
  const result = serveConsent(carol, status.uri, note['id'])
  await deliver(carol, carol.activity('Accept', request, { result }))
  const heard = (state: string) =>
    until(() =>
      socket.received.find(
        (one) =>
          one.event === 'status.update' && statusOf(one).id === status.id && statusOf(one).quote?.state === state,
      ),
    )
  const accepted = statusOf(await heard('accepted'))
  assert.deepEqual(accepted, (await fan.client.get(`/api/v1/statuses/${status.id}`)).body)
  assert.equal(accepted.edited_at, null)
  await deliver(carol, carol.activity('Delete', result))
  await heard('revoked')
})

test('a public stream shows nobody a quote of whom they block, or who blocks them', async () => {
  const [author, quoter, blocked, blocking] = (await Promise.all(
    Array.from({ length: 4 }, async () => world.createPerson()),
  )) as [Person, Person, Person, Person]
  const quoted = await post(author, { status: 'not for all' })
  await author.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  await blocking.client.post(`/api/v1/accounts/${author.accountId}/block`)
  const sockets = await Promise.all([blocked, blocking, quoter].map((person) => listen(person, 'public')))
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
