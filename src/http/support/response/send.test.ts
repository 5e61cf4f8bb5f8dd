import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { until } from '../../../../test/streaming/streams.ts'
import { sendJsonChunks } from './send.ts'

const CHUNK = 'x'.repeat(100_000)

/** Starts a server whose response has `count` chunks. `failAt`: the chunk at which it fails. */
async function serve({ count, failAt = Infinity }: { count: number; failAt?: number }) {
  const generated = { count: 0, ended: false }
  const app = Fastify()
  async function* generate(): AsyncGenerator<string, void, undefined> {
    try {
      for (let n = 0; n < count; n += 1) {
        if (n === failAt) throw new Error('no more')
        generated.count += 1
        yield CHUNK
      }
    } finally {
      generated.ended = true
    }
  }
  app.get('/', async (_request, reply) => sendJsonChunks(reply, generate()))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, generated, port: (app.server.address() as AddressInfo).port }
}

test('short JSON is sent at once, with its length, and long JSON is streamed', async (t) => {
  for (const [count, length] of [
    [2, '200000'],
    [40, null],
  ] as const) {
    const { app, port } = await serve({ count })
    t.after(async () => app.close())
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    assert.deepEqual([answer.status, answer.headers.get('content-length')], [200, length])
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal((await answer.text()).length, count * CHUNK.length)
  }
})

test('an error in the first chunks gets an error response, and a later one aborts the response', async (t) => {
  const [early, late] = [await serve({ count: 40, failAt: 1 }), await serve({ count: 40, failAt: 20 })]
  t.after(async () => Promise.all([early.app.close(), late.app.close()]))
  assert.equal((await fetch(`http://127.0.0.1:${early.port}/`)).status, 500)
  const started = await fetch(`http://127.0.0.1:${late.port}/`)
  assert.equal(started.status, 200)
  await assert.rejects(started.text())
})

test('generation stops when the client disconnects', async (t) => {
  const { app, port, generated } = await serve({ count: 1_000_000 })
  t.after(async () => app.close())
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  socket.destroy()
  await until(() => generated.ended)
  assert.ok(generated.count < 10_000)
})
