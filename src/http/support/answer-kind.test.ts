import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { answerKinds, answersOf } from './answer-kind.ts'

const app = Fastify({ routerOptions: { constraints: answerKinds } })
app.get('/@:name', { constraints: { answers: 'page' } }, async () => 'page')
app.get('/@:name', { constraints: { answers: 'document' } }, async () => 'document')
app.get('/only', { constraints: { answers: 'document' } }, async () => 'document')
app.get('/both', async () => 'both')

async function ask(url: string, accept?: string, method: 'GET' | 'HEAD' = 'GET'): Promise<string> {
  const { statusCode, body } = await app.inject({ method, url, headers: accept === undefined ? {} : { accept } })
  return statusCode === 200 ? body : String(statusCode)
}

test('two routes share an address, and the header Accept decides between them', async () => {
  assert.equal(await ask('/@ada', 'text/html,*/*;q=0.8'), 'page')
  assert.equal(await ask('/@ada', 'application/activity+json'), 'document')
  assert.equal(await ask('/@ada', 'application/activity+json', 'HEAD'), '')
})

test('who asks for neither gets the page', async () => {
  for (const accept of ['*/*', 'image/png', '', undefined]) assert.equal(await ask('/@ada', accept), 'page')
})

test('an address with one kind of answer has nothing for who asks for the other', async () => {
  assert.equal(await ask('/only', 'application/activity+json'), 'document')
  assert.equal(await ask('/only', 'text/html'), '404')
})

test('routes that say nothing of it answer everybody', async () => {
  for (const accept of ['text/html', 'application/activity+json']) assert.equal(await ask('/both', accept), 'both')
})

test('a route can give only an answer that there is, and is called by it in the table of authorisation', () => {
  const other = Fastify({ routerOptions: { constraints: answerKinds } })
  assert.throws(
    () => other.get('/x', { constraints: { answers: 'picture' } }, async () => ''),
    /can not answer with picture/,
  )
  assert.equal(answersOf({ answers: 'page' }), ' as page')
  assert.equal(answersOf({}), '')
  assert.equal(answersOf(undefined), '')
})
