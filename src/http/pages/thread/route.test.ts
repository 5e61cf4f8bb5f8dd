import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBrowser } from '../../../../test/http/browser.ts'
import { multipart } from '../../../../test/http/client.ts'
import { countQueries } from '../../../../test/performance/count-queries.ts'
import { keepCaches } from '../../../../test/performance/keep-caches.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { limit } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const browser = createBrowser(testServer.server)

let ada: TestUser
let bo: TestUser

before(async () => {
  ada = await testServer.createUser({ username: 'ada', displayName: 'Ada Finch' })
  bo = await testServer.createUser({ username: 'bo' })
})

async function post(user: TestUser, status: string, more: Record<string, unknown> = {}) {
  const { body } = await user.client.post('/api/v1/statuses', { status, ...more })
  assert.ok(body.id, JSON.stringify(body))
  return body as { id: string; url: string; uri: string }
}

const pathOf = ({ url }: { url: string }) => new URL(url).pathname

test('a post stands between its ancestors and its replies, in the order of the thread', async () => {
  const root = await post(bo, 'first words')
  const answer = await post(ada, 'second words', { in_reply_to_id: root.id })
  const third = await post(bo, 'third words', { in_reply_to_id: answer.id })
  await post(ada, 'fourth words', { in_reply_to_id: third.id })
  await post(bo, 'fifth words', { in_reply_to_id: answer.id })
  const { status, text, html } = await browser.get(pathOf(answer))
  assert.equal(status, 200)
  assert.match(text, /first words.*second words.*Replies.*third words.*fourth words.*fifth words/)
  assert.match(html, /<h1 class="unseen">Post by \u2068Ada Finch\u2069<\/h1>/)
  assert.match(html, /class="reply reply-0"[\s\S]*third words[\s\S]*class="reply reply-1"[\s\S]*fourth words/)
})

test('a reply has the direction of its own text, although a mention comes first', async () => {
  const root = await post(bo, 'warm bread')
  const answer = await post(ada, '@bo ما أجمل هذا.', { in_reply_to_id: root.id, spoiler_text: '#bread שלום' })
  const { html } = await browser.get(pathOf(answer))
  assert.match(html, /<div class="prose" dir="rtl"[^>]*>\s*<p>(?:(?!<\/p>).)*ما أجمل هذا/s)
  assert.match(html, /<span class="warned-words" dir="rtl">/)
  assert.match(html, /<div class="prose" dir="ltr"[^>]*>\s*<p>warm bread/)
  const edit = { status: '@bo ما أجمل هذا، حقا.', spoiler_text: '#bread שלום' }
  assert.equal((await ada.client.put(`/api/v1/statuses/${answer.id}`, edit)).status, 200)
  const history = await browser.get(`${pathOf(answer)}/history`)
  assert.deepEqual(
    [...history.html.matchAll(/class="version-text" dir="(\w+)"/g)].map(([, dir]) => dir),
    ['rtl', 'rtl'],
  )
  assert.equal((await ada.client.patch('/api/v1/accounts/update_credentials', { note: '@bo שלום' })).status, 200)
  assert.match((await browser.get('/@ada')).html, /<div class="prose" dir="rtl">\s*<p>(?:(?!<\/p>).)*שלום/s)
  // The API returns the HTML without directions, as Mastodon does.
  const { body } = await testServer.anonymous.get(`/api/v1/statuses/${answer.id}`)
  assert.doesNotMatch(body.content, /dir=/)
})

test('one URL has a page and an ActivityPub document', async () => {
  const one = await post(ada, 'two forms')
  const get = (accept: string) => testServer.anonymous.send({ method: 'GET', url: pathOf(one), headers: { accept } })
  const page = await get('text/html')
  assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.equal(page.headers['link'], `<${one.uri}>; rel="alternate"; type="application/activity+json"`)
  const document = await get('application/activity+json')
  assert.deepEqual([document.status, document.headers['location']], [302, one.uri])
  for (const { headers } of [page, document]) assert.match(String(headers['vary']), /Accept/)
})

test('VI2 hidden posts are missing from a thread, and visible replies to them are shown', async () => {
  const root = await post(ada, 'root of it')
  const hidden = await post(bo, '@ada only for you', { in_reply_to_id: root.id, visibility: 'direct' })
  const closed = await post(bo, 'for followers', { in_reply_to_id: root.id, visibility: 'private' })
  const open = await post(ada, 'public once more', { in_reply_to_id: hidden.id, visibility: 'public' })
  const thread = await browser.get(pathOf(root))
  assert.match(thread.text, /public once more/)
  assert.doesNotMatch(thread.text, /only for you|for followers/)
  const below = await browser.get(pathOf(open))
  assert.match(below.text, /root of it/)
  assert.doesNotMatch(below.text, /only for you/)
  for (const one of [hidden, closed]) assert.equal((await browser.get(pathOf(one))).status, 404)
})

