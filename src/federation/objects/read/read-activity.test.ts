import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertCpuTimeBelowLimit } from '../../../../test/text/text-samples.ts'
import { normalizeDocument } from '../../wire/normalize.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { InvalidDocumentError } from '../../wire/invalid-document-error.ts'
import { readActivity } from './read-activity.ts'
import { readActor } from './read-actor.ts'
import { readNote } from './read-note.ts'

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const NOW = new Date('2026-11-20T12:00:00Z')
const ACTOR = 'https://a.example/users/ann'

const read = (more: object) =>
  readActivity(
    normalizeDocument({
      id: 'https://a.example/1',
      type: 'Like',
      actor: ACTOR,
      object: 'https://b.example/1',
      ...more,
    }),
    {
      now: NOW,
    },
  )

test('an activity is read with its object as received', () => {
  assert.deepEqual(read({ to: PUBLIC, cc: [ACTOR], published: '2026-01-01T00:00:00Z', target: { id: ACTOR } }), {
    id: 'https://a.example/1',
    type: 'Like',
    actor: ACTOR,
    object: 'https://b.example/1',
    objects: ['https://b.example/1'],
    target: { id: ACTOR },
    instrument: null,
    result: null,
    to: [PUBLIC],
    cc: [ACTOR],
    content: '',
    publishedAt: new Date('2026-01-01T00:00:00Z'),
  })
  const note = { id: 'https://a.example/2', type: 'Note' }
  assert.deepEqual(read({ object: note }).object, note)
  assert.deepEqual(read({ object: [ACTOR, 'https://a.example/2', 5] }).objects, [ACTOR, 'https://a.example/2'])
  assert.equal(read({ object: 'as:Public' }).object, PUBLIC)
  assert.equal(read({ object: 'javascript:alert(1)' }).object, null)
  assert.equal(read({ object: undefined }).object, null)
})

test('of several types of an activity, the first that has an effect counts', () => {
  const typeOf = (type: unknown) => read({ type }).type
  assert.equal(typeOf(['https://x.example/ns#Review', 'Create', 'Delete']), 'Create')
  assert.equal(typeOf(['as:Like', 'EmojiReact']), 'Like')
  assert.equal(typeOf(['Listen', 'View']), 'Listen')
})

test('an activity without exactly one actor is refused (IN4)', () => {
  for (const actor of [
    undefined,
    null,
    [],
    [ACTOR, 'https://b.example/users/bob'],
    'javascript:alert(1)',
    5,
    { type: 'Person' },
  ]) {
    assert.throws(() => read({ actor }), InvalidDocumentError, JSON.stringify(actor))
  }
  for (const actor of [ACTOR, [ACTOR], { id: ACTOR, type: 'Person' }]) assert.equal(read({ actor }).actor, ACTOR)
  assert.throws(() => read({ type: undefined }), InvalidDocumentError)
})

test('an id that is no http(s) URL counts as missing', () => {
  for (const id of [
    undefined,
    null,
    'urn:uuid:5',
    'https://u@a.example/',
    { id: 'https://a.example/1' },
    ['https://a.example/1'],
  ]) {
    assert.equal(read({ id }).id, null)
  }
})

test('anything in the shape of a document is read, or refused with an InvalidDocumentError', () => {
  const address = fc.constantFrom(
    ACTOR,
    'https://a.example/1',
    PUBLIC,
    'as:Public',
    'javascript:alert(1)',
    'https://',
    '',
    '\0',
  )
  const names =
    'id type actor object to cc content contentMap summary name url href tag attachment attributedTo inReplyTo published ' +
    'oneOf anyOf closed endTime votersCount replies likes totalItems preferredUsername inbox endpoints sharedInbox icon ' +
    'image publicKey publicKeyPem owner mediaType blurhash focalPoint width alsoKnownAs webfinger'
  const name = fc.constantFrom(...names.split(' '))
  const type = fc.constantFrom(
    'Note',
    'Question',
    'Article',
    'Person',
    'Create',
    'Mention',
    'Hashtag',
    'Emoji',
    'Document',
  )
  const word = fc.constantFrom('2026-01-01T00:00:00Z', '9999-12-31T23:59:59Z', 'ann', '#tag', ':emoji:', 'en', '<p>x')
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      address,
      type,
      word,
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(name, tie('node'), { maxKeys: 8 }),
    ),
  }))
  const base = fc.record({
    id: fc.constant('https://a.example/1'),
    type,
    attributedTo: address,
    actor: address,
    inbox: address,
    preferredUsername: word,
  })
  fc.assert(
    fc.property(base, fc.dictionary(name, node, { maxKeys: 10 }), (one, more) => {
      for (const value of [
        { ...one, ...more },
        { ...more, ...one },
      ]) {
        for (const reader of [readNote, readActor, readActivity]) {
          try {
            const document: WireObject = normalizeDocument(value)
            assert.ok(JSON.stringify(reader(document, { now: NOW })).isWellFormed())
          } catch (err) {
            if (!(err instanceof InvalidDocumentError)) throw err
          }
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('the largest documents are read within a time limit, whatever they contain (IN21)', () => {
  const big = (of: (n: number) => unknown, count: number) => Array.from({ length: count }, (_, n) => of(n))
  const base = { id: 'https://a.example/1', attributedTo: ACTOR, actor: ACTOR, inbox: ACTOR, preferredUsername: 'ann' }
  const address = (n: number) => `https://a.example/${n}`
  const fillings: Record<string, object> = {
    tags: { tag: big((n) => ({ type: 'Mention', href: address(n) }), 10_000) },
    hashtags: { tag: big((n) => ({ type: 'Hashtag', name: `#ｔag${n}é` }), 10_000) },
    recipients: { to: big(address, 20_000), cc: big(address, 20_000), object: big(address, 10_000) },
    options: { oneOf: big((n) => ({ name: `option ${n}` }), 10_000) },
    attachments: { attachment: big((n) => ({ type: 'Document', url: big(address, 5), name: `${n}` }), 3_000) },
    'a name': { name: ' \t'.repeat(300_000), summary: '\n'.repeat(300_000) },
    'a handle': { preferredUsername: 'a.'.repeat(400_000), webfinger: 'a.'.repeat(400_000) },
    content: { content: '<b><i>'.repeat(150_000) },
    'open tags': { content: '<'.repeat(900_000) },
    languages: { contentMap: Object.fromEntries(big((n) => [`l${n}`, 'x'], 50_000) as [string, string][]) },
    keys: { publicKey: big((n) => ({ id: address(n), publicKeyPem: 'x' }), 10_000) },
    fields: { attachment: big(() => ({ type: 'PropertyValue', name: 'n', value: '<b>'.repeat(20) }), 10_000) },
    links: { url: big((n) => ({ href: address(n) }), 20_000) },
  }
  for (const [name, filling] of Object.entries(fillings)) {
    for (const [type, reader] of [
      ['Question', readNote],
      ['Article', readNote],
      ['Person', readActor],
      ['Create', readActivity],
    ] as const) {
      assertCpuTimeBelowLimit(() => {
        try {
          reader(normalizeDocument({ ...base, ...filling, type }), { now: NOW })
        } catch (err) {
          if (!(err instanceof InvalidDocumentError)) throw err
        }
      }, `${type} with ${name}`)
    }
  }
})
