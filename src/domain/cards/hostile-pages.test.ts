// Slow: sends many requests to hostile sites.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { openCardServer } from '../../../test/features/cards.ts'
import { openPeer } from '../../../test/federation/peer/open-peer.ts'
import {
  respondWith,
  gzipBomb,
  neverRespond,
  largeBody,
  redirectTo,
  resetConnection,
  trickleResponse,
} from '../../../test/federation/peer/behaviour.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { fetchCard } from './fetch-card.ts'

const plain = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<title>By plain http</title>')
})
await new Promise<void>((resolve) => void plain.listen(0, '127.0.0.1', resolve))
const peer = await openPeer({ hosts: ['site.test', 'cdn.test'] })
const LINNET_TEST_HOSTS = `${peer.env.LINNET_TEST_HOSTS},plain.test=127.0.0.1:${(plain.address() as AddressInfo).port}`
const testServer = await openTestServer({ env: { ...peer.env, LINNET_TEST_HOSTS }, extraCa: peer.ca })
after(async () => {
  await testServer.close()
  await peer.close()
  plain.close()
})
const site = peer.host('site.test')
const { serve, serveAt, post, cardFor } = openCardServer({ testServer, peer, host: 'site.test' })
const alice = await testServer.createUser({ username: 'alice' })
const title = (text: string) => `<!doctype html><title>${text}</title>`
const html = { 'content-type': 'text/html' }

