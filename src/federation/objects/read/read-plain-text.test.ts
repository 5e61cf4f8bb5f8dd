import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCpuTimeBelowLimit } from '../../../../test/text/text-samples.ts'
import { normalizeDocument } from '../../wire/normalize.ts'
import { readNote } from './read-note.ts'

const contentOf = (more: object) =>
  readNote(
    normalizeDocument({
      id: 'https://tube.example/comments/1',
      type: 'Note',
      attributedTo: 'https://tube.example/accounts/ann',
      to: 'as:Public',
      mediaType: 'text/markdown',
      tag: [{ type: 'Mention', href: 'https://b.example/users/bob', name: '@bob@b.example' }],
      ...more,
    }),
    { now: new Date() },
  ).content

test('the text of a comment by PeerTube keeps its lines and all of its characters, and its links and mentions are links', () => {
  assert.equal(
    contentOf({ content: '@bob@b.example a <3\n\nif 1<2 && x>y #no\nsee https://tube.example/w/1' }),
    '<p><span class="h-card" translate="no"><a href="https://b.example/users/bob" class="u-url mention" rel="nofollow noopener" target="_blank">@<span>bob</span></a></span> a &lt;3</p>' +
      '<p>if 1&lt;2 &amp;&amp; x&gt;y #no<br>see <a href="https://tube.example/w/1" rel="nofollow noopener" target="_blank" translate="no"><span class="invisible">https://</span><span>tube.example/w/1</span><span class="invisible"></span></a></p>',
  )
})

test('Markdown that contains HTML is HTML; plain text never is', () => {
  const content = '<p>one<br>two</p>'
  assert.equal(contentOf({ content }), content)
  assert.equal(contentOf({ content, mediaType: 'text/html' }), content)
  assert.equal(contentOf({ content, mediaType: undefined }), content)
  assert.equal(
    contentOf({ content, mediaType: 'Text/Plain; charset=utf-8' }),
    '<p>&lt;p&gt;one&lt;br&gt;two&lt;/p&gt;</p>',
  )
  assert.equal(contentOf({ content: '<script>alert(1)</script>' }), '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
  assert.equal(contentOf({ content: undefined }), '')
})

test('FE12 a hostile text takes little time', () => {
  for (const piece of ['@a@b.example ', 'https://a.example/', '<a ', '#a', '\n \n', '<'])
    assertCpuTimeBelowLimit(() => void contentOf({ content: piece.repeat(100_000) }), piece)
})
