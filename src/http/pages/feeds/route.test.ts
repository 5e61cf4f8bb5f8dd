import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { multipart } from '../../../../test/http/client.ts'
import { childrenNamed, readXml, textOf } from '../../../../test/http/read-xml.ts'
import type { XmlElement } from '../../../../test/http/read-xml.ts'
import { suspend, unsuspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const ada = await testServer.createUser({ username: 'Ada', displayName: 'Ada & <Finch> \u0001' })

async function post(user: TestUser, status: string, more: Record<string, unknown> = {}) {
  const { body } = await user.client.post('/api/v1/statuses', { status, ...more })
  assert.ok(body.id, JSON.stringify(body))
  return body as { id: string; url: string; created_at: string; media_attachments: { url: string }[] }
}

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)

async function upload({ client }: TestUser): Promise<string> {
  const { payload, headers } = await multipart({
    file: { filename: 'a.png', type: 'image/png', bytes: DOT },
    description: 'A "dot" & more',
  })
  const { body } = await client.post('/api/v2/media', payload, headers)
  return body.id
}

const get = (path: string, headers: Record<string, string> = {}) =>
  testServer.anonymous.send<string>({ method: 'GET', url: path, headers })

async function channelOf(path: string): Promise<XmlElement> {
  const { status, headers, body } = await get(path)
  assert.deepEqual([status, headers['content-type']], [200, 'application/rss+xml; charset=utf-8'])
  const rss = readXml(body)
  assert.deepEqual([rss.name, rss.attributes['version']], ['rss', '2.0'])
  return childrenNamed(rss, 'channel')[0]!
}

