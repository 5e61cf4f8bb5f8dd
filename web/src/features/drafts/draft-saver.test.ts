import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { DraftSaver } from './draft-saver.ts'
import type { DraftStorage } from './draft-saver.ts'
import { createPost, isBlankDraft } from './draft.ts'
import type { Draft } from './draft.ts'

const draftOf = (text: string, values: Partial<Draft> = {}): Draft => ({
  id: '1',
  accountId: '1',
  context: { type: 'new', statusId: null },
  inReplyToId: null,
  quotedStatusId: null,
  posts: [createPost({ text })],
  visibility: 'public',
  quotePolicy: 'public',
  language: 'en',
  scheduledAt: null,
  initialText: '',
  updatedAt: 0,
  ...values,
})

const fail = (error: unknown) => assert.fail(String(error))

/** A storage that records its calls; `hold` makes the next one wait. */
function createStorage() {
  const calls: string[] = []
  const storage = {
    calls,
    hold: Promise.resolve(),
    async save(draft: Draft) {
      await storage.hold
      calls.push(draft.posts[0]!.text)
    },
    async delete(id: string) {
      calls.push(`delete ${id}`)
    },
  } satisfies DraftStorage & { calls: string[]; hold: Promise<void> }
  return storage
}

async function elapse(t: TestContext, milliseconds: number): Promise<void> {
  t.mock.timers.tick(milliseconds)
  await new Promise((resolve) => setImmediate(resolve))
}

test('the latest version is saved within 300 ms of a change, also while the user goes on typing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const storage = createStorage()
  const saver = new DraftSaver(storage, fail)
  for (const text of ['a', 'ab', 'abc']) {
    saver.schedule(draftOf(text))
    await elapse(t, 100)
  }
  assert.deepEqual(storage.calls, ['ab'])
  await elapse(t, 200)
  assert.deepEqual(storage.calls, ['ab', 'abc'])
  await saver.flush()
  assert.deepEqual(storage.calls, ['ab', 'abc'])
})

test('a slow write of an older version never replaces a newer one', async () => {
  const storage = createStorage()
  const saver = new DraftSaver(storage, fail)
  const { promise, resolve } = Promise.withResolvers<void>()
  storage.hold = promise
  saver.schedule(draftOf('old'))
  const first = saver.flush()
  await new Promise(setImmediate)
  saver.schedule(draftOf('new'))
  const second = saver.flush()
  resolve()
  await Promise.all([first, second])
  assert.deepEqual(storage.calls, ['old', 'new'])
})

test('a draft that is blank again, and one that was sent, are deleted', async () => {
  const storage = createStorage()
  const saver = new DraftSaver(storage, fail)
  saver.schedule(draftOf(' '))
  await saver.flush()
  saver.schedule(draftOf('sent'))
  await saver.discard('1')
  await saver.flush()
  assert.deepEqual(storage.calls, ['delete 1', 'delete 1'])
})

test('a failure of the storage is reported, and later changes are saved', async () => {
  const storage = createStorage()
  const errors: unknown[] = []
  const saver = new DraftSaver(storage, (error) => errors.push(error))
  storage.hold = Promise.reject(new Error('The disk is full'))
  saver.schedule(draftOf('lost'))
  await saver.flush()
  storage.hold = Promise.resolve()
  saver.schedule(draftOf('saved'))
  await saver.flush()
  assert.equal(errors.length, 1)
  assert.deepEqual(storage.calls, ['saved'])
})

test('a draft is blank without text, files, poll and warning; the mentions of a reply alone are no text', () => {
  const context = { type: 'reply', statusId: '2' } as const
  assert.ok(isBlankDraft(draftOf('')))
  assert.ok(isBlankDraft(draftOf('@bo', { context, initialText: '@bo ' })))
  assert.ok(isBlankDraft(draftOf('', { context, posts: [createPost({ warning: 'Birds' })] })))
  assert.ok(!isBlankDraft(draftOf('@bo Hello', { context, initialText: '@bo ' })))
  assert.ok(!isBlankDraft(draftOf('', { posts: [createPost({ warning: 'Birds' })] })))
  assert.ok(!isBlankDraft(draftOf('', { posts: [createPost(), createPost({ text: 'Two' })] })))
  assert.ok(!isBlankDraft(draftOf('', { context: { type: 'edit', statusId: '2' } })))
})
