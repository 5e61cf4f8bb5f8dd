import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IpNetworkMap, networkContains, parseIpNetwork } from './ip-network.ts'

test('a network has one canonical form', () => {
  for (const [text, expected] of [
    ['192.0.2.7', '192.0.2.7/32'],
    [' 192.0.2.7/24 ', '192.0.2.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0::1', '2001:db8::1/128'],
    ['2001:db8:1:2:3::/48', '2001:db8:1::/48'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.7', '192.0.2.7/32'],
    ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
  ] as const) {
    assert.equal(parseIpNetwork(text)?.text, expected, text)
  }
})

test('other texts are no networks', () => {
  for (const text of [
    '',
    'example.com',
    '192.0.2',
    '192.0.2.256',
    '0x7f.1',
    '192.0.2.1/33',
    '192.0.2.1/-1',
    '192.0.2.1/',
    '192.0.2.1/24/8',
    '2001:db8::/129',
    'fe80::1%eth0',
    '192.0.2.1/1e1',
  ]) {
    assert.equal(parseIpNetwork(text), null, text)
  }
})

test('a network contains its addresses, in whatever form', () => {
  const contains = (network: string, address: string) => networkContains(parseIpNetwork(network)!, address)
  assert.ok(contains('192.0.2.0/24', '192.0.2.255'))
  assert.ok(contains('192.0.2.0/24', '::ffff:192.0.2.1'))
  assert.ok(contains('::ffff:192.0.2.0/120', '192.0.2.1'))
  assert.ok(contains('2001:db8::/32', '2001:DB8:0:1::'))
  assert.ok(contains('0.0.0.0/0', '8.8.8.8'))
  assert.ok(!contains('192.0.2.0/24', '192.0.3.0'))
  assert.ok(!contains('0.0.0.0/0', '2001:db8::1'))
  assert.ok(!contains('2001:db8::/32', 'nonsense'))
})

test('a map finds the values of all networks with an address', () => {
  const map = new IpNetworkMap<string>()
  assert.deepEqual(map.find('192.0.2.1'), [])
  for (const text of ['192.0.2.0/24', '192.0.2.1', '192.0.0.0/16', '198.51.100.0/24', '2001:db8::/32'])
    map.set(parseIpNetwork(text)!, text)
  assert.deepEqual(map.find('192.0.2.1').toSorted(), ['192.0.0.0/16', '192.0.2.0/24', '192.0.2.1'])
  assert.deepEqual(map.find('::ffff:198.51.100.9'), ['198.51.100.0/24'])
  assert.deepEqual(map.find('2001:db8::9'), ['2001:db8::/32'])
  assert.deepEqual(map.find('203.0.113.1'), [])
  assert.deepEqual(map.find('nonsense'), [])
})
