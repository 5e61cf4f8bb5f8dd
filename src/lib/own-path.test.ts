import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ownPath } from './own-path.ts'

test('a path of our own is kept, with its query', () => {
  for (const path of ['/', '/account', '/oauth/authorize?client_id=a_-B&redirect_uri=https%3A%2F%2Fa.example%2F%3Fb']) {
    assert.equal(ownPath(path), path)
  }
})

test('HT10: a path that could lead to another site is none', () => {
  const others = ['//evil.example', '/\\evil.example', '\\\\evil', '/%09/evil', '/%2fevil', '/%5Cevil', '/%252fevil']
  for (const path of [
    ...others,
    'https://evil.example',
    'evil',
    '',
    '/a//b',
    '/\t/evil',
    '/\n',
    '/a/../..//x',
    '/é',
    '/#a',
  ]) {
    assert.equal(ownPath(path), null, JSON.stringify(path))
  }
  assert.equal(ownPath(null), null)
  assert.equal(ownPath(`/${'a'.repeat(10_000)}`), null)
})

test('HT10: whatever is kept stays on our origin, also when somebody decodes it first', () => {
  const unit = fc.constantFrom('/', '\\', '.', '%', '0', '9', '2', 'f', '5', 'c', 'a', ':', '@', '?', '\t')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      const path = ownPath(`/${text}`)
      if (path === null) return
      const decoded = path.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
      for (const one of [path, decoded]) {
        assert.equal(new URL(one, 'https://ours.example').origin, 'https://ours.example')
      }
    }),
    { numRuns: 2_000 },
  )
})
