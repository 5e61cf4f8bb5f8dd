import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, local, now } from '../../../test/http/entities/entity-samples.ts'
import { type EntityName, assertEntity, matchesEntity } from '../../../test/http/entities/entity-schemas.ts'
import type { CredentialAccount } from './account.ts'
import type { Preferences } from './preferences.ts'
import type { Relationship, RelationshipWithObjects } from './relationship.ts'

const me: CredentialAccount = {
  ...local,
  source: {
    privacy: 'public',
    sensitive: false,
    language: null,
    note: 'Counts.',
    raw_note: 'Counts.',
    fields: [{ name: 'Web', value: 'https://ada.test', verified_at: null }],
    follow_requests_count: 0,
    hide_collections: null,
    discoverable: true,
    indexable: false,
    attribution_domains: ['ada.test'],
    quote_policy: 'public',
  },
  role: { id: '3', name: 'Owner', permissions: '1', color: '', highlighted: true, collection_limit: 10 },
}

const relationship: Relationship = {
  id: '2',
  following: true,
  showing_reblogs: true,
  notifying: false,
  languages: ['de'],
  followed_by: false,
  blocking: false,
  blocked_by: false,
  muting: true,
  muting_notifications: true,
  muting_expires_at: '2026-11-20T08:15:30Z',
  requested: false,
  requested_by: false,
  domain_blocking: false,
  endorsed: false,
  note: '',
}

const relationshipWithObjects: RelationshipWithObjects = {
  ...relationship,
  following: { reblogs: true, notify: false },
  muting: { notifications: true },
  requested: false,
}

const preferences: Preferences = {
  'posting:default:visibility': 'unlisted',
  'posting:default:sensitive': false,
  'posting:default:language': 'en',
  'posting:default:quote_policy': 'followers',
  'reading:expand:media': 'default',
  'reading:expand:spoilers': false,
  'reading:autoplay:gifs': true,
}

test('local, remote, moved and suspended accounts are valid', () => {
  assertEntity('Account', account)
  assertEntity('Account', local)
  assertEntity('Account', { ...account, suspended: true, moved: null })
  assertEntity('CredentialAccount', me)
  assertEntity('MutedAccount', { ...account, mute_expires_at: null })
  assertEntity('Preferences', preferences)
})

test('a relationship is valid with booleans, and with objects in the object form', () => {
  assertEntity('Relationship', relationship)
  assertEntity('RelationshipWithObjects', relationshipWithObjects)
  assertEntity('RelationshipWithObjects', {
    ...relationshipWithObjects,
    following: false,
    requested: { reblogs: true },
  })
})

const wrong: [why: string, EntityName, unknown][] = [
  ['an id that is a number', 'Account', { ...account, id: 1 }],
  ['a missing display name', 'Account', { ...account, display_name: undefined }],
  ['a day with a time', 'Account', { ...account, last_status_at: now }],
  ['a moment that is none', 'Account', { ...account, created_at: 'yesterday' }],
  ['an avatar that is null', 'Account', { ...account, avatar: null }],
  ['suspended: false where the key must be absent', 'Account', { ...account, suspended: false }],
  ['a broken account one move away', 'Account', { ...account, moved: { ...account, id: 1 } }],
  ['direct as a default visibility', 'CredentialAccount', { ...me, source: { ...me.source, privacy: 'direct' } }],
  ['permissions as a number', 'CredentialAccount', { ...me, role: { ...me.role, permissions: 1 } }],
  ['an account without its source', 'CredentialAccount', local],
  ['following as an object', 'Relationship', relationshipWithObjects],
  ['following as a boolean', 'RelationshipWithObjects', relationship],
  ['an unknown way to show media', 'Preferences', { ...preferences, 'reading:expand:media': 'some' }],
]

for (const [why, name, value] of wrong) {
  test(`${name} rejects ${why}`, () => assert.equal(matchesEntity(name, value), false))
}
