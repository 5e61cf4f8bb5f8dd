import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createBrowser } from '../../../../test/http/browser.ts'
import { countQueries } from '../../../../test/performance/count-queries.ts'
import { keepCaches } from '../../../../test/performance/keep-caches.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { limit, suspend, unsuspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { openSession } from '../../../domain/auth/sessions.ts'

const testServer = await openTestServer()
after(testServer.close)
const browser = createBrowser(testServer.server)

let ada: TestUser
let bo: TestUser

before(async () => {
  ada = await testServer.createUser({ username: 'Ada', displayName: 'Ada Finch' })
  bo = await testServer.createUser({ username: 'bo' })
})

async function post(user: TestUser, status: string, more: Record<string, unknown> = {}) {
  const { body } = await user.client.post('/api/v1/statuses', { status, ...more })
  return body as { id: string; url: string; uri: string }
}

/** Changes columns of an account directly in the database. */
async function updateAccount(user: TestUser, values: Record<string, unknown>): Promise<void> {
  await testServer.ctx.db
    .updateTable('accounts')
    .set({ ...values, version: sql`version + 1` })
    .where('id', '=', user.accountId)
    .execute()
}

const JSON_LD = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

test('a profile shows the names, biography and fields of the account, with the button that follows it above the fields', async () => {
  await ada.client.patch('/api/v1/accounts/update_credentials', {
    note: 'Watches #birds <b>',
    fields_attributes: [{ name: 'Site', value: 'https://ada.example/' }],
  })
  await testServer.waitForJobs()
  await updateAccount(ada, {
    fields: JSON.stringify([{ name: 'Site', value: 'https://ada.example/', verified_at: '2026-01-02T03:04:05Z' }]),
  })
  const { status, text, html } = await browser.get('/@ada')
  assert.equal(status, 200)
  assert.match(text, /Ada Finch ?@Ada@linnet\.test/)
  assert.match(text, /Watches #birds <b>/)
  assert.match(text, /Follow\b.*Site.*verified on Jan 2, 2026/s)
  assert.match(html, /href="https:\/\/ada\.example\/"[^>]* rel="nofollow noopener[^"]* me"|rel="me /)
})

test('one URL has a page and an ActivityPub document, and both vary by Accept', async () => {
  const get = (accept?: string) =>
    testServer.anonymous.send({ method: 'GET', url: '/@ada', headers: accept === undefined ? {} : { accept } })
  for (const accept of ['text/html', '*/*', undefined]) {
    const { status, headers } = await get(accept)
    assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'], accept ?? 'nothing')
    assert.match(String(headers['vary']), /Accept/)
  }
  for (const accept of ['application/activity+json', JSON_LD, `application/activity+json, text/html;q=0.1`]) {
    const { status, headers } = await get(accept)
    assert.deepEqual([status, headers['location']], [302, `https://linnet.test/ap/users/${ada.accountId}`])
    assert.match(String(headers['vary']), /Accept/)
  }
})

test('public pages may be cached briefly, set no cookie, and are revalidated by their ETags', async () => {
  const { headers } = await browser.get('/@ada')
  assert.equal(headers['cache-control'], 'public, max-age=15, stale-while-revalidate=30')
  assert.equal(headers['vary'], 'Accept, Accept-Language, Cookie')
  assert.equal(headers['set-cookie'], undefined)
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/)
  const same = await browser.get('/@ada', { 'if-none-match': `W/"x", ${String(headers['etag'])}` })
  // Browsers apply the headers of the 304 to the stored page.
  assert.equal(same.headers['content-security-policy'], headers['content-security-policy'])
  assert.deepEqual([same.status, same.html, same.headers['cache-control']], [304, '', headers['cache-control']])
  await post(ada, 'something new')
  assert.equal((await browser.get('/@ada', { 'if-none-match': String(headers['etag']) })).status, 200)
})

