import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5'
import { htmlToPlainText } from './html-to-plain-text.ts'
import { MAX_HTML_LENGTH, sanitizeHtml } from './sanitize.ts'
import { ATTRIBUTES, ELEMENTS, hostileHtml, MXSS, SCHEMES } from '../../../test/text/hostile-html.ts'
import { assertCpuTimeBelowLimit } from '../../../test/text/text-samples.ts'
import { CODE_POINT } from '../../../test/text/code-points.ts'

type Cases = [given: string, clean: string][]

const check = (cases: Cases): void => {
  for (const [input, clean] of cases) assert.equal(sanitizeHtml(input), clean, input)
}
const link = (href: string, text: string, more = ''): string =>
  `<a href="${href}"${more} rel="nofollow noopener" target="_blank">${text}</a>`

test('the elements of a status are kept', () => {
  for (const html of [
    '<p>a<br>b</p><p class="quote-inline">RE</p>',
    '<blockquote><p>a</p></blockquote><pre><code>b\n  c</code></pre>',
    '<p><b>a</b><strong>b</strong><i>c</i><em>d</em><u>e</u><s>f</s><del>g</del><code>h</code></p>',
    '<ol start="3" reversed=""><li value="7">a</li><li>b<ul><li>c</li></ul></li></ol>',
    '<p><ruby>明日 <rp>(</rp><rt>Ashita</rt><rp>)</rp></ruby></p>',
    '<p lang="de-AT">a <span translate="no" lang="en">b</span></p>',
    'text &amp; &lt;tags&gt; "quoted" \'so\' 😀',
    '',
  ]) {
    assert.equal(sanitizeHtml(html), html)
  }
})

test('links get a safe rel and target; only classes that clients use are kept', () => {
  check([
    ['<a href="http://example.com">T</a>', link('http://example.com', 'T')],
    ['<a href="http://a.b" rel="me opener" target="_top" id="x" style="y">T</a>', link('http://a.b', 'T')],
    ['<a href="https://a.b/?x=1&amp;y=&quot;2&quot;">T</a>', link('https://a.b/?x=1&amp;y=&quot;2&quot;', 'T')],
    [
      '<a href="http://a.b" translate="no">T</a>',
      '<a href="http://a.b" rel="nofollow noopener" target="_blank" translate="no">T</a>',
    ],
    ['<a href="http://a.b" translate="yes">T</a>', link('http://a.b', 'T')],
    [
      '<a class="mention hashtag u-url evil" rel="tag" href="https://a.b/t">#<span>x</span></a>',
      '<a href="https://a.b/t" class="mention hashtag u-url" rel="tag nofollow noopener" target="_blank">#<span>x</span></a>',
    ],
    [
      '<span class="h-card p-x dt-y e-z invisible ellipsis fixed h- H-card">x</span>',
      '<span class="h-card p-x dt-y e-z invisible ellipsis">x</span>',
    ],
    ['<p class="quote-inline x" lang="no such language!">x</p>', '<p class="quote-inline">x</p>'],
    [
      '<ul class="mention"><li class="hashtag" value="x">x</li></ul><ol start="1e9"></ol>',
      '<ul><li>x</li></ul><ol></ol>',
    ],
  ])
})

test('links to other networks are kept; HT2: links with other schemes become text', () => {
  const allowed = `https://example.com/ dat://a dweb:/a/foo ipfs://a ipns://a ssb://a gopher://a/ xmpp:a@b.example
    magnet:?xt=urn:btih:1 gemini://a/`
  for (const href of allowed.split(/\s+/)) {
    assert.equal(sanitizeHtml(`<a href="${href}">T</a>`), link(href, 'T'))
  }
  for (const href of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' java\nscript:alert(1)',
    'java&#x0A;script&colon;alert(1)',
    '&#1;javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'foo://bar',
    '//evil.example',
    '/path',
    '\\\\evil.example',
    'https:evil',
    'https:///evil',
    'http://',
    'https://exa mple.com/',
    '',
  ]) {
    assert.equal(sanitizeHtml(`<a href="${href}">T</a>`), 'T', href)
  }
  check([
    ['<a>Test</a>', 'Test'],
    ['<a href="https:\n//a.\tb/"> T</a>', link('https://a.b/', ' T')],
    ['<a><span class="invisible">foo&amp;</span><span>Test</span></a><b>x</b>', 'foo&amp;Test<b>x</b>'],
    ['<a href="foo:x">T&lt;a href="https://a.b"&gt;t&lt;/a&gt;</a>', 'T&lt;a href="https://a.b"&gt;t&lt;/a&gt;'],
    ['<a href="foo:x">a<p>b</p></a>', 'a<p>b</p>'],
  ])
})

