import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Status } from '../../../lib/api/entities.ts'
import { findFiltering } from './filters.ts'

type FilterResult = NonNullable<Status['filtered']>[number]
type Filter = FilterResult['filter']

const result = (filter: Pick<Filter, 'title' | 'context' | 'filterAction'>): FilterResult => ({
  filter: { id: '1', expiresAt: null, ...filter },
  keywordMatches: null,
  statusMatches: null,
})

test('the strictest action of the filters that apply to the context decides, with their names', () => {
  const filtered = [
    result({ title: 'Blurred', context: ['home'], filterAction: 'blur' }),
    result({ title: 'Series', context: ['home', 'thread'], filterAction: 'warn' }),
    result({ title: 'Films', context: ['home'], filterAction: 'warn' }),
    result({ title: 'Hidden', context: ['public'], filterAction: 'hide' }),
  ]
  assert.deepEqual(findFiltering({ filtered }, 'home'), { action: 'warn', titles: 'Series, Films' })
  assert.deepEqual(findFiltering({ filtered }, 'public'), { action: 'hide', titles: 'Hidden' })
  assert.equal(findFiltering({ filtered }, 'account'), null)
  assert.equal(findFiltering({}, 'home'), null)
})
