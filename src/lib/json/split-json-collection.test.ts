import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidCollectionError, splitJsonCollection } from './split-json-collection.ts'

/** Splits a text in chunks of `size` bytes. */
async function split(text: string, { size = 3, maxItemBytes = 100 } = {}): Promise<(string | null)[]> {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return Array.fromAsync(splitJsonCollection(chunks(), { property: 'items', maxItemBytes }))
}

test('the items of an array are yielded one by one, however the text is cut into chunks', async () => {
  const items = [{ text: 'a "quoted" ] } , \\' }, 'é…🎉', 1.5, null, [1, [2, { a: [] }]], {}, true]
  const text = JSON.stringify({ other: ['items', { items: [9] }], items, last: { items: 1 } }, null, 1)
  for (const size of [1, 2, 7, 1_000]) {
    assert.deepEqual(
      (await split(text, { size })).map((item) => JSON.parse(item!)),
      items,
    )
  }
  assert.deepEqual(await split('{"items":[]}'), [])
})

test('an item that is too long is yielded as null, and those after it are complete', async () => {
  const text = JSON.stringify({ items: ['a', 'x'.repeat(100), 'b'] })
  assert.deepEqual(await split(text, { maxItemBytes: 50 }), ['"a"', null, '"b"'])
})

for (const text of [
  '',
  'text',
  '[]',
  '{}',
  '{"items":{}}',
  '{"items":[1',
  '{"items":[1]',
  '{"items":[]}{}',
  '{"a":["items"]}',
])
  test(`${JSON.stringify(text)} is refused`, async () => {
    await assert.rejects(split(text), InvalidCollectionError)
  })
