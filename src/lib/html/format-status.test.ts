import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseFragment, serialize } from 'parse5'
import { cleanText } from '../text/clean-text.ts'
import { formatField, formatLink, formatNote, formatStatus, type ResolvedMention } from './format-status.ts'
import { htmlToPlainText } from './html-to-plain-text.ts'
import { sanitizeHtml } from './sanitize.ts'
import { assertCpuTimeBelowLimit, entityTexts } from '../../../test/text/text-samples.ts'

const alice: ResolvedMention = { username: 'alice', domain: null, acct: 'alice', url: 'https://here.example/@alice' }
const bob: ResolvedMention = {
  username: 'Bob',
  domain: 'remote.example',
  acct: 'Bob@remote.example',
  url: 'https://remote.example/@Bob',
}
const tagUrl = (name: string): string => `https://here.example/tags/${encodeURIComponent(name)}`
const source = (text: string, mentions: ResolvedMention[] = []) => ({
  text,
  mentions,
  localDomains: ['here.example', 'localhost:3000'],
  tagUrl,
})
const format = (text: string, ...mentions: ResolvedMention[]): string => formatStatus(source(text, mentions))
const card = (url: string, name: string): string =>
  `<span class="h-card" translate="no"><a href="${url}" class="u-url mention">@<span>${name}</span></a></span>`

test('plain text becomes paragraphs at empty lines and breaks at others', () => {
  assert.equal(format('one'), '<p>one</p>')
  assert.equal(
    format('one\ntwo\n\nthree\n\n\n\nfour\n \nfive'),
    '<p>one<br />two</p><p>three</p><p>four</p><p>five</p>',
  )
  assert.equal(format('one\r\ntwo\r\rthree'), '<p>one<br />two</p><p>three</p>')
  assert.equal(format('\n\n  one  \n\n'), '<p>  one</p>')
  assert.equal(format('　字下げ'), '<p>　字下げ</p>')
  assert.equal(format(' \n '), '')
})

test('HT1: markup in a text is escaped', () => {
  assert.equal(
    format(`<img src="javascript:alert('XSS');"> & &lt;`),
    '<p>&lt;img src=&quot;javascript:alert(&#39;XSS&#39;);&quot;&gt; &amp; &amp;lt;</p>',
  )
  const inUrl = format('http://example.com/blahblahblahblah/a<script>alert("Hello")</script>')
  assert.ok(inUrl.includes('href="http://example.com/blahblahblahblah/a"'))
  assert.ok(inUrl.endsWith('&lt;script&gt;alert(&quot;Hello&quot;)&lt;/script&gt;</p>'))
})

test('a link shows a shortened URL', () => {
  const anchor = (url: string, spans: string): string =>
    `<a href="${url}" rel="nofollow noopener" target="_blank" translate="no">${spans}</a>`
  assert.equal(
    formatLink('https://www.example.com/a?b=1&c=2'),
    anchor(
      'https://www.example.com/a?b=1&amp;c=2',
      '<span class="invisible">https://www.</span><span class="">example.com/a?b=1&amp;c=2</span><span class="invisible"></span>',
    ),
  )
  assert.equal(
    formatLink(`https://example.com/${'a'.repeat(20)}`),
    anchor(
      'https://example.com/aaaaaaaaaaaaaaaaaaaa',
      '<span class="invisible">https://</span><span class="ellipsis">example.com/aaaaaaaaaaaaaaaaaa</span><span class="invisible">aa</span>',
    ),
  )
  assert.ok(formatLink(`https://example.com/${'a'.repeat(19)}`).includes('<span class="">'), 'never for one character')
  assert.ok(formatLink('xmpp:a@b.example').includes('<span class="invisible">xmpp:</span><span class="">a@b.'))
  assert.ok(formatLink(`gemini://x.example/${'é'.repeat(40)}`).includes(`/${'é'.repeat(11)}</span>`))
})

test('HT2: a link never has a script URL', () => {
  assert.ok(formatLink('javascript:alert(1)').startsWith('<a href="about:blank"'))
})

test('a resolved mention is a link; other handles remain text', () => {
  assert.equal(format('hi @alice!', alice), `<p>hi ${card(alice.url, 'alice')}!</p>`)
  assert.equal(
    format('@ALICE @nobody @alice@elsewhere.example', alice),
    `<p>${card(alice.url, 'alice')} @nobody @alice@elsewhere.example</p>`,
  )
  assert.equal(format('@bob@Remote.Example.', bob), `<p>${card(bob.url, 'Bob')}.</p>`)
  assert.equal(
    format('@alice@HERE.example @alice@localhost:3000', alice),
    `<p>${card(alice.url, 'alice')} ${card(alice.url, 'alice')}</p>`,
  )
  assert.equal(format('@alice@-._', alice), '<p>@alice@-._</p>', 'the text after the second @ is no domain')
})

