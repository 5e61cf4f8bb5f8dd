import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { attributes, html as markup, isolateDirection, isolateDirectionOfText, raw, safeUrl } from './html.ts'
import type { HtmlValue } from './html.ts'
import { CODE_POINT } from '../../../test/text/code-points.ts'

const hostile = `"><script>alert('1')</script>&amp;`

test('user text is escaped and cannot become markup (HT4)', () => {
  assert.equal(
    markup`<p>${hostile}</p>`.toString(),
    '<p>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</p>',
  )
})

test('a value cannot end its quoted attribute (HT4)', () => {
  assert.equal(markup`<i title="${'" onclick="x'}">a</i>`.toString(), '<i title="&quot; onclick=&quot;x">a</i>')
  assert.equal(markup`<i title='${"' onclick='x"}'>a</i>`.toString(), "<i title='&#39; onclick=&#39;x'>a</i>")
})

test('markup and arrays of markup are inserted unescaped, and everything else is escaped', () => {
  const items = ['<a>', 'b'].map((item) => markup`<li>${item}</li>`)
  assert.equal(markup`<ul>${items}</ul>`.toString(), '<ul><li>&lt;a&gt;</li><li>b</li></ul>')
  assert.equal(markup`<p>${['<', markup`<b>1</b>`, 2]}</p>`.toString(), '<p>&lt;<b>1</b>2</p>')
  assert.equal(markup`${raw('<hr>')}`.toString(), '<hr>')
})

test('null, undefined, false and true print nothing; zero and numbers print themselves', () => {
  assert.equal(markup`[${null}${undefined}${false}${true}${''}${0}${12n}]`.toString(), '[012]')
})

test('a parsed JSON object cannot be mistaken for markup (HT4)', () => {
  const forged = JSON.parse('{"text":"<script>","toString":"x"}') as HtmlValue
  assert.throws(() => markup`<p>${forged}</p>`)
})

test('a URL that would run a script is replaced in all URL attributes (HT2)', () => {
  const blanks = ['javascript:alert(1)', ' JaVaScRiPt:1', 'java\tscript:1', '\u0001vbscript:1', 'data:text/html,1']
  for (const address of blanks) {
    assert.equal(markup`<a href="${address}">x</a>`.toString(), '<a href="about:blank">x</a>', address)
    assert.equal(attributes({ href: address }).toString(), ' href="about:blank"', address)
  }
  assert.equal(markup`<a href="/x?${'javascript:1'}">x</a>`.toString(), '<a href="/x?javascript:1">x</a>')
})

test('ordinary, relative and app URLs do not change', () => {
  for (const address of ['https://a.example/?q=1', '/x', '#y', 'tusky://callback', 'data:image/png;base64,AA==']) {
    assert.equal(safeUrl(address), address)
  }
  assert.equal(safeUrl('data:image/svg+xml;base64,AA=='), 'about:blank')
})

test('a value in a position where escaping cannot help is rejected', () => {
  assert.throws(() => markup`<i title=${'x'}>a</i>`, TypeError)
  assert.throws(() => markup`<i ${'onclick=x'}>a</i>`, TypeError)
  assert.throws(() => markup`<i onclick="${'x'}">a</i>`, TypeError)
  assert.throws(() => markup`<i style="${'x'}">a</i>`, TypeError)
  assert.throws(() => markup`<!-- ${'x'} -->`, TypeError)
  assert.throws(
    () =>
      markup`<script>
        ${'x'}
      </script>`,
    TypeError,
  )
  assert.throws(
    () =>
      markup`<style>
        ${'x'}
      </style>`,
    TypeError,
  )
  assert.throws(() => markup`<i title="${'x'}`, TypeError)
  assert.throws(() => markup`<i title="${markup`<b>x</b>`}">a</i>`, TypeError)
})

test('attributes are escaped, controlled by booleans, and cannot run code', () => {
  assert.equal(
    attributes({
      type: 'text',
      required: true,
      checked: false,
      value: hostile.slice(0, 2),
      id: null,
      size: 3,
    }).toString(),
    ' type="text" required value="&quot;&gt;" size="3"',
  )
  assert.equal(markup`<input${attributes({ name: 'a' })}>`.toString(), '<input name="a">')
  assert.throws(() => attributes({ onclick: 'x' }), TypeError)
  assert.throws(() => attributes({ 'a b': 'x' }), TypeError)
})

test('a name is isolated and cannot reorder the surrounding text (HT8)', () => {
  assert.equal(isolateDirection('<b>\u202eevil\u2069').toString(), '<bdi>&lt;b&gt;evil</bdi>')
  assert.equal(isolateDirectionOfText('\u2067a\u202c'), '\u2068a\u2069')
  assert.equal(isolateDirection('علي').toString(), '<bdi>علي</bdi>')
})

test('no text can insert a quote, an angle bracket or an unescaped ampersand (HT4)', () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT }), (text) => {
      const printed = markup`${text}`.toString()
      assert.doesNotMatch(printed, /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
      const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
      assert.equal(
        printed.replace(/&([^;]+);/g, (_, name: string) => entities[name] ?? '?'),
        text,
      )
    }),
  )
})
