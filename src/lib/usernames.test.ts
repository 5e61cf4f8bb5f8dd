import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  canonicalDomain,
  displayDomain,
  isReservedUsername,
  isValidUsername,
  parseHandle,
  RESERVED_USERNAMES,
} from './usernames.ts'
import { CODE_POINT } from '../../test/text/code-points.ts'

test('a username is 1 to 30 ASCII letters, digits and underscores', () => {
  for (const name of ['a', 'Alice', 'alice_99', '_', '0', 'a'.repeat(30)]) assert.ok(isValidUsername(name), name)
  const refused = ['', 'a'.repeat(31), 'a.b', 'a-b', 'a b', 'é', 'ａ', 'а', '\u212a', '\u017f', '@a', 'a\u200b', 'a\0']
  for (const name of refused) assert.ok(!isValidUsername(name), name)
})

test('HT8: characters that reorder, hide, stack or imitate letters are in no username and no displayed domain', () => {
  const signs = [
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200d',
    '\ufeff',
    '\u00ad',
    '\u0301'.repeat(20),
    'а',
    'ο',
    'ｅ',
    '\u{e0061}',
  ]
  for (const sign of signs) {
    for (const name of [`al${sign}ice`, `${sign}alice`, `alice${sign}`]) assert.ok(!isValidUsername(name), name)
    assert.equal(parseHandle(`al${sign}ice@remote.example`), null, JSON.stringify(sign))
    // In a domain, it results in another domain that is displayed as such, or in an invalid one.
    const domain = canonicalDomain(`re${sign}mote.example`)
    assert.ok(domain === null || /^[a-z0-9.-]+$/.test(displayDomain(domain)), JSON.stringify(sign))
  }
})

test('AC10: a name with a line end is not a valid username', () => {
  for (const name of ['a\n', '\na', 'a\r', 'a\u2028']) assert.ok(!isValidUsername(name))
})

test('reserved names are reserved in any case and with similar characters', () => {
  for (const name of RESERVED_USERNAMES) assert.ok(isReservedUsername(name.toUpperCase()), name)
  for (const name of ['adm1n', 'admln', 'r00t', 'h3lp', 'HE1P', '5taff', '0wn3r', 'm0d', 'acc0unt5'])
    assert.ok(isReservedUsername(name), name)
  for (const name of ['mastodon', 'xMastodonx', 'm4st0d0n_help', 'Mastadon2']) assert.ok(isReservedUsername(name), name)
  for (const name of ['alice', 'admiral', 'helper', 'moderate', 'rooted', 'mast', ''])
    assert.ok(!isReservedUsername(name), name)
})

test('the lists of reserved names and words can be replaced', () => {
  assert.ok(isReservedUsername('Ce0', { names: ['ceo'] }))
  assert.ok(isReservedUsername('theb0ss', { words: ['boss', ''] }))
  assert.ok(!isReservedUsername('admin', { names: [] }))
  assert.ok(!isReservedUsername('alice', { names: [], words: [''] }), 'an empty word reserves nothing')
})

test('BI8: a handle is parsed with surrounding white space and with or without the first @', () => {
  assert.deepEqual(parseHandle(' @a@b '), { username: 'a', domain: 'b' })
  assert.deepEqual(parseHandle('alice'), { username: 'alice', domain: null })
  assert.deepEqual(parseHandle('@Alice'), { username: 'Alice', domain: null })
  assert.deepEqual(parseHandle('\talice@Example.COM.\n'), { username: 'alice', domain: 'example.com' })
  assert.deepEqual(parseHandle('a.b-c@日本語.jp'), { username: 'a.b-c', domain: 'xn--wgv71a119e.jp' })
  assert.deepEqual(parseHandle('@a@localhost:3000'), { username: 'a', domain: 'localhost:3000' })
})

