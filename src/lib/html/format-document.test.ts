import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseFragment } from 'parse5'
import { formatDocument } from './format-document.ts'

const format = (text: string) => formatDocument(text, { base: 'https://linnet.test/' })

test('headings, paragraphs, lists, emphasis and links of a document are converted', async () => {
  assert.equal(
    await format('# Terms\n\nBe *kind*.\n\n1. One\n2. **Two**\n\n- a\n- `b`'),
    '<h1>Terms</h1>\n<p>Be <em>kind</em>.</p>\n<ol>\n<li>One</li>\n<li><strong>Two</strong></li>\n</ol>\n<ul>\n<li>a</li>\n<li><code>b</code></li>\n</ul>',
  )
  assert.equal(
    await format('See [our rules](/about) or https://example.org, <mailto:a@b.test>, [above](#terms).'),
    '<p>See <a href="https://linnet.test/about" rel="nofollow noopener">our rules</a> or ' +
      '<a href="https://example.org" rel="nofollow noopener">https://example.org</a>, ' +
      '<a href="mailto:a@b.test" rel="nofollow noopener">mailto:a@b.test</a>, <a href="#terms">above</a>.</p>',
  )
  assert.equal(await format(''), '')
})

test('HT1: text of a document cannot become HTML or an unsafe URL', async () => {
  assert.equal(
    await format('<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>'),
    '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>&lt;img src=x onerror=alert(1)&gt;</p>',
  )
  for (const address of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.test',
  ]) {
    assert.doesNotMatch(await format(`[x](<${address}>)`), /href/, address)
  }
  assert.doesNotMatch(await format('![x](https://evil.test/track.png)'), /<img/)
})

const ALLOWED = new Set(
  'h1 h2 h3 h4 h5 h6 p em strong s ul ol li blockquote code pre hr br a table thead tbody tr th td'.split(' '),
)

test('HT1: any text results in known elements only, with links to http(s), mail or the document itself', async () => {
  const crumb = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '[',
      ']',
      '(',
      ')',
      '"',
      "'",
      '`',
      '*',
      '\n',
      '\n\n',
      '    ',
      'javascript:',
      'https://a.b/',
    ),
    fc.constantFrom('<script>', '&#106;', 'onclick=', '![', '](', '|', '---', '<!--', '&lt;', '//a.b'),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(crumb, { maxLength: 30 }), async (crumbs) => {
      const visit = (node: object): void => {
        const {
          tagName,
          attrs = [],
          childNodes = [],
        } = node as {
          tagName?: string
          attrs?: { name: string; value: string }[]
          childNodes?: object[]
        }
        if (tagName !== undefined) assert.ok(ALLOWED.has(tagName), tagName)
        for (const { name, value } of attrs) {
          assert.match(name, /^(href|rel|title|start|class|style)$/)
          if (name === 'href') assert.match(value, /^(https?:\/\/|mailto:|#)/i)
          if (name === 'style') assert.match(value, /^text-align:(left|right|center)$/)
        }
        childNodes.forEach(visit)
      }
      visit(parseFragment(await format(crumbs.join(''))))
    }),
    { numRuns: 400 },
  )
})
