import assert from 'node:assert/strict'
import { test } from 'node:test'
import { now, tag } from '../../../test/http/entities/entity-samples.ts'
import { assertEntity, matchesEntity } from '../../../test/http/entities/entity-schemas.ts'
import type { V1Filter } from '../accounts/filter.ts'
import type { FeaturedTag } from './tag.ts'

const featuredTag: FeaturedTag = {
  id: '21',
  name: 'maths',
  url: 'https://a.test/@ada/tagged/maths',
  statuses_count: '2',
  last_status_at: '2026-11-19',
}

const oldFilter: V1Filter = {
  id: '22',
  phrase: 'ending',
  context: ['home'],
  whole_word: true,
  expires_at: now,
  irreversible: false,
}

test('tags and filters are valid', () => {
  assertEntity('Tag', tag)
  assertEntity('Tag', { ...tag, following: true, featuring: false })
  assertEntity('FeaturedTag', featuredTag)
  assertEntity('V1Filter', oldFilter)
})

test('the numbers of tags are strings', () => {
  assert.equal(matchesEntity('Tag', { ...tag, history: [{ day: 1, accounts: 1, uses: 1 }] }), false)
  assert.equal(matchesEntity('FeaturedTag', { ...featuredTag, statuses_count: 2 }), false)
})
