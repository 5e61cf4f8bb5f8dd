import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { inOrder } from './in-order.ts'

function createRequests() {
  const sent: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const request = async (name: string) => {
    sent.push(name)
    const end = Promise.withResolvers<string>()
    ends.set(name, end)
    return end.promise
  }
  return { sent, ends, request }
}

test('requests with the same key are sent one after the other, also after one that fails', async () => {
  const { sent, ends, request } = createRequests()
  const follow = inOrder('follow 1', () => request('follow'))
  const unfollow = inOrder('follow 1', () => request('unfollow'))
  const again = inOrder('follow 1', () => request('again'))
  assert.deepEqual(sent, ['follow'])
  ends.get('follow')!.reject(new Error('Refused'))
  await assert.rejects(follow, /Refused/)
  await setImmediate()
  assert.deepEqual(sent, ['follow', 'unfollow'])
  ends.get('unfollow')!.resolve('unfollowed')
  assert.equal(await unfollow, 'unfollowed')
  await setImmediate()
  ends.get('again')!.resolve('followed')
  assert.equal(await again, 'followed')
})

test('requests with other keys do not wait', async () => {
  const { sent, ends, request } = createRequests()
  const first = inOrder('follow 1', () => request('first'))
  const second = inOrder('follow 2', () => request('second'))
  assert.deepEqual(sent, ['first', 'second'])
  for (const end of ends.values()) end.resolve('')
  await Promise.all([first, second])
})
