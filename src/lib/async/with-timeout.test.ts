import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withTimeout } from './with-timeout.ts'

test('work that completes in time returns its result or error', async () => {
  assert.equal(await withTimeout(10, Promise.resolve('done')), 'done')
  await assert.rejects(withTimeout(10, Promise.reject(new Error('broken'))), { message: 'broken' })
})

test('work that takes too long times out, and its later failure is ignored', async () => {
  const { promise, reject } = Promise.withResolvers<void>()
  await assert.rejects(withTimeout(0.001, promise), { message: 'Not done after 0.001 s' })
  reject(new Error('too late'))
})
