import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PUBLIC } from '../../wire/context.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { resolveQuotePolicy, readQuote, readQuotePolicy } from './read-quote.ts'

const note = (more: object): WireObject => ({ id: 'https://a.example/1', type: 'Note', ...more })
const quoted = 'https://b.example/1'
const approvalUri = 'https://b.example/stamps/1'

test('a quote is read from `quote`, or else from the legacy properties without approval', () => {
  for (const quote of [quoted, { id: quoted, type: 'Note' }, [quoted, 'https://c.example/1']]) {
    assert.deepEqual(readQuote(note({ quote, quoteUri: 'https://c.example/2', quoteAuthorization: approvalUri })), {
      uri: quoted,
      legacy: false,
      approvalUri,
    })
  }
  for (const key of ['_misskey_quote', 'quoteUri', 'quoteUrl']) {
    assert.deepEqual(readQuote(note({ [key]: quoted })), { uri: quoted, legacy: true, approvalUri: null })
  }
})

test('a deleted quoted object has no URI', () => {
  for (const quote of [{ type: 'Tombstone' }, { type: ['Tombstone'], id: quoted }]) {
    assert.deepEqual(readQuote(note({ quote })), { uri: null, legacy: false, approvalUri: null })
  }
})

test('a note that quotes itself or an invalid URI quotes nothing', () => {
  for (const quote of ['https://a.example/1', 'javascript:alert(1)', '', null, 5, {}, { id: 7 }, [[]], true]) {
    assert.equal(readQuote(note({ quote })), null, JSON.stringify(quote))
  }
  assert.deepEqual(readQuote(note({ quote: quoted, quoteAuthorization: 'urn:x' }))?.approvalUri, null)
})

test('the quote policy is converted to the names of Mastodon’s API', () => {
  const author = {
    uri: 'https://a.example/ann',
    followers_url: 'https://a.example/ann/followers',
    following_url: 'https://a.example/ann/following',
  }
  const name = (canQuote: unknown) =>
    resolveQuotePolicy(readQuotePolicy(note({ interactionPolicy: { canQuote } })), author)
  for (const everyone of ['as:Public', 'Public', PUBLIC, [PUBLIC, PUBLIC]]) {
    assert.deepEqual(name({ automaticApproval: everyone }), { automatic: ['public'], manual: [] })
  }
  assert.deepEqual(
    name({ automaticApproval: [author.uri, author.following_url], manualApproval: [author.followers_url, PUBLIC] }),
    { automatic: ['following'], manual: ['followers', 'public'] },
  )
  assert.deepEqual(name({ automaticApproval: ['https://c.example/carol', 'https://c.example/dave'] }).automatic, [
    'unsupported_policy',
  ])
  for (const policy of [undefined, null, 'x', [], {}, { automaticApproval: author.uri }, { automaticApproval: 5 }]) {
    assert.deepEqual(name(policy), { automatic: [], manual: [] })
  }
  const many = Array.from({ length: 500 }, (_, n) => `https://c.example/${n}`)
  assert.equal(
    readQuotePolicy(note({ interactionPolicy: { canQuote: { automaticApproval: many } } })).automatic.length,
    20,
  )
})

test('a policy without ids matches no missing followers or following collection of the author', () => {
  const author = { uri: 'https://a.example/ann', followers_url: null, following_url: null }
  const rules = readQuotePolicy(note({ interactionPolicy: { canQuote: { automaticApproval: [null, 'null'] } } }))
  assert.deepEqual(resolveQuotePolicy(rules, author), { automatic: [], manual: [] })
})