test('BI8: an invalid handle returns null without an error', () => {
  const broken = [
    '',
    ' ',
    '@',
    '@@',
    '@a@',
    'a@@b',
    '@@a',
    '@a@b@c',
    'a b',
    'a@b c',
    'a@ b',
    'a@b/c',
    'a@',
    '@é',
    'a\0b',
    'a@.',
    'a@b..c',
  ]
  for (const handle of [...broken, 'a'.repeat(10_000), `a@${'b'.repeat(300)}`])
    assert.equal(parseHandle(handle), null, handle)
  for (const handle of [null, undefined, 0, {}, ['a'], Symbol('a')]) assert.equal(parseHandle(handle), null)
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.string({ unit: CODE_POINT }),
        fc.string({ unit: fc.constantFrom('@', 'a', '.', ':', '1', ' ') }),
      ),
      (handle) => {
        const parsed = parseHandle(handle)
        if (!parsed) return
        const again = `@${parsed.username}${parsed.domain === null ? '' : `@${parsed.domain}`}`
        assert.deepEqual(parseHandle(again), parsed)
      },
    ),
  )
})

test('FE10: a host has one canonical form', () => {
  for (const host of [
    'EXAMPLE.com',
    'example.com.',
    ' example.com ',
    'ＥＸＡＭＰＬＥ.com',
    'example。com',
    'example.com:443',
    'example.com:3000',
  ]) {
    assert.equal(canonicalDomain(host), 'example.com', host)
  }
  assert.equal(canonicalDomain('Bücher.example'), 'xn--bcher-kva.example')
  assert.equal(canonicalDomain('XN--BCHER-KVA.example'), 'xn--bcher-kva.example')
  assert.equal(canonicalDomain('a_b.example'), 'a_b.example')
})

test('a port is kept only with keepPort, and 443 never', () => {
  assert.equal(canonicalDomain('Localhost:3000', { keepPort: true }), 'localhost:3000')
  assert.equal(canonicalDomain('example.com:443', { keepPort: true }), 'example.com')
  for (const host of ['a:0', 'a:65536', 'a:', 'a:x', 'a:1:2', ':80', '[::1]:80']) {
    assert.equal(canonicalDomain(host, { keepPort: true }), null, host)
    assert.equal(canonicalDomain(host), null, host)
  }
})

test('an invalid host name returns null', () => {
  const broken = [
    '',
    '.',
    'a..b',
    '.a',
    'a/b',
    'a\\b',
    'a b',
    'a\tb',
    'a%62',
    'a@b',
    'a?b',
    'a#b',
    '<a>',
    'a\0',
    'xn--\u00ad',
    'a^b',
    '\u200d',
  ]
  for (const host of [...broken, `${'a'.repeat(64)}.example`, 'a.'.repeat(130), 'a'.repeat(100_000)])
    assert.equal(canonicalDomain(host), null, host)
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: CODE_POINT }), fc.domain(), fc.webAuthority()), (host) => {
      const once = canonicalDomain(host, { keepPort: true })
      if (once !== null) assert.equal(canonicalDomain(once, { keepPort: true }), once)
    }),
  )
})

test('HT8: a domain is displayed in Unicode unless it could be mistaken for another', () => {
  const shown = {
    'example.com': 'example.com',
    'xn--bcher-kva.example': 'bücher.example',
    'xn--wgv71a119e.jp': '日本語.jp',
    'xn--wgv71a119e.jp:3000': '日本語.jp:3000',
    'xn--80akhbyknj4f.xn--p1ai': 'испытание.рф',
    'xn--e1awd7f.example': 'xn--e1awd7f.example',
  }
  for (const [domain, text] of Object.entries(shown)) assert.equal(displayDomain(domain), text)
  for (const deceptive of ['аррӏе.com', 'pаypal.com', 'еxample.com', 'gοοgle.com']) {
    const domain = canonicalDomain(deceptive) ?? ''
    assert.match(domain, /^xn--/)
    assert.equal(displayDomain(domain), domain)
  }
})
