import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { acceptConstraint, constraintSuffixOf } from './accept-constraint.ts'

const app = Fastify({ routerOptions: { constraints: acceptConstraint } })
app.get('/@:name', { constraints: { answers: 'page' } }, async () => 'page')
app.get('/@:name', { constraints: { answers: 'document' } }, async () => 'document')
app.get('/only', { constraints: { answers: 'document' } }, async () => 'document')
app.get('/both', async () => 'both')

async function request(url: string, accept?: string, method: 'GET' | 'HEAD' = 'GET'): Promise<string> {
  const { statusCode, body } = await app.inject({ method, url, headers: accept === undefined ? {} : { accept } })
  return statusCode === 200 ? body : String(statusCode)
}

test('of two routes with the same path, the header Accept selects one', async () => {
  assert.equal(await request('/@ada', 'text/html,*/*;q=0.8'), 'page')
  assert.equal(await request('/@ada', 'application/activity+json'), 'document')
  assert.equal(await request('/@ada', 'application/activity+json', 'HEAD'), '')
})

test('requests that accept neither type explicitly get the page', async () => {
  for (const accept of ['*/*', 'image/png', '', undefined]) assert.equal(await request('/@ada', accept), 'page')
})

test('a path with only one representation returns 404 for the other', async () => {
  assert.equal(await request('/only', 'application/activity+json'), 'document')
  assert.equal(await request('/only', 'text/html'), '404')
})

test('routes without the constraint respond to all requests', async () => {
  for (const accept of ['text/html', 'application/activity+json']) assert.equal(await request('/both', accept), 'both')
})

test('unknown representations are rejected, and known ones become suffixes of route policy keys', () => {
  const other = Fastify({ routerOptions: { constraints: acceptConstraint } })
  assert.throws(
    () => other.get('/x', { constraints: { answers: 'picture' } }, async () => ''),
    /cannot answer with picture/,
  )
  assert.equal(constraintSuffixOf({ answers: 'page' }), ' as page')
  assert.equal(constraintSuffixOf({}), '')
  assert.equal(constraintSuffixOf(undefined), '')
})
