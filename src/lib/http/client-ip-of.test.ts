import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createClientIpReader } from './client-ip-of.ts'

const TRUSTED = ['127.0.0.1/8', '::1/128', '10.0.0.1']

test('the address of a client is the one that the web framework finds', async () => {
  const app = Fastify({ trustProxy: TRUSTED })
  app.get('/', async (request) => request.ip)
  const clientIpOf = createClientIpReader(TRUSTED)
  for (const [remoteAddress, forwarded, expected] of [
    ['127.0.0.1', null, '127.0.0.1'],
    ['127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['::1', '2001:db8::7', '2001:db8::7'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.7, 10.0.0.1', '203.0.113.7'],
    ['127.0.0.1', '10.0.0.1', '10.0.0.1'],
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ] as const) {
    const headers: Record<string, string> = forwarded === null ? {} : { 'x-forwarded-for': forwarded }
    const request = { headers, socket: { remoteAddress } } as unknown as IncomingMessage
    assert.equal(clientIpOf(request), expected, forwarded ?? '')
    assert.equal((await app.inject({ url: '/', remoteAddress, headers })).body, expected, forwarded ?? '')
  }
})
