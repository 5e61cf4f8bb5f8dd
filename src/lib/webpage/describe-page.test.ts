// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { extractPageMetadata } from './describe-page.ts'
import type { PageMetadata } from './describe-page.ts'
import { readOEmbed } from './read-oembed.ts'

const now = new Date('2026-11-20T12:00:00Z')
const pageUrl = 'https://site.test/posts/1?a=b'
const read = (html: string) => extractPageMetadata(html, { pageUrl, now })
const meta = (record: Record<string, string>) =>
  Object.entries(record)
    .map(([name, content]) => `<meta ${name.includes(':') ? 'property' : 'name'}="${name}" content="${content}">`)
    .join('')
const data = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`

suite('the metadata of a page', () => {
  test('is read from its HTML tags if there is nothing else', () => {
    const html = `<!doctype html><html lang="pt-br"><head><title>
        A &lt;title&gt; &amp; more </title><meta name="Description" content="  what it   is ">
      <meta name=author content="Ann"></head><body><title>no</title><p>text</p>`
    assert.deepEqual(read(html), {
      url: pageUrl,
      type: 'link',
      title: 'A <title> & more',
      description: 'what it is',
      language: 'pt-BR',
      providerName: '',
      providerUrl: '',
      authors: [{ name: 'Ann', url: '' }],
      creators: [],
      imageUrl: null,
      imageDescription: '',
      embedUrl: '',
      player: null,
      width: 0,
      height: 0,
      publishedAt: null,
      oEmbedUrl: null,
    } satisfies PageMetadata)
  })

  test('is preferably read from JSON-LD, then Open Graph, then HTML tags', () => {
    const plain = '<title>plain</title><meta name="description" content="plain">'
    const graph = meta({
      'og:title': 'graph',
      'og:description': 'graph',
      'og:site_name': 'Graph',
      'og:locale': 'de_DE',
      'og:image': '/a.png',
      'og:image:alt': 'alt',
      'article:published_time': '2026-01-01',
    })
    const article = {
      '@type': ['NewsArticle'],
      headline: 'data',
      description: 'about &amp; <i>on</i>',
      inLanguage: 'fr-FR',
      publisher: { '@type': 'Organization', name: 'Publisher' },
      author: [{ name: 'Ann', url: '/ann' }, { name: 'Bob' }, 'Cy'],
      datePublished: '2026-02-03T04:05:06Z',
      image: ['https://cdn.test/b.png'],
    }
    const facts = read(plain + graph)
    assert.deepEqual(
      [facts.title, facts.description, facts.providerName, facts.language, facts.imageUrl, facts.imageDescription],
      ['graph', 'graph', 'Graph', 'de', 'https://site.test/a.png', 'alt'],
    )
    assert.deepEqual(facts.publishedAt, new Date('2026-01-01'))
    for (const value of [article, [article], { '@graph': [{ '@type': 'WebPage', name: 'page' }, article] }]) {
      const metadata = read(plain + graph + data(value))
      assert.deepEqual(
        [metadata.title, metadata.description, metadata.providerName, metadata.language, metadata.publishedAt],
        ['data', 'about & on', 'Publisher', 'fr', new Date('2026-02-03T04:05:06Z')],
      )
      assert.deepEqual(metadata.authors, [
        { name: 'Ann', url: 'https://site.test/ann' },
        { name: 'Bob', url: '' },
        { name: 'Cy', url: '' },
      ])
      assert.equal(metadata.imageUrl, 'https://site.test/a.png')
    }
    assert.equal(read(data(article)).imageUrl, 'https://cdn.test/b.png')
    const others = [
      data({ '@type': 'Product', name: 'x' }),
      data('x'),
      data(null),
      '<script type="application/ld+json">{',
    ]
    for (const other of others) assert.equal(read(plain + other).title, 'plain')
    assert.equal(read(plain + others.join('</script>') + '</script>' + data(article)).title, 'data')
  })

  test('has the canonical URL if it is on the same host, else the URL of the page', () => {
    const canonical = (href: string) => read(`<link rel="canonical" href="${href}">`).url
    for (const [href, url] of [
      ['/one', 'https://site.test/one'],
      ['https://site.test/two#x', 'https://site.test/two#x'],
      ['https://evil.test/', pageUrl],
      ['//evil.test/', pageUrl],
      ['https://site.test:8443/', pageUrl],
      ['javascript:alert(1)', pageUrl],
      ['https://user@site.test/', pageUrl],
      [`/${'x'.repeat(3_000)}`, pageUrl],
      ['', pageUrl],
    ]) {
      assert.equal(canonical(href!), url)
      assert.equal(read(meta({ 'og:url': href! })).url, url)
    }
  })

  test('has a player if its URL is https', () => {
    const play = (url: string) =>
      read(meta({ 'twitter:player': url, 'twitter:player:width': '640', 'twitter:player:height': '360px' }))
    const { type, player, width, height } = play('https://cdn.test/play')
    assert.deepEqual(
      { type, player, width, height },
      { type: 'video', player: { element: 'iframe', url: 'https://cdn.test/play' }, width: 640, height: 360 },
    )
    for (const url of ['http://cdn.test/', 'javascript:1', '', 'data:text/html,x']) {
      assert.deepEqual([play(url).type, play(url).player, play(url).width], ['link', null, 0])
    }
  })

  test('has no impossible publication date', () => {
    const at = (content: string) => read(meta({ 'article:published_time': content })).publishedAt
    assert.deepEqual(at('2026-11-20T13:00:00Z'), new Date('2026-11-20T13:00:00Z'))
    for (const content of ['9999-01-01', '2026-11-23', '0000-00-00', '-1', 'yesterday', '+275760-09-13'])
      assert.equal(at(content), null, content)
  })

  test('has several fediverse:creator handles up to a limit', () => {
    const creators = (count: number) =>
      read(
        Array.from({ length: count }, (_none, n) => `<meta name="fediverse:creator" content="@a${n}@b.test">`).join(''),
      ).creators
    assert.deepEqual(creators(2), ['@a0@b.test', '@a1@b.test'])
    assert.equal(creators(50).length, 4)
  })

  test('has the URL of a JSON oEmbed document only', () => {
    const link = (type: string) => read(`<link href="/oembed?x=1&amp;y=2" rel="ALTERNATE" type="${type}">`).oEmbedUrl
    assert.equal(link('application/json+oembed'), 'https://site.test/oembed?x=1&y=2')
    assert.equal(link('text/xml+oembed'), null)
    assert.equal(link('application/json+oembedded'), null)
  })
})

/** Fragments of pages that have a meaning for an HTML parser. */
const HALVES = `< > " ' = / <title> </title> </script> <!-- --> <svg> &amp; &#0; javascript:1 https://x.test/`

