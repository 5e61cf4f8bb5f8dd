import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { until } from '../../../test/streams.ts'
import { sendPieces } from './send.ts'

const PIECE = 'x'.repeat(100_000)

/** A server that makes up to so many pieces. */
async function serve({ count, failAt = Infinity }: { count: number; failAt?: number }) {
  const seen = { made: 0, ended: false }
  const app = Fastify()
  async function* make(): AsyncGenerator<string, void, undefined> {
    try {
      for (let n = 0; n < count; n += 1) {
        if (n === failAt) throw new Error('no more')
        seen.made += 1
        yield PIECE
      }
    } finally {
      seen.ended = true
    }
  }
  app.get('/', async (_request, reply) => sendPieces(reply, make()))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, seen, port: (app.server.address() as AddressInfo).port }
}

test('what is short comes whole, with its length, and what is long comes in pieces', async (t) => {
  for (const [count, length] of [
    [2, '200000'],
    [40, null],
  ] as const) {
    const { app, port } = await serve({ count })
    t.after(async () => app.close())
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    assert.deepEqual([answer.status, answer.headers.get('content-length')], [200, length])
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal((await answer.text()).length, count * PIECE.length)
  }
})

test('an error with the first pieces is answered, and a later one breaks the answer off', async (t) => {
  const [early, late] = [await serve({ count: 40, failAt: 1 }), await serve({ count: 40, failAt: 20 })]
  t.after(async () => Promise.all([early.app.close(), late.app.close()]))
  assert.equal((await fetch(`http://127.0.0.1:${early.port}/`)).status, 500)
  const begun = await fetch(`http://127.0.0.1:${late.port}/`)
  assert.equal(begun.status, 200)
  await assert.rejects(begun.text())
})

test('for a reader who goes away no more is made', async (t) => {
  const { app, port, seen } = await serve({ count: 1_000_000 })
  t.after(async () => app.close())
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  socket.destroy()
  await until(() => seen.ended)
  assert.ok(seen.made < 10_000)
})