test('VI1 hidden, unknown and other users’ posts get the same 404 page; a deleted public one gets 410', async () => {
  const hidden = await post(ada, 'not for all', { visibility: 'private' })
  const local = await post(ada, 'only here', { local_only: true })
  const doomed = await post(ada, 'soon gone')
  const secret = await post(ada, 'soon gone, too', { visibility: 'private' })
  const other = await post(bo, 'by bo')
  for (const { id } of [doomed, secret]) await ada.client.delete(`/api/v1/statuses/${id}`)
  const plain = (html: string) => html.replace(/<code>[^<]*<\/code>/, '')
  const never = await browser.get('/@ada/116000000000000000')
  assert.equal(never.status, 404)
  for (const id of [hidden.id, local.id, secret.id, other.id, 'x', '0', '-1', '99999999999999999999']) {
    for (const part of ['', '/embed', '/history']) {
      const { status, html } = await browser.get(`/@ada/${id}${part}`)
      assert.deepEqual([status, plain(html)], [404, plain(never.html)], id + part)
    }
  }
  const { status, text } = await browser.get(`/@ada/${doomed.id}`)
  assert.deepEqual([status, /Page removed/.test(text)], [410, true])
})

test('a quoted post of a limited author stays hidden behind a warning, and is not indexed without opt-in', async () => {
  const loud = await testServer.createUser({ username: 'loud' })
  const quoted = await post(loud, 'loud words')
  const { html: open } = await browser.get(pathOf(await post(ada, 'hear this', { quoted_status_id: quoted.id })))
  assert.match(open, /<div class="quoted"[^>]*data-nosnippet/)
  assert.doesNotMatch(open, /hidden by the moderators/)
  await limit(testServer.ctx, loud)
  const { html } = await browser.get(pathOf(await post(ada, 'and this', { quoted_status_id: quoted.id })))
  const [before = '', behind = ''] = html.split('hidden by the moderators')
  assert.doesNotMatch(before, /loud words/)
  assert.match(behind, /<\/summary>[\s\S]*loud words[\s\S]*<\/details>/)
})

test('the page of a reblog redirects to the original post', async () => {
  const original = await post(bo, 'worth a reblog')
  const { body: reblog } = await ada.client.post(`/api/v1/statuses/${original.id}/reblog`)
  const remoteStatusId = await createRemoteStatus(testServer.ctx, {
    accountId: await createRemoteAccount(testServer.ctx),
    url: 'https://far.test/1.html',
  })
  const { body: remoteReblog } = await ada.client.post(`/api/v1/statuses/${remoteStatusId}/reblog`)
  for (const [path, to] of [
    [`/@ada/${reblog.id}`, original.url],
    [`/@ada/${reblog.id}/embed`, `${original.url}/embed`],
    [`/@ada/${remoteReblog.id}`, 'https://far.test/1.html'],
  ] as const) {
    const { status, location } = await browser.get(path)
    assert.deepEqual([status, location], [302, to])
  }
})

