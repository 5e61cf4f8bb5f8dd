import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createClientIpReader } from './client-ip-of.ts'
import { networkPrefixOf } from './network-prefix-of.ts'

const clientIpOf = createClientIpReader(['127.0.0.1/8', '::1/128', '10.0.0.1', '2001:db8:ffff::/48'])

const read = (remoteAddress: string | undefined, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return clientIpOf({ headers, socket: { remoteAddress } } as unknown as IncomingMessage)
}

test('BI11 the client is the last forwarded address that is no trusted proxy', () => {
  for (const [remoteAddress, forwarded, expected] of [
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['::1', '2001:db8::7', '2001:db8::7'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.7, 10.0.0.1', '203.0.113.7'],
    ['127.0.0.1', '198.51.100.1,203.0.113.7,2001:db8:ffff::1,10.0.0.1', '203.0.113.7'],
    ['127.0.0.1', '10.0.0.1', '10.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
    [undefined, undefined, ''],
  ] as const)
    assert.equal(read(remoteAddress, forwarded), expected, forwarded ?? '')
})

test('BI11 the headers of an untrusted peer are ignored', () => {
  for (const forged of ['198.51.100.1', '10.0.0.1', '127.0.0.1', '198.51.100.1, 10.0.0.1', 'nonsense'])
    assert.equal(read('203.0.113.9', forged), '203.0.113.9', forged)
  assert.equal(read(undefined, '198.51.100.1'), '')
})

test('BI11 without an address from the proxy, all clients have the same key, and no text becomes one', () => {
  for (const forwarded of ['unknown', '203.0.113.7, _hidden', '203.0.113.7, ', '1.2.3', '01.2.3.4', '1.2.3.4:x'])
    assert.equal(read('127.0.0.1', forwarded), '', forwarded)
})

test('BI11 an address has one form, with which throttles and IP blocks work', () => {
  for (const [forwarded, expected] of [
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:CB00:7107', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['2001:0DB8:0:0::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:51234', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
  ] as const)
    assert.equal(read('127.0.0.1', forwarded), expected, forwarded)
  assert.equal(networkPrefixOf(read('127.0.0.1', '2001:db8:1:2:3::4')), networkPrefixOf('2001:db8:1:2:ffff::'))
  assert.notEqual(networkPrefixOf(read('127.0.0.1', '2001:db8:1:3::4')), networkPrefixOf('2001:db8:1:2:ffff::'))
})
