// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { safeReturnPath } from './safe-return-path.ts'

test('a path of this server is returned with its query', () => {
  for (const path of [
    '/',
    '/account',
    '/oauth/authorize?client_id=a_-B&redirect_uri=https%3A%2F%2Fa.example%2F%3Fb',
    '/links/https%3A%2F%2Fa.example%2Fb%2520c%3Fd',
    '/search?types[]=accounts&q=%5B',
  ]) {
    assert.equal(safeReturnPath(path), path)
  }
})

test('HT10: a path that could lead to another site is rejected', () => {
  const others = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil',
    '/%09/evil',
    '/%2fevil',
    '/%5Cevil',
    '/%252fevil',
    '/%2525252fevil',
  ]
  for (const path of [
    ...others,
    'https://evil.example',
    'evil',
    '',
    '/a//b',
    '/\t/evil',
    '/\n',
    '/a/../..//x',
    '/a/%2e%2e/%2fevil',
    '/a%2F..%2F%2Fevil',
    '/.%2f/evil',
    '/a/%255cevil',
    '/links/[',
    '/é',
    '/#a',
  ]) {
    assert.equal(safeReturnPath(path), null, JSON.stringify(path))
  }
  assert.equal(safeReturnPath(null), null)
  assert.equal(safeReturnPath(`/${'a'.repeat(10_000)}`), null)
})

test('HT10 BI16: a path with many layers of encoding is refused in little time', () => {
  assert.equal(safeReturnPath(`/links/%${'25'.repeat(9)}41`), `/links/%${'25'.repeat(9)}41`)
  assert.equal(safeReturnPath(`/links/%${'25'.repeat(10)}41`), null)
  const path = `/%${'25'.repeat(2_000)}${'/a'.repeat(1_900)}`
  const { user, system } = process.threadCpuUsage()
  for (let n = 0; n < 20; n += 1) assert.equal(safeReturnPath(path), null)
  const used = process.threadCpuUsage({ user, system })
  assert.ok((used.user + used.system) / 1000 < 200, `${(used.user + used.system) / 1000} ms`)
})

test('HT10: each accepted path stays on this origin, also after decoding', () => {
  const unit = fc.constantFrom('/', '\\', '.', '%', '0', '9', '2', 'e', 'f', '5', 'c', 'a', ':', '@', '?', '[', '\t')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      const path = safeReturnPath(`/${text}`)
      if (path === null) return
      const decode = (encoded: string) =>
        encoded.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      for (const one of [path, decode(path), decode(decode(path))]) {
        assert.equal(new URL(one, 'https://ours.example').origin, 'https://ours.example')
      }
    }),
    { numRuns: 2_000 },
  )
})