test('a feed has the public posts of an account, latest first, with their dates and HTML', async () => {
  const first = await post(ada, 'Cats & dogs\n\n<b> #Birds')
  const second = await post(ada, 'Which?', {
    spoiler_text: 'A <question>',
    poll: { options: ['One & only', 'Two'], expires_in: 3600 },
  })
  const channel = await channelOf('/@ada.rss')
  assert.equal(textOf(channel, 'title'), 'Ada & <Finch> ')
  assert.equal(textOf(channel, 'link'), 'https://linnet.test/@Ada')
  assert.deepEqual(childrenNamed(channel, 'atom:link')[0]!.attributes, {
    rel: 'self',
    type: 'application/rss+xml',
    href: 'https://linnet.test/@Ada.rss',
  })
  const items = childrenNamed(channel, 'item')
  assert.deepEqual(
    items.map((item) => textOf(item, 'link')),
    [second.url, first.url],
  )
  const [question, cats] = items as [XmlElement, XmlElement]
  assert.equal(textOf(cats, 'guid'), first.url)
  assert.equal(childrenNamed(cats, 'guid')[0]!.attributes['isPermaLink'], 'true')
  const date = textOf(cats, 'pubDate')
  assert.match(date, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
  assert.equal(Date.parse(date), Math.floor(Date.parse(first.created_at) / 1000) * 1000)
  assert.match(
    textOf(cats, 'description'),
    /^<p>Cats &amp; dogs<\/p><p>&lt;b&gt; <a href="https:\/\/linnet\.test\/tags\/birds"/,
  )
  assert.deepEqual(
    childrenNamed(cats, 'category').map(({ text }) => text),
    ['birds'],
  )
  assert.match(
    textOf(question, 'description'),
    /^<p><strong>A &lt;question&gt;<\/strong><\/p>\s*<hr \/><p>Which\?<\/p><ul>\s*<li>One &amp; only<\/li><li>Two<\/li>\s*<\/ul>$/,
  )
})

test('a feed contains the media of a post, with alt texts and ratings', async () => {
  for (const sensitive of [false, true]) {
    const { media_attachments: media } = await post(ada, 'see', { media_ids: [await upload(ada)], sensitive })
    const [item] = childrenNamed(await channelOf('/@ada.rss'), 'item')
    const [content] = childrenNamed(item!, 'media:content')
    assert.deepEqual(content!.attributes, { url: media[0]!.url, medium: 'image', type: 'image/png' })
    assert.equal(textOf(content!, 'media:rating'), sensitive ? 'adult' : 'nonadult')
    assert.equal(textOf(content!, 'media:description'), 'A "dot" & more')
  }
})

test('VI6 a feed has no unlisted or private posts, no boosts, and no replies to others', async () => {
  const bo = await testServer.createUser({ username: 'bo' })
  const other = await post(bo, 'by another user')
  await post(ada, 'unlisted words', { visibility: 'unlisted' })
  await post(ada, 'private words', { visibility: 'private' })
  await post(ada, '@bo direct words', { visibility: 'direct' })
  await post(ada, 'local words', { local_only: true })
  await post(ada, 'answering words', { in_reply_to_id: other.id })
  await ada.client.post(`/api/v1/statuses/${other.id}/reblog`)
  const { body } = await get('/@ada.rss')
  assert.doesNotMatch(body, /another user|(unlisted|private|direct|local|answering) words/)
  await post(ada, 'more #birds', { visibility: 'unlisted' })
  await post(ada, 'many #birds')
  const birds = await get('/tags/birds.rss')
  assert.match(birds.body, /many [\s\S]*Cats/)
  assert.doesNotMatch(birds.body, /more/)
})

test('each tab of a profile has a feed of its own, without boosts', async () => {
  const [cy, di] = [await testServer.createUser({ username: 'cy' }), await testServer.createUser({ username: 'di' })]
  const other = await post(di, 'by another user #cats', { media_ids: [await upload(di)] })
  await cy.client.post(`/api/v1/statuses/${other.id}/reblog`)
  const plain = await post(cy, 'plain')
  const reply = await post(cy, 'answer #cats', { in_reply_to_id: other.id })
  const tagged = await post(cy, 'tagged #Cats')
  const media = await post(cy, 'with media', { media_ids: [await upload(cy)] })
  await post(cy, 'hidden #cats', { visibility: 'private', media_ids: [await upload(cy)] })
  for (const [path, expected] of [
    ['/@Cy', [media, tagged, plain]],
    ['/@Cy/with_replies', [media, tagged, reply, plain]],
    ['/@Cy/media', [media]],
    ['/@Cy/tagged/CATS', [tagged]],
  ] as const) {
    const channel = await channelOf(`${path}.rss`)
    assert.deepEqual(
      childrenNamed(channel, 'item').map((item) => textOf(item, 'link')),
      expected.map(({ url }) => url),
      path,
    )
    const link = `https://linnet.test${path.replace('Cy', 'cy')}`
    assert.equal(textOf(channel, 'link'), link)
    assert.equal(childrenNamed(channel, 'atom:link')[0]!.attributes['href'], `${link}.rss`)
    const page = await get(path)
    assert.ok(page.body.includes(`<link rel="alternate" type="application/rss+xml" href="${link}.rss"`), path)
  }
  assert.equal((await get('/users/Cy.rss')).headers['location'], '/@Cy.rss')
  for (const path of ['/@cy/tagged/a%20b.rss', '/@nobody/media.rss']) assert.equal((await get(path)).status, 404, path)
})

test('the feed of a hashtag is served for every spelling', async () => {
  for (const path of ['/tags/birds.rss', '/tags/Birds.rss', '/tags/BIRDS.rss']) {
    const channel = await channelOf(path)
    assert.equal(textOf(channel, 'link'), 'https://linnet.test/tags/birds')
    assert.ok(childrenNamed(channel, 'item').length >= 2)
  }
  assert.equal(childrenNamed(await channelOf('/tags/%E6%95%A3%E6%AD%A9.rss'), 'item').length, 0)
  assert.equal((await get('/tags/a%20b.rss')).status, 404)
})

test('a feed may be cached briefly, and is revalidated by its ETag', async () => {
  const { headers } = await get('/@ada.rss')
  assert.equal(headers['cache-control'], 'public, max-age=15, stale-while-revalidate=30')
  assert.equal(headers['set-cookie'], undefined)
  assert.equal(headers['x-robots-tag'], 'noindex')
  const etag = String(headers['etag'])
  assert.equal((await get('/@ada.rss', { 'if-none-match': etag })).status, 304)
  await post(ada, 'and another')
  assert.equal((await get('/@ada.rss', { 'if-none-match': etag })).status, 200)
})

test('unknown, pending, remote and suspended accounts have no feed', async () => {
  const eve = await testServer.createUser({ username: 'eve' })
  await post(eve, 'by eve')
  await testServer.createUser({ username: 'pending', approved: false })
  await suspend(testServer.ctx, eve)
  for (const [path, status] of [
    ['/@eve.rss', 403],
    ['/@pending.rss', 404],
    ['/@nobody.rss', 404],
    ['/@ada@far.test.rss', 404],
    ['/@.rss', 404],
  ] as const) {
    assert.equal((await get(path)).status, status, path)
  }
  await unsuspend(testServer.ctx, eve)
  await suspend(testServer.ctx, eve, { at: new Date(Date.now() - 31 * 86_400_000) })
  assert.equal((await get('/@eve.rss')).status, 410)
})
