import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { htmlToPlainText } from './html-to-plain-text.ts'
import { assertCpuTimeBelowLimit } from '../../../test/text/text-samples.ts'

test('paragraphs, breaks and lists become lines', () => {
  assert.equal(htmlToPlainText('<p>one<br />two</p><p>three</p>'), 'one\ntwo\n\nthree')
  assert.equal(htmlToPlainText('<p>one</p>\n\n<p>two</p>\n'), 'one\n\ntwo')
  assert.equal(htmlToPlainText('<p>to do:</p><ul><li>a</li><li>b</li></ul>end'), 'to do:\n\na\nb\n\nend')
  assert.equal(htmlToPlainText('one\n  two<br>\nthree'), 'one two\nthree')
  assert.equal(htmlToPlainText('<pre>one\n  two</pre>'), 'one\n  two')
})

test('entities are decoded, once', () => {
  assert.equal(htmlToPlainText('<p>1 &lt; 2 &amp;amp; &quot;3&quot; &#x1F600; &nbsp;</p>'), '1 < 2 &amp; "3" 😀')
})

test('a shortened link results in its complete URL, a mention in its handle', () => {
  const link =
    '<a href="https://a.b/c"><span class="invisible">https://</span><span>a.b/</span><span class="invisible">c</span></a>'
  assert.equal(htmlToPlainText(`<p>see ${link}, @<span>bob</span></p>`), 'see https://a.b/c, @bob')
})

test('invisible parts are omitted: scripts, styles, comments, the fallback of a quote', () => {
  assert.equal(htmlToPlainText('a<script>b<br></script><style>c</style><!-- d --><svg><text>e</text></svg>f'), 'af')
  assert.equal(
    htmlToPlainText('<p class="quote-inline">RE: <a href="https://a.b">https://a.b</a></p><p>yes</p>'),
    'yes',
  )
  assert.equal(htmlToPlainText('<p>yes<span class="h-x quote-inline"><br><br>RE: https://a.b</span></p>'), 'yes')
})

test('any input results in a text without NUL', () => {
  assert.equal(htmlToPlainText(''), '')
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('<p>', '</p>', '<pre>', '</pre>', '<br>', '<svg>', '</svg>', 'a', ' ', '\n', '\0', '&#0;'),
      ),
      (pieces) => {
        const text = htmlToPlainText(pieces.join(''))
        assert.ok(!text.includes('\0'))
        assert.equal(text, text.trim())
      },
    ),
  )
})

test('HT9: parser bombs take little time', () => {
  for (const piece of ['<b>', '<p>', '<b></x>', '<svg>', '&lt;', '<', '\n', ' ', '<li>', '<br>']) {
    assertCpuTimeBelowLimit(() => htmlToPlainText(piece.repeat(100_000 / piece.length)), piece)
  }
})
