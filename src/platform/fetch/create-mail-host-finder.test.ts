import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openNameServer } from '../../../test/services/name-server.ts'
import { createMailHostFinder } from './create-mail-host-finder.ts'

const MX = 15

/** Returns the data of an MX record: the preference, and the name as labels with their lengths. */
const recordOf = (host: string) => [
  0,
  10,
  ...host.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]),
  0,
]

test('the mail servers of a domain are found by DNS', async () => {
  const server = await openNameServer((name, type) =>
    type === MX && name === 'mail.example' ? [recordOf('mx1.provider.example'), recordOf('mx2.provider.example')] : [],
  )
  const findMailHosts = createMailHostFinder({ servers: [server.address] })
  const hosts = await findMailHosts('mail.example')
  assert.deepEqual(hosts.toSorted(), ['mx1.provider.example', 'mx2.provider.example'])
  assert.deepEqual(await findMailHosts('other.example'), [])
  assert.deepEqual(await findMailHosts('not a domain'), [])
})

test('a name server that does not respond delays the result for a limited time only', async () => {
  const server = await openNameServer(() => undefined)
  const findMailHosts = createMailHostFinder({ servers: [server.address], timeoutMs: 100 })
  const startedAt = performance.now()
  assert.deepEqual(await findMailHosts('mail.example'), [])
  assert.ok(performance.now() - startedAt < 900)
})
