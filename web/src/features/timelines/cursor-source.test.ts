import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCursorSource } from './cursor-source.ts'

/** A list of three pages with one status each, whose cursors are no ids of statuses. */
function createPages() {
  const requests: (string | undefined)[] = []
  const pages = new Map([
    [undefined, { ids: ['9'], next: 'b' }],
    ['b', { ids: ['2'], next: 'c' }],
    ['c', { ids: ['5'], next: null }],
  ])
  const source = createCursorSource(async ({ maxId }) => {
    requests.push(maxId)
    const { ids, next } = pages.get(maxId)!
    const link = next ? { link: `<https://linnet.test/?max_id=${next}>; rel="next"` } : undefined
    return { headers: new Headers(link), data: ids.map((id) => ({ id })) }
  })
  const fetchIds = async (maxId?: string) =>
    (await source.fetchPage({ limit: 1, ...(maxId ? { maxId } : {}) })).map(({ id }) => id)
  return { requests, fetchIds }
}

test('each page begins at the cursor of the page before, and nothing is requested after the last', async () => {
  const { requests, fetchIds } = createPages()
  assert.deepEqual([await fetchIds(), await fetchIds('9'), await fetchIds('2')], [['9'], ['2'], ['5']])
  assert.deepEqual(await fetchIds('5'), [])
  assert.deepEqual(requests, [undefined, 'b', 'c'])
})

test('after the last status has been removed, the next page still begins below it', async () => {
  const { fetchIds } = createPages()
  await fetchIds()
  await fetchIds('9')
  assert.deepEqual(await fetchIds('9'), ['2'])
  assert.deepEqual(await fetchIds('gone'), ['5'])
})
