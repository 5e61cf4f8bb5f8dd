import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { fetcherFor, openRawServer, openTestSite } from '../../../test/services/test-site.ts'
import type { Fetcher } from './fetcher.ts'
import { PostponedError } from '../jobs/postponed-error.ts'
import { FetchFailedError } from './fetch-errors.ts'

const SLOTS = 16
const SLOTS_PER_SENDER = 4
const SLOW_SLOTS = 4
const SLOW_SLOTS_PER_SENDER = 2

/** How a request ended. */
type End = 'answered' | 'postponed' | 'timeout'

const silent = await openRawServer(() => {})

function request(
  fetcher: Fetcher,
  { host, sender, isSentOnce = false }: { host: string; sender?: string; isSentOnce?: boolean },
): Promise<End> {
  const background = sender === undefined ? undefined : { sender, isSentOnce }
  return fetcher.request({ url: `http://${host}/`, allowHttp: true, maxBytes: 100, background }).then(
    () => 'answered',
    (err: unknown) => {
      if (err instanceof PostponedError) return 'postponed'
      if (err instanceof FetchFailedError && err.kind === 'timeout') return 'timeout'
      throw err
    },
  )
}

/** Maps all names to the address of a site. */
function namesOf({ port }: { port: number }, names: readonly string[]): Map<string, { ip: string; port: number }> {
  return new Map(names.map((name) => [name, { ip: '127.0.0.1', port }]))
}

function countEnds(ends: readonly End[]): Partial<Record<End, number>> {
  return Object.fromEntries(Object.entries(Object.groupBy(ends, (end) => end)).map(([end, all]) => [end, all.length]))
}

suite('background requests', () => {
  const hosts = Array.from({ length: 40 }, (_, n) => `silent${n}.test`)
  const testHosts = namesOf(silent, hosts)

  test('of one sender use a share of the slots, and slow ones a smaller share', async () => {
    const fetcher = fetcherFor(silent, { maxConcurrent: SLOTS, testHosts, timeoutMs: 1_500 })
    const ends = await Promise.all(hosts.map((host) => request(fetcher, { host, sender: 'mallory.test' })))
    assert.deepEqual(countEnds(ends), {
      timeout: SLOW_SLOTS_PER_SENDER,
      postponed: hosts.length - SLOW_SLOTS_PER_SENDER,
    })
    assert.equal(silent.connections, SLOTS_PER_SENDER)
  })

  test('of many senders together use a share of the slots while they are slow', async () => {
    const fetcher = fetcherFor(silent, { maxConcurrent: SLOTS, testHosts, timeoutMs: 1_500 })
    const ends = await Promise.all(hosts.map((host) => request(fetcher, { host, sender: `sender of ${host}` })))
    assert.deepEqual(countEnds(ends), { timeout: SLOW_SLOTS, postponed: hosts.length - SLOW_SLOTS })
  })

  test('that are sent only once are not aborted, so those to new hosts need a slot for slow ones from the start', async () => {
    const fetcher = fetcherFor(silent, { maxConcurrent: SLOTS, testHosts, timeoutMs: 1_500 })
    const before = silent.connections
    const ends = await Promise.all(
      hosts.map((host) => request(fetcher, { host, sender: `sender of ${host}`, isSentOnce: true })),
    )
    assert.deepEqual(countEnds(ends), { timeout: SLOW_SLOTS, postponed: hosts.length - SLOW_SLOTS })
    assert.equal(silent.connections, before + SLOW_SLOTS)
  })

  test('that found no slot when they became slow need one from the start the next time', async () => {
    const fetcher = fetcherFor(silent, { maxConcurrent: SLOTS, testHosts, timeoutMs: 1_500 })
    const sender = 'mallory.test'
    const ends = hosts
      .slice(0, SLOTS_PER_SENDER)
      .map(async (host) => ({ host, end: await request(fetcher, { host, sender }) }))
    const { host, end } = await Promise.race(ends)
    assert.equal(end, 'postponed')
    const before = silent.connections
    assert.equal(await request(fetcher, { host, sender }), 'postponed')
    assert.equal(silent.connections, before)
    await Promise.all(ends)
  })

  test('do not wait for a host that did not respond recently, but requests of users do', async () => {
    const fetcher = fetcherFor(silent, { maxConcurrent: SLOTS, testHosts, timeoutMs: 1_200 })
    assert.equal(await request(fetcher, { host: 'silent0.test', sender: 'a.test' }), 'timeout')
    const before = silent.connections
    assert.equal(await request(fetcher, { host: 'silent0.test', sender: 'b.test' }), 'timeout')
    assert.equal(silent.connections, before)
    assert.equal(await request(fetcher, { host: 'silent0.test' }), 'timeout')
    assert.equal(silent.connections, before + 1)
  })

  test('to responsive hosts continue while other hosts do not respond, also for the same sender', async () => {
    const site = await openTestSite({ '/': (_request, response) => void response.end('here') }, { tls: false })
    const fetcher = fetcherFor(silent, {
      maxConcurrent: SLOTS,
      testHosts: new Map([...testHosts, ...namesOf(site, ['a.test', 'b.test'])]),
      timeoutMs: 1_500,
    })
    const attack = Promise.all(hosts.map((host) => request(fetcher, { host, sender: 'mallory.test' })))
    for (let n = 0; n < 20; n += 1) {
      assert.equal(await request(fetcher, { host: 'a.test', sender: 'honest.test' }), 'answered')
    }
    // After a second, two of four requests are slow, and the other slots of the sender are free again.
    await eventually(async () =>
      assert.equal(await request(fetcher, { host: 'b.test', sender: 'mallory.test' }), 'answered'),
    )
    assert.equal(countEnds(await attack).timeout, SLOW_SLOTS_PER_SENDER)
  })

  test('that wait for a request of another job need a slot, too', async () => {
    const fetcher = fetcherFor(silent, { maxConcurrent: SLOTS, testHosts })
    const never = () => new Promise<never>(() => {})
    const join = (sender: string) => fetcher.joinRequest({ url: 'http://silent1.test/', background: { sender } }, never)
    for (let n = 0; n < SLOTS_PER_SENDER; n += 1) void join('a.test').catch(() => {})
    await assert.rejects(join('a.test'), PostponedError)
    await assert.rejects(join('b.test'), PostponedError, 'the host has not responded before')
  })

  test('retry one after the other when they are postponed', async () => {
    const fetcher = fetcherFor(silent, { maxConcurrent: 1, testHosts, timeoutMs: 500 })
    const first = request(fetcher, { host: 'silent2.test', sender: 'a.test' })
    const delays: number[] = []
    for (let n = 0; n < 20; n += 1) {
      const postponed = fetcher.request({
        url: 'http://silent3.test/',
        allowHttp: true,
        maxBytes: 1,
        background: { sender: 'a.test' },
      })
      await assert.rejects(postponed, (err) => err instanceof PostponedError && delays.push(err.delayMs) > 0)
    }
    assert.ok(delays[0]! <= 1_000 && delays.at(-1)! > 10_000, delays.join(' '))
    assert.equal(await first, 'timeout')
  })
})