test('HT1: active elements are removed with their content; other unknown elements lose only their tags', () => {
  check([
    ['a<script>alert(1)</script>b<style>*{}</style>c', 'abc'],
    ['a<svg onload=x><desc>y</desc></svg>b<iframe src=x>y</iframe>c<object>y</object>d', 'abcd'],
    ['<img src=x onerror=alert(1)><embed src=x>a<input value=b>', 'a'],
    ['<form action=x><button onclick=y>go</button></form>', 'go'],
    ['<p onclick="x" id="y" style="z" data-a="b">a</p>', '<p>a</p>'],
    ['a<!-- <b> -->b<![CDATA[c]]>d<?php e ?>f<!doctype html>g', 'abdfg'],
    ['<font color=red>a</font> <small>b</small> <sub>c</sub>', 'a b c'],
  ])
})

test('HT7: classes and attributes that hide or misrepresent a link are removed', () => {
  check([
    [
      '<a href="https://evil.example/" class="invisible u-url sr-only hidden d-none verified" style="font-size:0">x</a>',
      '<a href="https://evil.example/" class="invisible u-url" rel="nofollow noopener" target="_blank">x</a>',
    ],
    [
      '<a href="https://evil.example/" rel="me author ME canonical" hidden title="https://good.example/">x</a>',
      link('https://evil.example/', 'x'),
    ],
    ['<p class="invisible" hidden aria-hidden="true" dir="rtl">x</p>', '<p class="invisible">x</p>'],
    ['<span class="verified status-card account__header__fields" role="button" tabindex=0>x</span>', '<span>x</span>'],
  ])
  // Mails and notifications show text that a class hides.
  const tricky = '<a href="https://evil.example/"><span class="invisible">https://evil.example/?</span>good.example</a>'
  assert.equal(htmlToPlainText(sanitizeHtml(tricky)), 'https://evil.example/?good.example')
})

test('words in blocks without tags remain separated', () => {
  check([
    ['<div>a</div><div>b</div>c', 'a b c'],
    ['<table><tr><td>a<td>b</table>', 'a b'],
    ['<dl><dt>a</dt> <dd>b</dd></dl>', 'a b'],
    ['<div><p>a</p></div><hr><p>b</p>', '<p>a</p><p>b</p>'],
  ])
})

test('headings become bold paragraphs, formulas their TeX', () => {
  const formula = (annotations: string, display = ''): string =>
    `<math${display}><semantics><msup><mi>x</mi><mi>n</mi></msup>${annotations}</semantics></math>`
  check([
    ['<h1>Foo</h1><h6>Bar</h6>', '<p><strong>Foo</strong></p><p><strong>Bar</strong></p>'],
    ['<h2 class="mention">A <em>b</em></h2>', '<p class="mention"><strong>A <em>b</em></strong></p>'],
    [formula('<annotation encoding="application/x-tex">x^n</annotation>'), '$x^n$'],
    [formula('<annotation encoding="application/x-tex">a&lt;b</annotation>', ' display="block"'), '$$a&lt;b$$'],
    [formula('<annotation encoding="text/plain">x to the n</annotation>'), 'x to the n'],
    [
      formula(
        '<annotation encoding="text/plain">p</annotation><annotation encoding="application/x-tex">t</annotation>',
      ),
      '$t$',
    ],
    [formula(''), 'xn'],
    ['<p>is <math><mi>x</mi></math> y</p>', '<p>is x y</p>'],
  ])
})

test('HT9: the text after a malformed formula is kept', () => {
  check([
    ['<p>a<math><mi>x<p>b</p>', '<p>ax</p><p>b</p>'],
    ['<p>a</math>b</p>', '<p>ab</p>'],
    ['<math><math><annotation encoding="application/x-tex">t</math>u</math>v', '$t$v'],
    ['<math><semantics><annotation encoding="application/x-tex">t', '$t$'],
    ['<math><script>x</script><annotation-xml><svg></annotation-xml></math>a', 'a'],
  ])
})