test('domains are compared in canonical form, so that Unicode and punycode are equal', () => {
  const jp = { username: 'a', domain: 'xn--wgv71a119e.jp', acct: 'a@日本語.jp', url: 'https://xn--wgv71a119e.jp/@a' }
  assert.equal(format('@a@日本語.jp', jp), `<p>${card(jp.url, 'a')}</p>`)
})

test('the domain is shown if two mentioned accounts have the same username', () => {
  const local = { ...alice, username: 'bob', acct: 'bob', url: 'https://here.example/@bob' }
  assert.equal(
    format('@bob and @bob@remote.example', local, bob),
    `<p>${card(local.url, 'bob')} and ${card(bob.url, 'Bob@remote.example')}</p>`,
  )
})

test('a hashtag links to its normalised name and shows the typed text', () => {
  const tag = (name: string, shown: string): string =>
    `<a href="https://here.example/tags/${name}" class="mention hashtag" rel="tag">#<span>${shown}</span></a>`
  assert.equal(format('#Élan ＃タグ'), `<p>${tag('elan', 'Élan')} ${tag('%E3%82%BF%E3%82%B0', 'タグ')}</p>`)
})

test('a quoted status is linked in the first paragraph, unless the text links to it', () => {
  const quoteUrl = 'https://remote.example/@Bob/1'
  const fallback = `<p class="quote-inline">RE: ${formatLink(quoteUrl)}</p>`
  assert.equal(formatStatus({ ...source('so true'), quoteUrl }), `${fallback}<p>so true</p>`)
  assert.equal(formatStatus({ ...source(''), quoteUrl }), fallback)
  assert.ok(!formatStatus({ ...source(`see ${quoteUrl}`), quoteUrl }).includes('RE:'))
  assert.ok(formatStatus({ ...source(`see ${quoteUrl}2`), quoteUrl }).includes('RE:'), 'another URL does not count')
  assert.equal(formatStatus({ ...source('a'), quoteUrl: null }), '<p>a</p>')
})

test('a biography is formatted like a status without mentions; a field is one line with rel="me" links', () => {
  assert.equal(formatNote({ text: 'one\n\n@alice #a', tagUrl }), format('one\n\n@alice #a'))
  const field = formatField({ text: ' https://me.example/\n@bob@remote.example ', tagUrl })
  assert.equal(field, `${formatLink('https://me.example/', { relMe: true })} @bob@remote.example`)
  assert.ok(field.includes('rel="nofollow noopener me"'))
})

/** Normalises a text as its HTML can reproduce it. The caller omits shortened handles. */
function normal(text: string): string {
  return cleanText(text)
    .replace(/(?<=^|\s)＃(?=[\p{L}\p{Nd}\p{Pc}])/gu, '#')
    .replace(/ *\n */g, '\n')
    .replace(/\n{2,}/g, '\n\n')
    .trim()
}

test('the plain text of the HTML equals the original text', () => {
  fc.assert(
    fc.property(entityTexts, (text) => {
      const lines = cleanText(text).replace(/[^\S\n]*\n\s*/g, (blank) =>
        '\n'.repeat(Math.min(blank.split('\n').length - 1, 2)),
      )
      assert.equal(normal(htmlToPlainText(format(lines))), normal(lines))
    }),
    { numRuns: 1000 },
  )
})

test('a browser parses the HTML to the same tree, and the sanitiser removes nothing from it', () => {
  const mentions = [alice, bob, { ...bob, username: 'alice', acct: 'alice@remote.example', domain: 'remote.example' }]
  fc.assert(
    fc.property(entityTexts, (text) => {
      const formatted = format(text, ...mentions)
      const read = serialize(parseFragment(formatted))
      assert.equal(read.replaceAll('<br>', '<br />'), serialize(parseFragment(read)).replaceAll('<br>', '<br />'))
      assert.equal(htmlToPlainText(sanitizeHtml(formatted)), htmlToPlainText(formatted))
      assert.equal((formatted.match(/<a /g) ?? []).length, (sanitizeHtml(formatted).match(/<a /g) ?? []).length)
    }),
    { numRuns: 500 },
  )
})

test('BI16: formatting 100 KB takes less than 50 ms', () => {
  for (const piece of ['a', '\n', '\n ', ' \n', '<', '@', ' ', '\r', '"']) {
    const text = `x${piece.repeat(100_000 / piece.length)}x`
    assertCpuTimeBelowLimit(() => format(text, alice), JSON.stringify(piece))
  }
})
