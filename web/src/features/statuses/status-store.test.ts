import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Poll, Status } from '../../lib/api/entities.ts'
import { saveStatus, statusStore } from './status-store.ts'

const statusWith = (poll: Partial<Poll>, editedAt: string | null = null) =>
  ({ id: '1', editedAt, poll: { id: '2', ...poll } }) as Status

test('a response that was requested before the own vote does not undo it, and an edit of the post does', () => {
  saveStatus(statusWith({ voted: false, votesCount: 0 }))
  statusStore.patch('1', (status) => ({ ...status, poll: { id: '2', voted: true, votesCount: 1 } as Poll }))
  saveStatus(statusWith({ voted: false, votesCount: 0 }))
  assert.deepEqual(statusStore.get('1')?.poll, { id: '2', voted: true, votesCount: 1 })
  saveStatus(statusWith({ voted: true, votesCount: 2 }))
  assert.equal(statusStore.get('1')?.poll?.votesCount, 2)
  saveStatus(statusWith({ voted: false, votesCount: 0 }, '2026-11-23T00:00:00.000Z'))
  assert.deepEqual(statusStore.get('1')?.poll, { id: '2', voted: false, votesCount: 0 })
})
