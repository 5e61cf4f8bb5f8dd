import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsResolving } from './needs-resolving.ts'

test('only URLs and remote handles are looked up at other servers', () => {
  const queries = [
    'https://a.test/@bo/1',
    '@bo@a.test',
    'bo@a.test',
    '@bo',
    'linnets',
    'from:@bo@a.test',
    'see bo@a.test',
  ]
  assert.deepEqual(queries.map(needsResolving), [true, true, true, false, false, false, false])
})
