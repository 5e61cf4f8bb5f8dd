import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberEntities, takeNumber } from '../../lib/api/request-numbers.ts'
import type { Poll, Status } from '../../lib/api/entities.ts'
import { saveStatus, statusStore, withVote } from './status-store.ts'
import type { StoredStatus } from './status-store.ts'

const EDITED_AT = '2026-11-23T00:00:00.000Z'

const statusWith = (poll: Partial<Poll>, status: Partial<Status> = {}) =>
  ({ id: '1', editedAt: null, favourited: false, ...status, poll: { id: '2', ...poll } }) as Status

test('a response that was requested before the own vote does not undo it, and an edit of the post does', async () => {
  saveStatus(statusWith({ voted: false, votesCount: 0 }))
  const poll = { id: '2', voted: true, votesCount: 1 } as Poll
  const vote = (status: StoredStatus) => withVote(status, { poll, editedAt: null })
  await statusStore.act('1', vote, async () => undefined)
  saveStatus(statusWith({ voted: false, votesCount: 0 }))
  assert.deepEqual(statusStore.get('1')?.poll, { id: '2', voted: true, votesCount: 1 })
  saveStatus(statusWith({ voted: true, votesCount: 2 }))
  assert.equal(statusStore.get('1')?.poll?.votesCount, 2)
  saveStatus(statusWith({ voted: false, votesCount: 0 }, { editedAt: EDITED_AT }))
  assert.deepEqual(statusStore.get('1')?.poll, { id: '2', voted: false, votesCount: 0 })
})

test('what a public stream sends for all users undoes no favourite, and no vote unless the post was edited', () => {
  const forAll = { id: '6', editedAt: null, content: 'New', poll: { id: '2' } } as Status
  saveStatus(statusWith({ voted: true }, { id: '6', favourited: true }))
  saveStatus(forAll)
  const { favourited, content, poll } = statusStore.get('6')!
  assert.deepEqual({ favourited, content, poll }, { favourited: true, content: 'New', poll: { id: '2', voted: true } })
  saveStatus({ ...forAll, editedAt: EDITED_AT })
  assert.deepEqual(statusStore.get('6')?.poll, { id: '2' })
})

test('the number of a response is that of all statuses in it', async () => {
  const old = { id: '3', favourited: false, reblog: { id: '4', favourited: false } } as Status
  numberEntities([{ status: old }], takeNumber())
  const favourited = (status: object) => ({ ...status, favourited: true }) as never
  await statusStore.act('4', favourited, async () => undefined)
  saveStatus(old)
  assert.deepEqual([statusStore.get('3')?.favourited, statusStore.get('4')?.favourited], [false, true])
  const current = { id: '4', favourited: false } as Status
  numberEntities([current], takeNumber())
  saveStatus(current)
  assert.equal(statusStore.get('4')?.favourited, false)
})