test('the tabs show posts without replies, posts with replies, media, and posts with a hashtag', async () => {
  const first = await post(bo, 'a question')
  await post(ada, 'an answer of mine', { in_reply_to_id: first.id })
  await post(ada, 'about #swifts')
  await ada.client.post(`/api/v1/statuses/${first.id}/reblog`)
  const [posts, replies, media, tagged] = await Promise.all(
    ['', '/with_replies', '/media', '/tagged/swifts'].map(async (path) => (await browser.get(`/@ada${path}`)).text),
  )
  assert.doesNotMatch(posts!, /an answer of mine/)
  assert.match(posts!, /Ada Finch boosted.*a question/)
  assert.match(replies!, /an answer of mine/)
  assert.match(media!, /There is no media yet/)
  assert.match(tagged!, /Posts tagged #swifts.*about #swifts/)
  assert.doesNotMatch(tagged!, /a question|something new/)
  assert.equal((await browser.get('/@ada/tagged/not%20one')).status, 404)
})

test('pinned posts stand first, once, and only on the first page', async () => {
  const carl = await testServer.createUser({ username: 'carl' })
  const pinned = await post(carl, 'my pinned words')
  for (let n = 0; n < 25; n += 1) await post(carl, `number ${n}.`)
  await carl.client.post(`/api/v1/statuses/${pinned.id}/pin`)
  const { text, html } = await browser.get('/@carl')
  assert.match(text, /Pinned.*my pinned words.*number 24\..*number 5\./)
  assert.equal(text.split('my pinned words').length, 2)
  const older = /rel="next" href="([^"]+)"/.exec(html)![1]!
  const second = await browser.get(older)
  assert.doesNotMatch(second.text, /Pinned|number 5\./)
  assert.match(second.text, /number 4\..*number 0\..*my pinned words/)
  assert.doesNotMatch(second.html, /rel="next"/)
  const newer = /rel="prev" href="([^"]+)"/.exec(second.html)![1]!
  const back = await browser.get(newer)
  assert.match(back.text, /number 24\..*number 5\./)
  assert.doesNotMatch(back.html, /rel="prev"/)
})

test('paging through all pages shows every post once', async () => {
  const many = await testServer.createUser({ username: 'many' })
  for (let n = 100; n < 143; n += 1) await post(many, `post-${n}.`)
  const seen: string[] = []
  for (let path: string | undefined = '/@many'; path !== undefined;) {
    const { html, text } = await browser.get(path)
    seen.push(...(text.match(/post-\d+\./g) ?? []))
    path = /rel="next" href="([^"]+)"/.exec(html)?.[1]
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 43 }, (_, n) => `post-${142 - n}.`),
  )
})

test('a page needs the same few queries for any number of posts', async () => {
  const few = await testServer.createUser({ username: 'few' })
  await post(few, 'alone')
  const count = async (path: string) => {
    await browser.get(path)
    return countQueries(() => browser.get(path))
  }
  await testServer.waitForJobs()
  const [one, twenty] = await keepCaches(async () => [await count('/@few'), await count('/@many')] as const)
  assert.ok(twenty <= one, `${twenty} for twenty posts, ${one} for one`)
  assert.ok(twenty <= 14, String(twenty))
})

test('profiles of users who did not opt in to indexing are not indexed', async () => {
  const hidden = await browser.get('/@ada')
  assert.match(hidden.html, /<meta name="robots" content="noindex, noarchive" \/>/)
  assert.equal(hidden.headers['x-robots-tag'], 'noindex')
  await ada.client.patch('/api/v1/accounts/update_credentials', { indexable: true })
  const found = await browser.get('/@ada')
  assert.doesNotMatch(found.html, /name="robots"/)
  assert.equal(found.headers['x-robots-tag'], undefined)
  assert.match(found.html, /<article class="post"[^>]*data-nosnippet/, 'boosted posts of other authors')
})

test('a profile has metadata for link previews, ActivityPub and feeds', async () => {
  const { html } = await browser.get('/@ada')
  for (const tag of [
    '<meta property="og:title" content="Ada Finch (@Ada@linnet.test)" />',
    '<meta property="og:description" content="Watches #birds &lt;b&gt;" />',
    '<meta property="og:url" content="https://linnet.test/@Ada" />',
    '<meta property="og:type" content="profile" />',
    '<meta property="profile:username" content="Ada@linnet.test" />',
    '<meta name="twitter:card" content="summary" />',
    '<link rel="canonical" href="https://linnet.test/@Ada" />',
    `<link rel="alternate" type="application/activity+json" href="https://linnet.test/ap/users/${ada.accountId}" />`,
    '<link rel="alternate" type="application/rss+xml" href="https://linnet.test/@Ada.rss" title="Ada Finch (@Ada@linnet.test)" />',
  ]) {
    assert.ok(html.includes(tag), tag)
  }
})

test('each tab of a profile links to the ActivityPub document of the account', async () => {
  for (const tab of ['', '/with_replies', '/media', '/tagged/birds']) {
    const { headers, html } = await browser.get(`/@ada${tab}`)
    const uri = `https://linnet.test/ap/users/${ada.accountId}`
    assert.equal(headers['link'], `<${uri}>; rel="alternate"; type="application/activity+json"`, tab)
    assert.ok(html.includes(`<link rel="alternate" type="application/activity+json" href="${uri}" />`), tab)
  }
})

test('VI12 hidden follows and followers are not counted on the profile', async () => {
  assert.match((await browser.get('/@ada')).text, /followers/)
  await ada.client.patch('/api/v1/accounts/update_credentials', { hide_collections: true })
  const { text } = await browser.get('/@ada')
  assert.doesNotMatch(text, /followers|following/)
})

