import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseDocument } from './choose-document.ts'

const page = new Response('of the server')
const saved = new Response('saved')
const never = new Promise<never>(() => undefined)
const findSaved = async () => saved
const findNothing = async () => undefined

test('a document that arrives in time is shown', async () => {
  assert.equal(await chooseDocument(Promise.resolve(page), { findSaved, patience: never }), page)
})

test('if the server does not respond in time, as in a tunnel, the saved document of the client is shown', async () => {
  assert.equal(await chooseDocument(never, { findSaved, patience: Promise.resolve() }), saved)
})

test('without a saved document, a late one of the server is shown', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const chosen = chooseDocument(promise, { findSaved: findNothing, patience: Promise.resolve() })
  resolve(page)
  assert.equal(await chosen, page)
})

test('without a network, the saved document is shown; without one, the request fails', async () => {
  const failed = async () => Promise.reject(new TypeError('No network'))
  assert.equal(await chooseDocument(failed(), { findSaved, patience: never }), saved)
  await assert.rejects(chooseDocument(failed(), { findSaved: findNothing, patience: never }), TypeError)
})
