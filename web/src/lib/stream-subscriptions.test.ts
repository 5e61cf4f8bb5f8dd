import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { StreamConnector } from './stream-connector.ts'
import { StreamSubscriptions } from './stream-subscriptions.ts'
import type { Stream, StreamEvent } from './stream-subscriptions.ts'

const HASHTAG: Stream = { stream: 'hashtag', tag: 'linnets' }
const USER: Stream = { stream: 'user' }

/** The subscriptions of a client, with what it sends on each connection, and a server that sends events. */
function createClient(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: string[][] = []
  let socket: EventTarget & { close: () => void } = Object.assign(new EventTarget(), { close: () => undefined })
  const connector = new StreamConnector(() => {
    const messages: string[] = []
    sent.push(messages)
    const opened = Object.assign(new EventTarget(), {
      close: () => void opened.dispatchEvent(new Event('close')),
      send: (message: string) => void messages.push(message),
    })
    socket = opened
    setTimeout(() => opened.dispatchEvent(new Event('open')), 1)
    return opened as unknown as WebSocket
  }, new EventTarget())
  const client = new StreamSubscriptions(connector)
  t.after(() => client.close())
  return {
    client,
    sent,
    async connect() {
      for (let second = 0; second < 2; second += 1) t.mock.timers.tick(1_000)
      await connector.acquire()
      await new Promise(setImmediate)
    },
    async disconnect() {
      socket.close()
      await new Promise(setImmediate)
    },
    send: (message: object) =>
      void socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) })),
  }
}

const message = (type: string, stream: Stream) => JSON.stringify({ type, ...stream })

test('a stream is subscribed to once for all its listeners, and left with the last one', async (t) => {
  const { client, sent, connect } = createClient(t)
  await connect()
  const ends = [client.listen(HASHTAG, () => undefined), client.listen(HASHTAG, () => undefined)]
  ends[0]!()
  ends[0]!()
  assert.deepEqual(sent, [[message('subscribe', HASHTAG)]])
  ends[1]!()
  assert.deepEqual(sent, [[message('subscribe', HASHTAG), message('unsubscribe', HASHTAG)]])
  client.listen(HASHTAG, () => undefined)
  assert.equal(sent[0]!.length, 3)
})

test('a new connection has the streams of the listeners only, and still leaves them', async (t) => {
  const { client, sent, connect, disconnect } = createClient(t)
  const early = client.listen(HASHTAG, () => undefined)
  const user = client.listen(USER, () => undefined)
  const left = client.listen({ stream: 'public' }, () => undefined)
  left()
  await connect()
  early()
  await disconnect()
  const late = client.listen({ stream: 'list', list: '7' }, () => undefined)
  late()
  await connect()
  user()
  assert.deepEqual(sent, [
    [message('subscribe', HASHTAG), message('subscribe', USER), message('unsubscribe', HASHTAG)],
    [message('subscribe', USER), message('unsubscribe', USER)],
  ])
})

test('listeners get the events of their stream with names in camel case, and no errors', async (t) => {
  const { client, connect, send } = createClient(t)
  const events: [string, StreamEvent][] = []
  const end = client.listen(HASHTAG, (event) => events.push(['linnets', event]))
  client.listen({ stream: 'hashtag', tag: 'robins' }, (event) => events.push(['robins', event]))
  client.listen(USER, (event) => events.push(['user', event]))
  await connect()
  send({ stream: ['hashtag', 'linnets'], event: 'update', payload: '{"id":"1","in_reply_to_id":null}' })
  send({ stream: ['user'], event: 'delete', payload: '115000000000000001' })
  send({ stream: ['user'], event: 'filters_changed' })
  send({ error: 'Record not found', status: 404 })
  end()
  send({ stream: ['hashtag', 'linnets'], event: 'delete', payload: '1' })
  assert.deepEqual(
    events.map(([name, { event, payload }]) => [name, event, payload]),
    [
      ['linnets', 'update', { id: '1', inReplyToId: null }],
      ['user', 'delete', '115000000000000001'],
      ['user', 'filters_changed', undefined],
    ],
  )
})
