import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPage } from './pages.ts'

const LINK =
  '<https://linnet.test/api/v1/bookmarks?limit=20&max_id=17>; rel="next", ' +
  '<https://linnet.test/api/v1/bookmarks?limit=20&min_id=40>; rel="prev"'

const pageWith = (headers: HeadersInit) => toPage<string>({ headers: new Headers(headers), data: ['a', 'b'] })

test('the cursor of the next page comes from the Link header', () => {
  assert.deepEqual(pageWith({ link: LINK }), { items: ['a', 'b'], maxId: '17' })
})

test('without a link to a next page, the page is the last', () => {
  assert.equal(pageWith({}).maxId, null)
  assert.equal(pageWith({ link: '<https://linnet.test/api/v1/bookmarks?min_id=40>; rel="prev"' }).maxId, null)
})
