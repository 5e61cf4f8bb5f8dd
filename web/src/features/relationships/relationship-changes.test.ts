import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Relationship } from '../../lib/api/entities.ts'
import { applyAction, asPerformed } from './relationship-changes.ts'

const WITHOUT_RELATIONSHIP: Relationship = {
  id: '1',
  following: false,
  showingReblogs: false,
  notifying: false,
  languages: null,
  followedBy: false,
  blocking: false,
  blockedBy: false,
  muting: false,
  mutingNotifications: false,
  mutingExpiresAt: null,
  requested: false,
  requestedBy: false,
  domainBlocking: false,
  endorsed: false,
  note: '',
}

test('to follow an open account is to follow it at once; a locked one gets a request', () => {
  const open = applyAction(WITHOUT_RELATIONSHIP, { type: 'follow', locked: false })
  assert.deepEqual([open.following, open.requested, open.showingReblogs], [true, false, true])
  const locked = applyAction(WITHOUT_RELATIONSHIP, { type: 'follow', locked: true })
  assert.deepEqual([locked.following, locked.requested], [false, true])
})

test('a follow for which the server requires an approval, or none, is applied like that afterwards', () => {
  for (const locked of [true, false]) {
    const response = applyAction(WITHOUT_RELATIONSHIP, { type: 'follow', locked })
    const performed = asPerformed({ type: 'follow', locked: !locked }, response)
    assert.deepEqual(applyAction(WITHOUT_RELATIONSHIP, performed), response)
    assert.deepEqual(applyAction(response, performed), response)
  }
})

test('an option of a follow changes nothing else, also for a locked account', () => {
  const following = { ...WITHOUT_RELATIONSHIP, following: true, showingReblogs: false }
  const notified = applyAction(following, { type: 'follow', locked: true, notify: true })
  assert.deepEqual(notified, { ...following, notifying: true })
})

test('a block ends the follows of both sides', () => {
  const mutual = { ...WITHOUT_RELATIONSHIP, following: true, followedBy: true, endorsed: true }
  const { blocking, following, followedBy, endorsed } = applyAction(mutual, { type: 'block' })
  assert.deepEqual([blocking, following, followedBy, endorsed], [true, false, false, false])
})

test('a mute with a duration ends by itself', () => {
  const now = new Date('2026-08-01T12:00:00Z')
  const muted = applyAction(WITHOUT_RELATIONSHIP, { type: 'mute', notifications: true, seconds: 3600 }, now)
  assert.equal(muted.mutingExpiresAt, '2026-08-01T13:00:00.000Z')
  assert.equal(applyAction(muted, { type: 'mute', notifications: true, seconds: 0 }, now).mutingExpiresAt, null)
})
