import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PUBLIC } from '../wire/context.ts'
import type { WireObject } from '../wire/normalise.ts'
import { nameQuoteRules, readQuote, readQuoteRules } from './read-quote.ts'

const note = (more: object): WireObject => ({ id: 'https://a.example/1', type: 'Note', ...more })
const quoted = 'https://b.example/1'
const approvalUri = 'https://b.example/stamps/1'

test('a quote is told by its own key, or by those of servers that ask nobody', () => {
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

test('what is gone has no address', () => {
  for (const quote of [{ type: 'Tombstone' }, { type: ['Tombstone'], id: quoted }]) {
    assert.deepEqual(readQuote(note({ quote })), { uri: null, legacy: false, approvalUri: null })
  }
})

test('no note quotes itself, nor what is no address', () => {
  for (const quote of ['https://a.example/1', 'javascript:alert(1)', '', null, 5, {}, { id: 7 }, [[]], true]) {
    assert.equal(readQuote(note({ quote })), null, JSON.stringify(quote))
  }
  assert.deepEqual(readQuote(note({ quote: quoted, quoteAuthorization: 'urn:x' }))?.approvalUri, null)
})

test('who may quote is told in words that mean the same for everybody', () => {
  const author = {
    uri: 'https://a.example/ann',
    followers_url: 'https://a.example/ann/followers',
    following_url: 'https://a.example/ann/following',
  }
  const name = (canQuote: unknown) => nameQuoteRules(readQuoteRules(note({ interactionPolicy: { canQuote } })), author)
  for (const everybody of ['as:Public', 'Public', PUBLIC, [PUBLIC, PUBLIC]]) {
    assert.deepEqual(name({ automaticApproval: everybody }), { automatic: ['public'], manual: [] })
  }
  assert.deepEqual(
    name({ automaticApproval: [author.uri, author.following_url], manualApproval: [author.followers_url, PUBLIC] }),
    { automatic: ['following'], manual: ['followers', 'public'] },
  )
  assert.deepEqual(name({ automaticApproval: ['https://c.example/carol', 'https://c.example/dave'] }).automatic, [
    'unsupported_policy',
  ])
  for (const nobody of [undefined, null, 'x', [], {}, { automaticApproval: author.uri }, { automaticApproval: 5 }]) {
    assert.deepEqual(name(nobody), { automatic: [], manual: [] })
  }
  const many = Array.from({ length: 500 }, (_, n) => `https://c.example/${n}`)
  assert.equal(
    readQuoteRules(note({ interactionPolicy: { canQuote: { automaticApproval: many } } })).automatic.length,
    20,
  )
})

test('who names no lists of followers lets nobody quote by naming none', () => {
  const author = { uri: 'https://a.example/ann', followers_url: null, following_url: null }
  const rules = readQuoteRules(note({ interactionPolicy: { canQuote: { automaticApproval: [null, 'null'] } } }))
  assert.deepEqual(nameQuoteRules(rules, author), { automatic: [], manual: [] })
})