suite('linked pages may be hostile', () => {
  test('a page over plain HTTP has a card', async () => {
    assert.equal((await cardFor(alice, 'http://plain.test/x'))?.title, 'By plain http')
  })

  test('FE5 only the beginning of an endless page or of a decompression bomb is read', async () => {
    const start = title('Only the beginning')
    const endless = serveAt('https://site.test/endless', { status: 200 })
    let sent = 0
    site.behave('/endless', ({ response }) => {
      response.writeHead(200, html).write(start)
      const writeUntilFull = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536
        sent += 65_536
      }
      response.on('drain', writeUntilFull)
      writeUntilFull()
    })
    assert.equal((await cardFor(alice, endless))?.title, 'Only the beginning')
    assert.ok(sent < 32 * 1_048_576, `${sent} bytes were taken`)
    const bomb = gzipSync(Buffer.concat([Buffer.from(start), Buffer.alloc(48 * 1_048_576, ' ')]))
    site.behave('/bomb', respondWith(200, { headers: { ...html, 'content-encoding': 'gzip' }, body: bomb }))
    assert.equal((await cardFor(alice, 'https://site.test/bomb'))?.title, 'Only the beginning')
    site.behave('/late', respondWith(200, { headers: html, body: `${' '.repeat(1_048_576)}${start}` }))
    assert.equal(await cardFor(alice, 'https://site.test/late'), null)
    site.recover()
  })

  test('FE5 an image or oEmbed resource that is too large is left out of the card', async () => {
    serveAt('https://cdn.test/bomb.png', { status: 200 })
    serveAt('https://cdn.test/bomb.json', { status: 200 })
    const json = { 'content-type': 'application/json' }
    peer.host('cdn.test').behave('/bomb.json', respondWith(200, { headers: json, body: `"${' '.repeat(300_000)}"` }))
    const head = `<link rel="alternate" type="application/json+oembed" href="https://cdn.test/bomb.json">
      <meta property="og:image" content="https://cdn.test/bomb.png">`
    const behaviours = [
      largeBody(9 * 1_048_576),
      largeBody(9 * 1_048_576, { declaresLength: true }),
      gzipBomb(64 * 1_048_576),
      resetConnection,
    ]
    for (const behaviour of behaviours) {
      peer.host('cdn.test').behave('/bomb.png', async (exchange) => {
        const { response } = exchange
        const writeHead = response.writeHead.bind(response)
        response.writeHead = ((status: number, headers: object) =>
          writeHead(status, { ...headers, 'content-type': 'image/png' })) as typeof response.writeHead
        await behaviour(exchange)
      })
      const card = await cardFor(alice, serve(title('Stays') + head))
      assert.deepEqual([card?.title, card?.image, card?.type], ['Stays', null, 'link'])
    }
    peer.host('cdn.test').recover()
    for (const body of ['<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'GIF89a broken', '']) {
      serveAt('https://cdn.test/bomb.png', { status: 200, headers: { 'content-type': 'image/png' }, body })
      assert.equal((await cardFor(alice, serve(title('Stays') + head)))?.image, null)
    }
  })

  test('FE3 FE6 redirect loops, timeouts and resources that are not pages give no card, and no job is retried', async () => {
    site.behave('/loop', redirectTo('/loop'))
    site.behave('/script', redirectTo('javascript:alert(1)'))
    site.behave('/reset', resetConnection)
    site.behave('/hang', neverRespond)
    site.behave('/trickle', trickleResponse(50))
    const { open } = testServer.ctx.fetcher
    testServer.ctx.fetcher.open = async (input) => open({ ...input, timeoutMs: 300 })
    const urls = ['/loop', '/script', '/reset', '/hang', '/trickle', '/nothing'].map(
      (path) => `https://site.test${path}`,
    )
    for (const [status, type] of [
      [200, 'text/plain'],
      [200, 'application/pdf'],
      [200, ''],
      [404, 'text/html'],
      [500, 'text/html'],
    ] as const) {
      const url = `https://site.test/${status}/${type}`
      urls.push(serveAt(url, { status, headers: { 'content-type': type }, body: title('No') }))
    }
    urls.push(serve('<p>no title'), serve(''), 'https://nobody.test/')
    for (const url of urls) assert.equal(await cardFor(alice, url), null, url)
    testServer.ctx.fetcher.open = open
    site.recover()
    const { rows } = await sql`select 1 from jobs j`.execute(testServer.ctx.db)
    assert.equal(rows.length, 0)
  })

  test('FE12 HT9 hostile markup and data cost little CPU time, and the card is still created', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const documents = [
      `${title('Well')}${'<div>'.repeat(200_000)}`,
      `${title('Well')}${'<'.repeat(900_000)}`,
      `${title('Well')}<svg>${'<title>'.repeat(120_000)}`,
      `${title('Well')}${'<form>'.repeat(150_000)}`,
      `${title('Well')}<a ${'x=1 '.repeat(200_000)}>`,
      `${title('Well')}${'<meta name=x content=y>'.repeat(40_000)}`,
      `${title('Well')}<script type="application/ld+json">${deep}</script>`,
      `${title('Well')}<script type="application/ld+json">{"@graph":${deep}}</script>`,
      `${title('Well')}${'<script type="application/ld+json">{</script>'.repeat(20_000)}`,
      `${title('Well')}<meta charset="${'x'.repeat(900_000)}`,
    ]
    for (const document of documents) {
      const url = serve(document)
      const before = process.threadCpuUsage()
      const card = await cardFor(alice, url)
      const { user, system } = process.threadCpuUsage(before)
      assert.equal(card?.title, 'Well', document.slice(0, 80))
      assert.ok(user + system < 600_000, `${user + system} µs for ${document.slice(0, 60)}`)
    }
    const longTexts = serve(title('x'.repeat(5_000)) + `<meta name="description" content="${'y '.repeat(50_000)}">`)
    const card = (await cardFor(alice, longTexts))!
    assert.ok(card.title.length <= 500 && card.description.length <= 2_000)
  })

  test('HT6 a player is always an iframe or video element with an https URL that Linnet builds itself', async () => {
    const head = '<link rel="alternate" type="application/json+oembed" href="/oembed">'
    const serveOEmbed = (fields: object) =>
      serveAt('https://site.test/oembed', {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ version: '1.0', title: 'Film', type: 'video', width: 480, height: 270, ...fields }),
      })
    const cardWithPlayer = async (markup: unknown, fields: object = {}) => {
      serveOEmbed({ html: markup, ...fields })
      return (await cardFor(alice, serve(title('Page') + head)))!
    }
    const film = await cardWithPlayer(
      `<div onclick="x()"><script>alert(1)</script><iframe srcdoc="<script>1</script>" onload=1
        src="https://cdn.test/play?a=1&amp;b='&quot;&lt;x" style="position:fixed" width="99999"></iframe></div>`,
      { author_name: 'Ann', author_url: '/ann', provider_name: 'Films', provider_url: 'https://site.test/' },
    )
    assertEntity('PreviewCard', film)
    assert.equal(
      film.html,
      `<iframe src="https://cdn.test/play?a=1&amp;b=%27%22%3Cx" width="480" height="270" allowfullscreen sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>`,
    )
    assert.deepEqual(
      [film.type, film.title, film.author_name, film.author_url, film.provider_name, film.width, film.height],
      ['video', 'Film', 'Ann', 'https://site.test/ann', 'Films', 480, 270],
    )
    const big = await cardWithPlayer('<video><source src="//cdn.test/film.mp4"></video>', { width: 1e9, height: '-5' })
    assert.equal(big.html, '<video src="https://cdn.test/film.mp4" width="4096" height="0" controls></video>')
    for (const markup of [
      '<iframe src="javascript:alert(1)">',
      '<iframe src="data:text/html,x">',
      '<iframe src="http://cdn.test/">',
      '<iframe src="/relative">',
      '<iframe src="https://linnet.test/auth/edit">',
      '<iframe src="https://a:b@cdn.test/">',
      '<object data="https://cdn.test/">',
      '<script src="https://cdn.test/"></script>',
      '<!-- <iframe src="https://cdn.test/"> -->',
      42,
      null,
    ]) {
      const card = await cardWithPlayer(markup)
      assert.deepEqual([card.html, card.type], ['', 'link'], String(markup))
    }
    const rich = await cardWithPlayer('<iframe src="https://cdn.test/">', { type: 'rich' })
    assert.deepEqual([rich.html, rich.title], ['', 'Page'])
    const photo = await cardWithPlayer(null, { type: 'photo', url: 'https://cdn.test/photo.jpg' })
    assert.deepEqual([photo.type, photo.embed_url, photo.html], ['photo', 'https://cdn.test/photo.jpg', ''])
    for (const url of ['javascript:alert(1)', 'data:image/png;base64,AAAA', undefined]) {
      assert.deepEqual([(await cardWithPlayer(null, { type: 'photo', url })).embed_url], [''])
    }
  })

  test('HT6 all URLs of a card are web URLs, and its texts contain no markup', async () => {
    const evil = 'javascript:alert(1)'
    const data = {
      '@type': 'NewsArticle',
      headline: '<script>alert(1)</script>Head &amp; <b>line</b>',
      author: [{ name: '<i>Ann</i>\u0000', url: evil }, { name: { x: 1 }, url: ['x'] }, 7, null],
      image: evil,
      datePublished: 'soon',
      inLanguage: { name: 'xx-not' },
    }
    const card = (await cardFor(
      alice,
      serve(`${title('x')}<link rel="canonical" href="${evil}"><meta property="og:image" content="${evil}">
        <meta name="twitter:player" content="${evil}">
        <script type="application/ld+json">${JSON.stringify(data).replaceAll('</', '<\\/')}</script>`),
    ))!
    assert.deepEqual(
      [card.title, card.authors, card.image, card.html, card.published_at, card.language],
      ['Head & line', [{ name: 'Ann', url: '', account: null }], null, '', null, null],
    )
  })

  test('a page to which a redirect leads by a very long URL has a card', async () => {
    const far = serve(title('Far'), { path: `/${randomBytes(2_400).toString('base64url')}` })
    site.behave('/far', redirectTo(far))
    assert.equal((await cardFor(alice, 'https://site.test/far'))?.title, 'Far')
    site.recover()
  })

  test('a page cannot claim a canonical URL on another host, in whose name it could claim authors', async () => {
    const url = serve(`${title('Mine')}<link rel="canonical" href="https://cdn.test/theirs">`)
    await cardFor(alice, url)
    const { rows } = await sql<{ url: string }>`select url from preview_cards where title = 'Mine'`.execute(
      testServer.ctx.db,
    )
    assert.deepEqual(rows, [{ url }])
  })
})

test('fetching a link that was deleted in the meantime does nothing', async () => {
  await fetchCard(testServer.ctx, { linkId: '999999' })
  assert.equal((await post(alice, 'still here')).length > 0, true)
})