test('link previews show the first image of a post, and nothing behind its content warning', async () => {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
    'base64',
  )
  const upload = async () => {
    const { payload, headers } = await multipart({
      file: { filename: 'a.png', type: 'image/png', bytes },
      description: 'A red "dot"',
    })
    return (await ada.client.post('/api/v2/media', payload, headers)).body.id as string
  }
  const open = await browser.get(pathOf(await post(ada, 'look & see', { media_ids: [await upload()] })))
  assert.match(open.html, /<meta property="og:image" content="https:\/\/linnet\.test\/system\/[^"]+" \/>/)
  assert.match(open.html, /og:image:alt" content="A red &quot;dot&quot;"/)
  assert.match(open.html, /og:description" content="look &amp; see"/)
  assert.match(open.html, /twitter:card" content="summary_large_image"/)
  assert.match(open.html, /fediverse:creator" content="@ada@linnet.test"/)
  assert.match(open.html, /type="application\/json\+oembed" href="https:\/\/linnet\.test\/api\/oembed\?url=[^"]+"/)
  const warned = await post(ada, 'it was a spider', { spoiler_text: 'Beasts', media_ids: [await upload()] })
  const { html } = await browser.get(pathOf(warned))
  const [head = ''] = html.split('</head>')
  assert.match(head, /og:description" content="Beasts"/)
  assert.doesNotMatch(head, /spider|\/system\//)
  const [before = '', behind = ''] = html.split('Beasts</span>')
  assert.doesNotMatch(before, /spider/)
  assert.match(behind, /spider/)
})

test('HT8 a name cannot change the direction of the title or of the text around it', async () => {
  const eve = await testServer.createUser({ username: 'eve', displayName: 'e\u202emoc.elpmaxe\u202c' })
  const { html } = await browser.get(pathOf(await post(eve, 'x')))
  assert.doesNotMatch(html.replace(/<div class="prose"[\s\S]*?<\/div\s*>/g, ''), /[\u202a-\u202e\u2066\u2067]/)
})

test('the edit history shows every version of a post with its changes', async () => {
  const one = await post(ada, 'I like cats.')
  const edit = (status: string, more = {}) => ada.client.put(`/api/v1/statuses/${one.id}`, { status, ...more })
  await edit('I like dogs.')
  await edit('I like dogs.', { spoiler_text: 'Pets', sensitive: true })
  const thread = await browser.get(pathOf(one))
  assert.match(thread.html, new RegExp(`<a href="${one.url}/history">Edit history</a>`))
  const { text, html, status, headers } = await browser.get(`${pathOf(one)}/history`)
  assert.deepEqual([status, headers['x-robots-tag']], [200, 'noindex'])
  assert.match(
    text,
    /Version 3.*Current version.*Content warning: added: Pets.*The text did not change.*Marked as sensitive/,
  )
  assert.match(text, /Version 2.*I like removed: catsadded: dogs\.\s.*Version 1.*Original post.*I like cats\./)
  assert.match(html, /<del><span class="unseen">removed: <\/span>cats<\/del/)
  assert.match(html, /<ins><span class="unseen">added: <\/span>dogs<\/ins/)
})

test('in the edit history, a version is behind its content warning or that of the version before', async () => {
  const one = await post(ada, 'a spider sat there', { spoiler_text: 'Beasts' })
  const edit = (status: string, more = {}) => ada.client.put(`/api/v1/statuses/${one.id}`, { status, ...more })
  await edit('a spider sits there', { spoiler_text: 'Beasts' })
  await edit('a wasp sits there')
  await edit('a bee sits there')
  const { html } = await browser.get(`${pathOf(one)}/history`)
  const versions = html.split('<article').slice(1)
  const closed = /<details class="warned">\s*<summary>([\s\S]*?)<\/summary>[\s\S]*?<\/details>/
  const open = versions.map((version) => version.replace(closed, '$1').replace(/<[^>]*>/g, ''))
  assert.match(open[0]!, /bee sits there/)
  assert.match(open[1]!, /removed: Beasts/)
  for (const version of open.slice(2)) assert.match(version, /Content warning:\s+Beasts/)
  for (const version of open.slice(1)) assert.doesNotMatch(version, /spider|wasp/)
  assert.match(versions[3]!, /a spider sat there/)
})

test('a long edit history has pages, with each version once and compared with the one before', async () => {
  const one = await post(ada, 'word 1')
  for (let n = 2; n <= 45; n += 1) await ada.client.put(`/api/v1/statuses/${one.id}`, { status: `word ${n}` })
  const seen: string[] = []
  const paths: string[] = []
  for (let path: string | undefined = `${pathOf(one)}/history`; path !== undefined;) {
    paths.push(path)
    const { html } = await browser.get(path)
    for (const [, number, body = ''] of html.matchAll(
      /<article class="version"[\s\S]*?Version (\d+)([\s\S]*?)<\/article>/g,
    )) {
      seen.push(number!)
      const shown = body.replace(/<span class="unseen">[^<]*<\/span>/g, '')
      if (number === '1') assert.match(shown, /word 1/)
      else assert.match(shown, new RegExp(`<del>${Number(number) - 1}</del\\s*><ins>${number}</ins`))
    }
    path = /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replace('https://linnet.test', '')
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 45 }, (_, n) => String(45 - n)),
  )
  const back = /rel="prev" href="([^"]+)"/.exec((await browser.get(paths[2]!)).html)?.[1]
  assert.equal(back?.replace('https://linnet.test', ''), paths[1])
  for (const before of ['0', '-5', '1', '9999', 'x']) {
    assert.equal((await browser.get(`${paths[0]!}?before=${before}`)).status, 200, before)
  }
})

test('HT11 other sites may embed the embed page of a post, and no other page', async () => {
  const one = await post(ada, 'frame me')
  const embed = await browser.get(`${pathOf(one)}/embed`)
  assert.match(String(embed.headers['content-security-policy']), /default-src 'none'.*frame-ancestors \*/)
  assert.equal(embed.headers['x-frame-options'], undefined)
  assert.equal(embed.headers['x-robots-tag'], 'noindex')
  assert.match(embed.html, /<base target="_blank" \/>/)
  assert.match(embed.text, /frame me.*View on linnet\.test/)
  for (const path of [pathOf(one), `${pathOf(one)}/history`, '/@ada', '/', '/about', '/tags/x']) {
    const { headers } = await browser.get(path)
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, path)
    assert.equal(headers['x-frame-options'], 'SAMEORIGIN', path)
  }
})

test('a thread needs the same few queries for any length', async () => {
  const count = async (path: string) => {
    await browser.get(path)
    return countQueries(() => browser.get(path))
  }
  const short = await post(ada, 'short')
  const long = await post(ada, 'long')
  await post(bo, 'the only reply', { in_reply_to_id: short.id })
  for (let n = 0; n < 15; n += 1) await post(bo, `reply ${n}`, { in_reply_to_id: long.id })
  await testServer.waitForJobs()
  const [one, fifteen] = await keepCaches(async () => [await count(pathOf(short)), await count(pathOf(long))] as const)
  assert.equal(fifteen, one)
  assert.ok(fifteen <= 14, String(fifteen))
})
