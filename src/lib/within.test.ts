import assert from 'node:assert/strict'
import { test } from 'node:test'
import { within } from './within.ts'

test('work that is done in time gives what it gives', async () => {
  assert.equal(await within(10, Promise.resolve('done')), 'done')
  await assert.rejects(within(10, Promise.reject(new Error('broken'))), { message: 'broken' })
})

test('work that takes too long is given up, and its later failure goes unheard', async () => {
  const { promise, reject } = Promise.withResolvers<void>()
  await assert.rejects(within(0.001, promise), { message: 'Not done after 0.001 s' })
  reject(new Error('too late'))
})
