import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { constantJson, entityJson, integerJson, listJson, streamEntity, valueJson } from './entity-json.ts'
import { compactJson, createFragment, extendFragment, joinFragment, joinFragmentWith, startOf } from './fragment.ts'
import { jsonBytes, jsonText, parseEntity, writeJson } from './json-content.ts'
import type { EntityJson } from './json-content.ts'

interface Author {
  name: string
  note?: string | undefined
}
interface Post {
  id: string
  text: string
  count: number
  tags: { [key: string]: string }
  author: Author
  inner: Post | null
  liked?: boolean | undefined
}
type Shared = Pick<Post, 'id' | 'text'>
type Counted = Pick<Post, 'count' | 'tags'>

const json = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<string>

test('the result is identical to that of JSON.stringify', () => {
  fc.assert(
    fc.property(json, (value) => {
      const own = valueJson<string>(value)
      assert.equal(jsonText(own), JSON.stringify(value))
      assert.equal(jsonBytes(own).toString(), JSON.stringify(value))
    }),
  )
})

test('entities in entities, lists and fragments are inserted at their positions', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.boolean(), (name, text, liked) => {
      const author = entityJson<Author>({ name, note: undefined })
      const fragment = createFragment<Shared>({ id: '1', text })
      const extended = extendFragment<Shared, Counted>(fragment, { count: 2, tags: { [name]: text } })
      const rest = { author, inner: null, liked: undefined }
      const inner = joinFragment<Post, Shared & Counted>(extended, rest)
      const outer = joinFragmentWith<Post, Shared & Counted, Pick<Post, 'liked'>>(
        extended,
        { liked },
        { author, inner },
      )
      const plain = { id: '1', text, count: 2, tags: { [name]: text }, author: { name }, inner: null }
      const list = listJson([inner, outer])
      const expected = [plain, { ...plain, inner: plain, liked }]
      assert.deepEqual(JSON.parse(jsonText(list)), JSON.parse(JSON.stringify(expected)))
      assert.deepEqual(parseEntity(list), JSON.parse(jsonBytes(list).toString()))
    }),
  )
})

test('fragments are parts of the compact JSON that begins with them', () => {
  const first = createFragment<Shared>({ id: '1', text: 'ä' })
  const longer = extendFragment<Shared, Counted>(first, { count: 2, tags: {} })
  const author = entityJson<Author>({ name: 'a', note: undefined })
  const { json: compact, utf8 } = compactJson(
    joinFragment<Post, Shared & Counted>(longer, { author, inner: null, liked: undefined }),
  )
  assert.equal(jsonText(compact), '{"id":"1","text":"ä","count":2,"tags":{},"author":{"name":"a"},"inner":null}')
  for (const fragment of [first, longer]) {
    const start = startOf(utf8, fragment)
    assert.equal(start.bytes, fragment.bytes)
    const rest = { author, inner: null, liked: true, count: 3, tags: {} }
    assert.equal(
      jsonText(joinFragment<Post, Shared>(start, rest)),
      jsonText(joinFragment<Post, Shared>(fragment, rest)),
    )
  }
})

test('frequent values in any order and number are written like all others', () => {
  const frequent = fc.constantFrom(true, false, null, undefined, 'x', constantJson<string[]>([]), [])
  const plain = (value: unknown) => (value instanceof Object ? [] : value)
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), frequent), { maxLength: 20 }), (list) => {
      const expected = list.map((fields) => Object.fromEntries(Object.entries(fields).map(([k, v]) => [k, plain(v)])))
      assert.equal(jsonText(valueJson<unknown>(list)), JSON.stringify(expected))
    }),
  )
})

test('JSON that does not fit into the buffer is not written', () => {
  const text = valueJson<string>('äöü')
  assert.equal(writeJson(text, Buffer.alloc(7)), null)
  assert.equal(writeJson(text, Buffer.alloc(8))?.toString(), '"äöü"')
  const bytes = joinFragment<Author, Pick<Author, 'name'>>(createFragment<Pick<Author, 'name'>>({ name: 'a' }), {
    note: 'b',
  })
  assert.equal(writeJson(bytes, Buffer.alloc(9)), null)
  assert.equal(writeJson(bytes, Buffer.alloc(64))?.toString(), '{"name":"a","note":"b"}')
})

test('an integer of any size is written unchanged, and other text is rejected', () => {
  assert.equal(jsonText(integerJson('117659024036069376')), '117659024036069376')
  for (const text of ['', '01', '-1', '1.5', '1e3', '"', 'null']) assert.throws(() => integerJson(text), RangeError)
})

test('lists that arrive in batches result in the same text, also if some are empty', async () => {
  const author = (name: string) => entityJson<Author>({ name, note: undefined })
  async function* batches(...names: string[][]): AsyncGenerator<EntityJson<Author>[]> {
    for (const batch of names) yield batch.map(author)
  }
  interface Pair {
    first: Author[]
    second: Author[]
  }
  for (const [first, second] of [
    [[], []],
    [[['a'], [], ['b', 'c']], [['d']]],
    [[], [[], ['e']]],
  ] as const) {
    let text = ''
    const toBatches = (names: readonly (readonly string[])[]) => batches(...names.map((batch) => [...batch]))
    for await (const piece of streamEntity<Pair>({ first: toBatches(first), second: toBatches(second) })) text += piece
    const all = (names: readonly (readonly string[])[]) => names.flat().map((name) => ({ name }))
    assert.deepEqual(JSON.parse(text), { first: all(first), second: all(second) })
  }
})
