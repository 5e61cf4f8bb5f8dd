import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { eventually } from '../../../test/linnet.ts'
import { fetcherFor, openRaw, openSite } from '../../../test/site.ts'
import type { Fetcher } from '../fetch.ts'
import { Postponed } from '../jobs/postponed.ts'
import { FetchFailed } from './refusals.ts'

const PLACES = 16
const OF_EACH_SENDER = 4
const SLOW = 4
const SLOW_OF_EACH_SENDER = 2

/** How a request ended. */
type End = 'answered' | 'postponed' | 'timeout'

const silent = await openRaw(() => {})

function ask(fetcher: Fetcher, { host, sender }: { host: string; sender?: string }): Promise<End> {
  const background = sender === undefined ? undefined : { sender }
  return fetcher.request({ url: `http://${host}/`, allowHttp: true, maxBytes: 100, background }).then(
    () => 'answered',
    (err: unknown) => {
      if (err instanceof Postponed) return 'postponed'
      if (err instanceof FetchFailed && err.kind === 'timeout') return 'timeout'
      throw err
    },
  )
}

/** Names that all lead to a site. */
function namesOf({ port }: { port: number }, names: readonly string[]): Map<string, { ip: string; port: number }> {
  return new Map(names.map((name) => [name, { ip: '127.0.0.1', port }]))
}

function countEnds(ends: readonly End[]): Partial<Record<End, number>> {
  return Object.fromEntries(Object.entries(Object.groupBy(ends, (end) => end)).map(([end, all]) => [end, all.length]))
}

suite('requests of jobs', () => {
  const hosts = Array.from({ length: 40 }, (_, n) => `silent${n}.test`)
  const testHosts = namesOf(silent, hosts)

  test('for one sender hold a part of the places, and while they are slow a smaller one', async () => {
    const fetcher = fetcherFor(silent, { places: PLACES, testHosts, timeoutMs: 1_500 })
    const ends = await Promise.all(hosts.map((host) => ask(fetcher, { host, sender: 'mallory.test' })))
    assert.deepEqual(countEnds(ends), { timeout: SLOW_OF_EACH_SENDER, postponed: hosts.length - SLOW_OF_EACH_SENDER })
    assert.equal(silent.connections, OF_EACH_SENDER)
  })

  test('for many senders together hold a part of the places while they are slow', async () => {
    const fetcher = fetcherFor(silent, { places: PLACES, testHosts, timeoutMs: 1_500 })
    const ends = await Promise.all(hosts.map((host) => ask(fetcher, { host, sender: `sender of ${host}` })))
    assert.deepEqual(countEnds(ends), { timeout: SLOW, postponed: hosts.length - SLOW })
  })

  test('that found no place while they were slow need one from the beginning the next time', async () => {
    const fetcher = fetcherFor(silent, { places: PLACES, testHosts, timeoutMs: 1_500 })
    const sender = 'mallory.test'
    const ends = hosts
      .slice(0, OF_EACH_SENDER)
      .map(async (host) => ({ host, end: await ask(fetcher, { host, sender }) }))
    const { host, end } = await Promise.race(ends)
    assert.equal(end, 'postponed')
    const before = silent.connections
    assert.equal(await ask(fetcher, { host, sender }), 'postponed')
    assert.equal(silent.connections, before)
    await Promise.all(ends)
  })

  test('never wait again for a host that has just been silent, but users may', async () => {
    const fetcher = fetcherFor(silent, { places: PLACES, testHosts, timeoutMs: 1_200 })
    assert.equal(await ask(fetcher, { host: 'silent0.test', sender: 'a.test' }), 'timeout')
    const before = silent.connections
    assert.equal(await ask(fetcher, { host: 'silent0.test', sender: 'b.test' }), 'timeout')
    assert.equal(silent.connections, before)
    assert.equal(await ask(fetcher, { host: 'silent0.test' }), 'timeout')
    assert.equal(silent.connections, before + 1)
  })

  test('go on to hosts that answer while others are silent, for the same sender as well', async () => {
    const site = await openSite({ '/': (_request, response) => void response.end('here') }, { tls: false })
    const fetcher = fetcherFor(silent, {
      places: PLACES,
      testHosts: new Map([...testHosts, ...namesOf(site, ['a.test', 'b.test'])]),
      timeoutMs: 1_500,
    })
    const attack = Promise.all(hosts.map((host) => ask(fetcher, { host, sender: 'mallory.test' })))
    for (let n = 0; n < 20; n += 1) {
      assert.equal(await ask(fetcher, { host: 'a.test', sender: 'honest.test' }), 'answered')
    }
    // After a second two of four are slow, and the other places of the sender are free again.
    await eventually(async () =>
      assert.equal(await ask(fetcher, { host: 'b.test', sender: 'mallory.test' }), 'answered'),
    )
    assert.equal(countEnds(await attack).timeout, SLOW_OF_EACH_SENDER)
  })

  test('that wait for a request of another job need a place as well', async () => {
    const fetcher = fetcherFor(silent, { places: PLACES, testHosts })
    const never = () => new Promise<never>(() => {})
    const join = (sender: string) => fetcher.join({ url: 'http://silent1.test/', background: { sender } }, never)
    for (let n = 0; n < OF_EACH_SENDER; n += 1) void join('a.test').catch(() => {})
    await assert.rejects(join('a.test'), Postponed)
    await assert.rejects(join('b.test'), Postponed, 'the host is not proven to answer')
  })

  test('come back one after the other when they are postponed', async () => {
    const fetcher = fetcherFor(silent, { places: 1, testHosts, timeoutMs: 500 })
    const first = ask(fetcher, { host: 'silent2.test', sender: 'a.test' })
    const delays: number[] = []
    for (let n = 0; n < 20; n += 1) {
      const request = fetcher.request({
        url: 'http://silent3.test/',
        allowHttp: true,
        maxBytes: 1,
        background: { sender: 'a.test' },
      })
      await assert.rejects(request, (err) => err instanceof Postponed && delays.push(err.delayMs) > 0)
    }
    assert.ok(delays[0]! <= 1_000 && delays.at(-1)! > 10_000, delays.join(' '))
    assert.equal(await first, 'timeout')
  })
})