test('a profile shows that the account has moved, is a memorial, or is limited', async () => {
  const dora = await testServer.createUser({ username: 'dora', displayName: 'Dora' })
  await post(dora, 'a post by dora')
  await updateAccount(dora, { moved_to_account_id: ada.accountId })
  const moved = await browser.get('/@dora')
  assert.match(moved.text, /Dora has moved to a new account: A ?Ada Finch/)
  assert.doesNotMatch(moved.html, /authorize_interaction/)
  await updateAccount(dora, { moved_to_account_id: null, memorial: true })
  assert.match((await browser.get('/@dora')).text, /In memoriam/)
  await updateAccount(dora, { memorial: false, note: 'her biography' })
  await limit(testServer.ctx, dora)
  const limited = await browser.get('/@dora')
  const [before = '', behind = ''] = limited.html.split('Show profile anyway')
  assert.match(before, /hidden by the moderators/)
  assert.doesNotMatch(before, /her biography|a post by dora/)
  assert.match(behind, /her biography[\s\S]*a post by dora/)
  assert.equal(limited.headers['x-robots-tag'], 'noindex')
})

test('a suspended account shows only its handle, and is gone after a month', async () => {
  const eve = await testServer.createUser({ username: 'eve', displayName: 'Eve Chosen' })
  const { id } = await post(eve, 'a post by eve')
  await updateAccount(eve, { note: 'eve biography' })
  await suspend(testServer.ctx, eve)
  for (const path of [
    '/@eve',
    '/@eve/with_replies',
    '/@eve/media',
    '/@eve/tagged/x',
    `/@eve/${id}`,
    `/@eve/${id}/embed`,
  ]) {
    const { status, text, headers } = await browser.get(path)
    assert.equal(status, 403, path)
    assert.match(text, /Account suspended @eve@linnet\.test/)
    assert.doesNotMatch(text, /Eve Chosen|a post by eve|eve biography/)
    assert.equal(headers['cache-control'], 'private, no-store')
  }
  await unsuspend(testServer.ctx, eve)
  await suspend(testServer.ctx, eve, { at: new Date(Date.now() - 31 * 86_400_000) })
  for (const path of ['/@eve', `/@eve/${id}`]) {
    const { status, text } = await browser.get(path)
    assert.deepEqual([status, /Page removed/.test(text)], [410, true])
  }
})

test('unconfirmed and pending accounts get the same 404 page as unknown ones', async () => {
  await testServer.createUser({ username: 'unconfirmed', confirmed: false })
  await testServer.createUser({ username: 'pending', approved: false })
  const plain = (html: string) => html.replace(/<code>[^<]*<\/code>/, '')
  const unknown = await browser.get('/@nobody')
  assert.equal(unknown.status, 404)
  assert.match(unknown.text, /Page not found/)
  for (const path of ['/@unconfirmed', '/@pending', '/@pending/media', '/@%00', '/@a%20b', '/@ada@', '/@@']) {
    const { status, html } = await browser.get(path)
    assert.deepEqual([status, plain(html)], [404, plain(unknown.html)], path)
  }
})

test('profiles and posts of remote accounts redirect to their own servers', async () => {
  const remoteAccountId = await createRemoteAccount(testServer.ctx, {
    url: 'https://far.test/@someone',
    handle: { username: 'someone', domain: 'far.test' },
  })
  const statusId = await createRemoteStatus(testServer.ctx, {
    accountId: remoteAccountId,
    url: 'https://far.test/@someone/1',
  })
  const secret = await createRemoteStatus(testServer.ctx, { accountId: remoteAccountId, visibility: 'private' })
  for (const [path, to] of [
    ['/@someone@far.test', 'https://far.test/@someone'],
    ['/@SOMEONE@FAR.test/media', 'https://far.test/@someone'],
    [`/@someone@far.test/${statusId}`, 'https://far.test/@someone/1'],
  ] as const) {
    const { status, location } = await browser.get(path)
    assert.deepEqual([status, location], [302, to], path)
  }
  for (const path of [
    `/@someone@far.test/${secret}`,
    `/@ada/${statusId}`,
    `/@someone@far.test/1`,
    '/@nobody@far.test',
    '/@someone',
  ]) {
    assert.equal((await browser.get(path)).status, 404, path)
  }
  assert.equal((await browser.get('/@Ada@linnet.test')).status, 200, 'the domain of this server is local')
})

test('a user who is logged in gets the web client, which is not cached', async () => {
  const visitor = createBrowser(testServer.server)
  const id = await testServer.ctx.write((tx) =>
    openSession(tx, { userId: bo.userId, browser: { ip: null, userAgent: '' } }),
  )
  visitor.cookies.set('__Host-linnet-session', id)
  const { html, headers } = await visitor.get('/@ada')
  assert.match(html, /<div id="root">/)
  assert.equal(headers['cache-control'], 'private, no-store')
})
