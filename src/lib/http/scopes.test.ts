import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_SCOPES, areKnownScopes, coversScope, parseScopes, withinScopes } from './scopes.ts'

/** Returns the scopes that this scope covers. */
const covered = (scope: string) => ALL_SCOPES.filter((needed) => coversScope([scope], needed))

test('a parent covers its children and itself, and a child only itself', () => {
  assert.deepEqual(
    covered('read'),
    ALL_SCOPES.filter((scope) => scope === 'read' || scope.startsWith('read:')),
  )
  assert.deepEqual(
    covered('write'),
    ALL_SCOPES.filter((scope) => scope === 'write' || scope.startsWith('write:')),
  )
  for (const scope of ALL_SCOPES.filter((name) => name.includes(':') && !/^admin:(read|write)$/.test(name))) {
    assert.deepEqual(covered(scope), [scope])
  }
  assert.deepEqual(covered('profile'), ['profile'])
  assert.deepEqual(covered('push'), ['push'])
})

test('follow covers the read and write scopes of follows, blocks and mutes', () => {
  assert.deepEqual(covered('follow'), [
    'read:blocks',
    'read:follows',
    'read:mutes',
    'write:blocks',
    'write:follows',
    'write:mutes',
    'follow',
  ])
})

test('OA4 AD2 write scopes cover no read scopes, and only admin scopes cover admin scopes', () => {
  for (const scope of ALL_SCOPES) {
    for (const needed of covered(scope)) {
      assert.equal(needed.startsWith('admin:'), scope.startsWith('admin:'), `${scope} covers ${needed}`)
      if (scope.startsWith('write') || scope.startsWith('admin:write')) assert.doesNotMatch(needed, /read/)
      if (scope.startsWith('read') || scope.startsWith('admin:read')) assert.doesNotMatch(needed, /write/)
    }
  }
  assert.deepEqual(
    covered('admin:write'),
    ALL_SCOPES.filter((scope) => scope.startsWith('admin:write')),
  )
})

test('several scopes cover the union of their scopes, and no scopes cover nothing', () => {
  assert.equal(coversScope(['push', 'read:lists'], 'read:lists'), true)
  assert.equal(coversScope(['push', 'write'], 'read:lists'), false)
  assert.equal(coversScope([], 'read'), false)
  assert.equal(coversScope(['read:lists'], 'read'), false)
})

test('scopes are separated by spaces or plus signs, without duplicates', () => {
  assert.deepEqual(parseScopes(' read  write+follow\nread '), ['read', 'write', 'follow'])
  assert.deepEqual(parseScopes(''), [])
  const long = 'read '.repeat(2_001)
  assert.equal(areKnownScopes(parseScopes(long)), false, 'a text that is too long has no known scope')
  assert.equal(areKnownScopes(['read', 'write:media']), true)
  for (const unknown of ['READ', 'read:', 'read:nothing', 'admin', 'constructor', '*']) {
    assert.equal(areKnownScopes(['read', unknown]), false, unknown)
  }
})

test('OA4 requested scopes are within the allowed ones only if all of them are', () => {
  assert.equal(withinScopes(['read:lists', 'write:media'], ['read', 'write']), true)
  assert.equal(withinScopes(['read', 'push'], ['read', 'write']), false)
  assert.equal(withinScopes(['read'], ['read:lists']), false)
  assert.equal(withinScopes(['write:mutes'], ['follow']), true)
  assert.equal(withinScopes(['admin:read'], ['read', 'write', 'follow', 'push', 'profile']), false)
})
