import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plainText } from './plainText.ts'
import { assertQuick } from '../../../test/texts.ts'

test('paragraphs, breaks and lists become lines', () => {
  assert.equal(plainText('<p>one<br />two</p><p>three</p>'), 'one\ntwo\n\nthree')
  assert.equal(plainText('<p>one</p>\n\n<p>two</p>\n'), 'one\n\ntwo')
  assert.equal(plainText('<p>to do:</p><ul><li>a</li><li>b</li></ul>end'), 'to do:\n\na\nb\n\nend')
  assert.equal(plainText('one\n  two<br>\nthree'), 'one two\nthree')
  assert.equal(plainText('<pre>one\n  two</pre>'), 'one\n  two')
})

test('entities are decoded, once', () => {
  assert.equal(plainText('<p>1 &lt; 2 &amp;amp; &quot;3&quot; &#x1F600; &nbsp;</p>'), '1 < 2 &amp; "3" 😀')
})

test('a shortened link gives its whole address, a mention its handle', () => {
  const link =
    '<a href="https://a.b/c"><span class="invisible">https://</span><span>a.b/</span><span class="invisible">c</span></a>'
  assert.equal(plainText(`<p>see ${link}, @<span>bob</span></p>`), 'see https://a.b/c, @bob')
})

test('what nobody reads is left out: scripts, styles, comments, the line that repeats a quoted address', () => {
  assert.equal(plainText('a<script>b<br></script><style>c</style><!-- d --><svg><text>e</text></svg>f'), 'af')
  assert.equal(plainText('<p class="quote-inline">RE: <a href="https://a.b">https://a.b</a></p><p>yes</p>'), 'yes')
})

test('any input gives a text, without NUL', () => {
  assert.equal(plainText(''), '')
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('<p>', '</p>', '<pre>', '</pre>', '<br>', '<svg>', '</svg>', 'a', ' ', '\n', '\0', '&#0;'),
      ),
      (pieces) => {
        const text = plainText(pieces.join(''))
        assert.ok(!text.includes('\0'))
        assert.equal(text, text.trim())
      },
    ),
  )
})

test('HT9: parser bombs are cheap', () => {
  for (const piece of ['<b>', '<p>', '<b></x>', '<svg>', '&lt;', '<', '\n', ' ', '<li>', '<br>']) {
    assertQuick(() => plainText(piece.repeat(100_000 / piece.length)), piece)
  }
})