test('FE12 any page is parsed quickly and results only in URLs and texts of one line', () => {
  const pieces = fc.constantFrom(
    ...HALVES.split(' '),
    '<script type="application/ld+json">',
    '<meta property="og:title" content=',
    '<link rel=canonical href=',
    '{"@type":"Article","headline":',
    '\ud800',
    '\u0000',
    '\u202e',
    '<p ',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 60 }), (parts) => {
      const facts = read(parts.join(''))
      for (const text of [
        facts.title,
        facts.description,
        facts.providerName,
        ...facts.authors.map(({ name }) => name),
      ]) {
        assert.ok(text.isWellFormed() && !/[\n\r\u0000]/.test(text))
      }
      for (const url of [facts.url, facts.imageUrl, facts.oEmbedUrl, facts.player?.url]) {
        assert.ok(url === null || url === undefined || /^https?:\/\//.test(url))
      }
    }),
  )
  for (const piece of [
    '<div>',
    '<',
    '<title>',
    '<a b=c ',
    '<meta name=og:title content=x>',
    '<!--',
    '<script>',
    '&amp',
    '<form>',
    '<svg><title>',
  ]) {
    const page = piece.repeat(1_048_576 / piece.length)
    const microseconds = [1, 2].map(() => {
      const before = process.threadCpuUsage()
      read(page)
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    })
    // Of two, because the first may compile code or collect the garbage of other files.
    assert.ok(Math.min(...microseconds) < 200_000, `${microseconds.join(', ')} µs for ${piece}`)
  }
})

test('only valid values of any oEmbed document change the metadata of the page', () => {
  const facts = read('<title>Page</title>')
  const value = fc.anything({
    values: [fc.string(), fc.integer(), fc.constant('https://x.test/'), fc.constant('video')],
  })
  const keys = ['type', 'title', 'html', 'url', 'width', 'height', 'author_name', 'author_url', 'thumbnail_url']
  const metadata = fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] })
  fc.assert(
    fc.property(fc.oneof(metadata, value), (document) => {
      const json = JSON.stringify(document) ?? ''
      const after = readOEmbed(json, { metadata: facts, url: 'https://site.test/oembed' })
      assert.notEqual(after.title, '')
      assert.ok(after.width >= 0 && after.width <= 4_096 && Number.isInteger(after.height))
      assert.ok(after.imageUrl === null || after.imageUrl.startsWith('http'))
    }),
  )
  assert.equal(readOEmbed('{', { metadata: facts, url: pageUrl }), facts)
})
