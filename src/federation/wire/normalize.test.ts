// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_DEPTH, MAX_ITEMS, isActivityStreams, normalizeDocument } from './normalize.ts'
import { MAX_DOCUMENT_BYTES, parseDocument } from './parse-document.ts'
import { InvalidDocumentError } from './invalid-document-error.ts'
import { CODE_POINT } from '../../../test/text/code-points.ts'

const AS = 'https://www.w3.org/ns/activitystreams'

const parse = (text: string) => parseDocument(Buffer.from(text))

/** Returns the result of `work` or the `InvalidDocumentError` that it throws; any other error fails the test. */
function tryTo<T>(work: () => T): T | InvalidDocumentError {
  try {
    return work()
  } catch (err) {
    if (err instanceof InvalidDocumentError) return err
    throw err
  }
}

test('a text that only a language map has is that of its first language', () => {
  const maps = { contentMap: { es: 'hola', en: 'hi' }, nameMap: { de: null, fr: 'titre' }, summaryMap: 'none' }
  const texts = { content: 'hola', name: 'titre', summary: null }
  assert.deepEqual(normalizeDocument(maps), { ...maps, ...texts })
  assert.deepEqual(normalizeDocument({ ...maps, content: 'hello', name: '' }), {
    ...maps,
    ...texts,
    content: 'hello',
    name: '',
  })
})

test('ids, types and names of the vocabulary are normalised to one spelling', () => {
  const found = normalizeDocument({
    '@context': AS,
    '@id': 'https://a.example/1',
    '@type': ['as:Note', `${AS}#Question`],
    'as:content': 'hi',
    [`${AS}#summary`]: { '@value': 'short', '@language': 'en' },
    tag: { '@list': [{ '@id': 'https://a.example/2' }, null, 3] },
  })
  assert.deepEqual(found, {
    '@context': [AS],
    id: 'https://a.example/1',
    type: ['Note', 'Question'],
    content: 'hi',
    summary: 'short',
    tag: [{ id: 'https://a.example/2' }, 3],
  })
})

test('definitions in a context have no effect, and only its URLs remain (IN12)', () => {
  const context = [AS, 'https://evil.example/context', { actor: 'https://evil.example/actor', id: '@graph' }]
  const found = normalizeDocument({
    '@context': context,
    actor: 'https://a.example/1',
    object: { '@context': context, x: 1 },
  })
  assert.deepEqual(found, {
    '@context': [AS, 'https://evil.example/context'],
    actor: 'https://a.example/1',
    object: { x: 1 },
  })
})

test('a document is of Activity Streams if its context names that, in any spelling', () => {
  const isNamed = (context: unknown) => isActivityStreams(normalizeDocument({ '@context': context }))
  for (const context of [AS, `${AS}#`, AS.replace('https:', 'http:'), [AS], ['https://w3id.org/security/v1', AS, {}]])
    assert.equal(isNamed(context), true, JSON.stringify(context))
  for (const context of [undefined, null, [], {}, `${AS}/else`, 'https://evil.example/ns', { as: AS }])
    assert.equal(isNamed(context), false, JSON.stringify(context))
  // Both import it.
  for (const path of ['schemas/litepub-0.1.jsonld', 'contexts/litepub-0.1.jsonld'])
    assert.equal(isNamed([`https://a.example/${path}`]), true, path)
  for (const url of ['https://a.example/litepub-0.1.jsonld', 'https://a.example/?/schemas/litepub-0.1.jsonld'])
    assert.equal(isNamed(url), false, url)
})

test('@graph, @included and @reverse are refused at any depth (IN12)', () => {
  for (const keyword of ['@graph', '@included', '@reverse']) {
    assert.throws(() => normalizeDocument({ [keyword]: [] }), InvalidDocumentError)
    assert.throws(() => normalizeDocument({ object: [{ tag: { [keyword]: {} } }] }), InvalidDocumentError)
  }
})

test('a name in two spellings is refused, because parsers differ in which one they use (IN11)', () => {
  assert.throws(
    () => normalizeDocument({ id: 'https://a.example/1', '@id': 'https://b.example/1' }),
    InvalidDocumentError,
  )
  assert.throws(
    () => normalizeDocument({ actor: 'https://a.example/1', 'as:actor': 'https://b.example/1' }),
    InvalidDocumentError,
  )
})

test('hidden recipients are dropped at any depth (IN27)', () => {
  const hidden = { bto: ['https://a.example/1'], bcc: 'https://a.example/2', 'as:bto': 'https://a.example/3' }
  assert.deepEqual(normalizeDocument({ ...hidden, id: 'x', object: [{ ...hidden, id: 'y' }] }), {
    id: 'x',
    object: [{ id: 'y' }],
  })
})

