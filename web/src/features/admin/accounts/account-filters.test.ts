import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parametersOf, readAccountFilters } from './account-filters.ts'

test('filters are read from a URL without empty and unknown values', () => {
  const search = { origin: 'remote', status: 'nonsense', username: ' bo ', email: '', ip: 7, other: 'x' }
  assert.deepEqual(readAccountFilters(search), { origin: 'remote', username: 'bo', ip: '7' })
})

test('the API takes a list of roles', () => {
  assert.deepEqual(parametersOf({ status: 'active', role: '3' }), { status: 'active', roleIds: ['3'] })
})