test('elements are nested as a browser nests them', () => {
  check([
    ['<p>a<p>b', '<p>a</p><p>b</p>'],
    ['<p>a<blockquote>b</blockquote>c</p>', '<p>a</p><blockquote>b</blockquote>c'],
    ['<p><b>a<ul><li>b<li>c</ul>d', '<p><b>a</b></p><ul><li>b</li><li>c</li></ul>d'],
    ['<a href="http://a.b">a<a href="http://c.d">b</a>', link('http://a.b', 'a') + link('http://c.d', 'b')],
    ['<b><i>a</b>b</i>', '<b><i>a</i></b>b'],
    ['<ul><li>a<span><li>b</span></ul>', '<ul><li>a<span></span></li><li>b</li></ul>'],
    ['<pre>\n\na\n</pre>', '<pre>a\n</pre>'],
    ['<pre><a href="">\na</a>\n</pre>', '<pre>a\n</pre>'],
    ['<ruby>a<rt>b<rt>c</ruby>', '<ruby>a<rt>b</rt><rt>c</rt></ruby>'],
    ['a</p></b></div>b</br>c', 'ab<br>c'],
    ['a\0b&#0;&#13;c\r\nd&#xD800;', 'ab\ufffd\nc\nd\ufffd'],
  ])
})

test('HT9: depth and length are limited, and the result is well-formed', () => {
  const deep = sanitizeHtml('<blockquote>'.repeat(1000) + 'x' + '</blockquote>'.repeat(1000))
  assert.equal(deep, `${'<blockquote>'.repeat(32)}x${'</blockquote>'.repeat(32)}`)
  const long = sanitizeHtml(`<p>${'ä&amp;'.repeat(20_000)}</p>`)
  assert.ok(long.length <= MAX_HTML_LENGTH && long.length > MAX_HTML_LENGTH - 10)
  assert.match(long, /(?:ä|&amp;)<\/p>$/)
  const links = sanitizeHtml('<p><a href=http://a.b>x</a>'.repeat(1200))
  assert.ok(links.length <= MAX_HTML_LENGTH)
  assert.match(links, /<\/p>$/)
  for (const tail of ['<a href="http://a.b', '&ampersand', '😀']) {
    const html = `${'x'.repeat(MAX_HTML_LENGTH - 3)}${tail}${tail}`
    assert.match(sanitizeHtml(html), /^x+(?:&amp;?|\ufffd|😀)?$/)
  }
})

/** Asserts that a browser parses sanitised HTML to allowed elements only, and that sanitising again changes nothing. */
function assertStable(html: string): void {
  const clean = sanitizeHtml(html)
  assert.equal(sanitizeHtml(clean), clean)
  const tree = parseFragment(clean)
  assert.equal(sanitizeHtml(serialize(tree).replaceAll('&nbsp;', '\u00a0')), clean)
  const look = (node: DefaultTreeAdapterTypes.ChildNode): void => {
    assert.ok(node.nodeName === '#text' || ELEMENTS.has(node.nodeName), node.nodeName)
    if (!('attrs' in node)) return
    for (const { name, value } of node.attrs) {
      assert.ok(ATTRIBUTES.has(name), name)
      if (name === 'href') assert.match(value, SCHEMES)
    }
    node.childNodes.forEach(look)
  }
  tree.childNodes.forEach(look)
}

test('HT3: known mutation XSS payloads are harmless after a browser parses the result', () => {
  for (const html of MXSS) assertStable(html)
})

test('HT3: any input results in allowed HTML that browsers parse as written and that is stable', () => {
  fc.assert(fc.property(hostileHtml, assertStable), { numRuns: 3000 })
  fc.assert(fc.property(fc.string({ unit: CODE_POINT }), assertStable))
})

test('HT3: the same applies at the limits of length and depth', () => {
  fc.assert(
    fc.property(hostileHtml, fc.integer({ min: 1, max: 60 }), (html, times) => {
      assertStable(html.repeat(times) + 'x'.repeat(MAX_HTML_LENGTH - times * 100) + html)
      assertStable(`<blockquote><b>`.repeat(times) + html)
    }),
    { numRuns: 60 },
  )
})

test('HT9, BI16: any 100 KB take less than 50 ms', () => {
  const pieces = `<b> <p> <ul><li> <b></x> <svg> <math> <math><p> <ruby><rt> <div> </p> <br> < & &lt; &#1 " <!-- <h1>
    <script> <a_href=http://a.b> <a_b= <a_x_ <p_class=" _h-a`.split(/\s+/)
  for (const piece of [...pieces.map((word) => word.replaceAll('_', ' ')), '<pre>\n', '\n', '\0', ' ']) {
    for (const lead of ['', '<a href="', '<p class="']) {
      assertCpuTimeBelowLimit(() => sanitizeHtml(lead + piece.repeat(100_000 / piece.length)), lead + piece)
    }
  }
})
