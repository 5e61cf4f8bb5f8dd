import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { openTcpProxy } from '../../../test/services/tcp-proxy.ts'
import { noValkey, openValkey } from '../../../test/services/valkey.ts'
import { checkValkey } from '../../cli/commands/doctor/checks/valkey.ts'
import { readConfig } from '../config/config.ts'
import { connectValkey } from '../connect-valkey.ts'
import { createLog } from '../log/log.ts'
import { RateLimiterUnavailableError } from './rate-limiter.ts'
import { createValkeyRateLimiter } from './valkey-rate-limiter.ts'

/** Starts a Valkey, and connects to it through a proxy that can lead to another one. */
async function openLimiter(t: TestContext) {
  const server = await openValkey()
  const target = { host: '127.0.0.1', port: Number(new URL(server.url).port) }
  const proxy = await openTcpProxy(target)
  const lines: string[] = []
  const log = createLog('info', { output: { write: (line: string) => lines.push(JSON.parse(line).msg) } })
  const valkey = await connectValkey(`redis://127.0.0.1:${proxy.port}`, { localDomain: 'a.test', log })
  const direct = await connectValkey(server.url, { localDomain: 'a.test', log: createLog('silent') })
  t.after(async () => {
    valkey.close()
    direct.close()
    await proxy.close()
    await server.kill()
  })
  const limiter = createValkeyRateLimiter(valkey, { log })
  const throttle = { name: 'test', limit: 1_000, windowSeconds: 3_600 }
  return {
    server,
    target,
    lines,
    client: direct.client,
    take: async () => (await limiter.take(throttle, 'key', new Date('2026-11-05T00:00:10Z'))).remaining,
  }
}

test(
  'BI20 the log and the doctor report a Valkey without memory, which counts no requests',
  { skip: noValkey },
  async (t) => {
    const { server, lines, client, take } = await openLimiter(t)
    const doctor = async () => (await checkValkey(readConfig({ REDIS_URL: server.url })))[0]!
    assert.equal(await take(), 999)
    assert.equal((await doctor()).kind, 'ok')
    await client.config('SET', 'maxmemory', '1')
    for (let n = 0; n < 3; n += 1) await assert.rejects(take, RateLimiterUnavailableError)
    const found = await doctor()
    assert.match(`${found.kind}: ${found.text}`, /^error: Valkey at 127\.0\.0\.1:\d+ accepts no writes: .*OOM/)
    await client.config('SET', 'maxmemory', '0')
    assert.equal(await take(), 998)
    assert.deepEqual(lines, [
      'Valkey counts no requests, so users can neither log in nor sign up',
      'Valkey counts requests again',
    ])
  },
)

test(
  'after a failover whose former primary still responds, requests are counted at the new one',
  { skip: noValkey },
  async (t) => {
    const { target, client, take } = await openLimiter(t)
    const promoted = await openValkey()
    t.after(() => promoted.kill())
    assert.equal(await take(), 999)
    // Of a primary that does not exist, so that nothing is copied.
    await client.replicaof('127.0.0.1', '1')
    target.port = Number(new URL(promoted.url).port)
    await assert.rejects(take, RateLimiterUnavailableError)
    await eventually(async () => assert.ok((await take()) > 0))
  },
)
