import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLinksInHtml, findLinksInText } from './find-links.ts'

test('the http(s) URLs of a text are found in order and without duplicates', () => {
  assert.deepEqual(findLinksInText('see https://B.test/x, (http://a.test) xmpp:a@b.test magnet:?x https://b.test/x'), [
    'https://b.test/x',
    'http://a.test/',
  ])
  assert.deepEqual(findLinksInText('no@mail.test www.site.test #tag @a@b.test'), [])
  assert.equal(findLinksInText(Array.from({ length: 50 }, (_none, n) => `https://a.test/${n}`).join(' ')).length, 10)
  assert.deepEqual(findLinksInText(`https://a.test/${'x'.repeat(3_000)} https://b.test/`), ['https://b.test/'])
})

test('the http(s) URLs of HTML are found, but not mentions and hashtags', () => {
  const html = `<p><a href="https://a.test/@ann" class="u-url mention">@ann</a> <a class="mention hashtag" href="https://a.test/tags/x">#x</a>
    <a rel="nofollow TAG tag" href="https://a.test/t">#t</a> <a href="javascript:1">x</a> <a href="/relative">y</a> <a>z</a>
    <a href="https://u:p@a.test/">w</a> <a href="https://a.test/1?x=1&amp;y=2" rel="nofollow noopener">1</a> <img src="https://a.test/2">
    <a href="http://a.test/3">3</a></p>`
  assert.deepEqual(findLinksInHtml(html), ['https://a.test/1?x=1&y=2', 'http://a.test/3'])
  assert.deepEqual(findLinksInHtml('words'), [])
})