test('names such as __proto__ do no harm', () => {
  const found = parse('{"__proto__": {"type": "Note"}, "as:__proto__": 1, "constructor": "x", "id": "y"}')
  assert.equal(Object.getPrototypeOf(found), Object.prototype)
  assert.deepEqual(Object.keys(found), ['constructor', 'id'])
  assert.equal(found['type'], undefined)
})

test('texts lose what PostgreSQL cannot store', () => {
  assert.deepEqual(parse(String.raw`{"a": "x\u0000y\ud800z", "k\u0000": "1"}`), { a: 'xy\ufffdz', k: '1' })
  assert.deepEqual(parse('{"n": 1e400, "list": [1e400, 1]}'), { list: [1] })
})

test('long lists and large objects are truncated (IN21)', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]))
  const found = normalizeDocument({ tag: Array.from({ length: 10_000 }, (_, n) => n), wide })
  assert.equal((found['tag'] as unknown[]).length, MAX_ITEMS)
  assert.equal(Object.keys(found['wide'] as object).length, MAX_ITEMS)
})

test('anything but a document is refused before it is processed (IN11)', () => {
  const documents: Record<string, string | Buffer> = {
    null: 'null',
    'a number': '1',
    'a text': '"x"',
    'a list': '[{}]',
    nothing: '',
    'half a document': '{"id":',
    'a byte order mark': '\ufeff{"id":"x"}',
    'bad UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    'a name twice': '{"actor":"https://a.example","actor":"https://b.example"}',
    'a name twice, escaped': String.raw`{"object":{"id":1,"\u0069d":2}}`,
    'a name twice, in a quoted colon': String.raw`{"a":"\":","a":1}`,
    'a deep list': '['.repeat(100_000) + ']'.repeat(100_000),
    'a deep object': '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000),
    'only beginnings': '{"a":['.repeat(100_000),
    'one too deep': '{"a":'.repeat(MAX_DEPTH + 1) + '1' + '}'.repeat(MAX_DEPTH + 1),
    'one too large': `{"a":"${'x'.repeat(MAX_DOCUMENT_BYTES)}"}`,
  }
  for (const [name, text] of Object.entries(documents)) {
    assert.throws(() => parseDocument(Buffer.from(text)), InvalidDocumentError, name)
  }
  assert.ok(parse('{"a":'.repeat(MAX_DEPTH) + '1' + '}'.repeat(MAX_DEPTH)))
})

test('the largest documents are parsed within a time limit, whatever they contain (IN11)', () => {
  const fill = (part: string, open = '{"a":[', close = ']}') =>
    open + part.repeat((MAX_DOCUMENT_BYTES - 64) / part.length).replace(/,$/, '') + close
  const documents = [
    fill('{},'),
    fill('[],'),
    fill('"",'),
    fill('1,'),
    fill(String.raw`"\"\"\"\"",`),
    fill(String.raw`\\`, '{"a":"', '"}'),
    fill(String.raw`\"`, '{"a":"', '"}'),
    fill('x', '{"a":"', '"}'),
    fill('{"as:as:as:a":{"@id":1}},'),
    `{${Array.from({ length: 60_000 }, (_, n) => `"as:k${n}":${n}`).join()}}`,
  ]
  for (const text of documents) {
    const before = process.threadCpuUsage()
    tryTo(() => parse(text))
    const { user, system } = process.threadCpuUsage(before)
    const ms = (user + system) / 1_000
    assert.ok(ms < 250, `${text.slice(0, 30)}… took ${ms} ms`)
  }
})

test('any JSON is normalised or refused, and normalisation is idempotent', () => {
  const name = fc.constantFrom('id', '@id', 'type', '@type', 'as:type', '@context', '@value', '@list', '@graph', 'bto')
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(name, fc.string({ unit: CODE_POINT, maxLength: 8 })), tie('node'), { maxKeys: 5 }),
    ),
  }))
  fc.assert(
    fc.property(node, (value) => {
      const normalized = tryTo(() => normalizeDocument(value))
      if (normalized instanceof InvalidDocumentError) return
      assert.deepEqual(normalizeDocument(normalized), normalized)
      const text = JSON.stringify(normalized)
      assert.ok(text.isWellFormed() && !text.includes(String.raw`\u0000`))
    }),
  )
})

test('any bytes are parsed as JSON.parse does, or refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.json({ maxDepth: 5 })), (text) => {
      const read = tryTo(() => parse(text))
      if (!(read instanceof InvalidDocumentError)) assert.deepEqual(read, normalizeDocument(JSON.parse(text)))
    }),
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void tryTo(() => parseDocument(bytes))))
})
