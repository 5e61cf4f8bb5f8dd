import assert from 'node:assert/strict'
import { pbkdf2 } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { openNameServer } from '../../../test/services/name-server.ts'
import { openHostsFile } from './hosts-file.ts'
import { createLookup } from './create-lookup.ts'

const IPV6 = [0x26, 0x06, ...Array.from({ length: 13 }, () => 0), 1]
const findInHostsFile = async () => []

suite('host names', () => {
  test('are resolved by DNS, with IPv4 first', async () => {
    const server = await openNameServer((_name, type) =>
      type === 1
        ? [
            [192, 0, 2, 1],
            [192, 0, 2, 2],
          ]
        : [IPV6],
    )
    const lookup = createLookup({ servers: [server.address], findInHostsFile })
    assert.deepEqual(await lookup('both.example'), [
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2606::1', family: 6 },
    ])
    assert.deepEqual(new Set(server.questions), new Set(['both.example']))
  })

  test('are resolved although the name server does not respond for the other address family', async () => {
    const server = await openNameServer((_name, type) => (type === 1 ? [[192, 0, 2, 1]] : undefined))
    const lookup = createLookup({ servers: [server.address], findInHostsFile })
    assert.deepEqual(await lookup('old.example'), [{ address: '192.0.2.1', family: 4 }])
  })

  test('without addresses are not resolved', async () => {
    const server = await openNameServer(() => [])
    const lookup = createLookup({ servers: [server.address], findInHostsFile })
    await assert.rejects(lookup('empty.example'), { code: 'ENODATA' })
  })

  test('in the hosts file are resolved with it, also after it has changed', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'linnet-hosts-'))
    t.after(() => rm(folder, { recursive: true }))
    const path = join(folder, 'hosts')
    const server = await openNameServer(() => [])
    const lookup = createLookup({ servers: [server.address], findInHostsFile: openHostsFile({ path }) })
    await assert.rejects(lookup('near.example'))
    await writeFile(path, '# ours\n192.0.2.7  Near.example near # and not far.example\n2606::7\tnear.example\n')
    assert.deepEqual(await lookup('near.example'), [
      { address: '192.0.2.7', family: 4 },
      { address: '2606::7', family: 6 },
    ])
    await assert.rejects(lookup('far.example'))
    await writeFile(path, '192.0.2.8 near.example\n')
    assert.deepEqual(await lookup('near.example'), [{ address: '192.0.2.8', family: 4 }])
  })

  test('without a response time out, and block no thread meanwhile', async () => {
    const server = await openNameServer(() => undefined)
    const lookup = createLookup({ servers: [server.address], findInHostsFile, timeoutMs: 1_000 })
    let isOver = false
    const lost = Promise.allSettled(Array.from({ length: 40 }, (_, n) => lookup(`lost${n}.example`)))
    void lost.then(() => (isOver = true))
    // Work of libuv's thread pool, like signatures.
    for (let n = 0; n < 20; n += 1) await promisify(pbkdf2)('secret', 'salt', 1, 32, 'sha256')
    assert.equal(isOver, false)
    assert.ok((await lost).every(({ status }) => status === 'rejected'))
    assert.ok(server.questions.length >= 40)
  })
})
