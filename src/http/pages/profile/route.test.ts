import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createBrowser } from '../../../../test/browser.ts'
import { countQueries } from '../../../../test/count-queries.ts'
import { makeRemote, makeRemoteStatus } from '../../../../test/remote.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import { openSession } from '../../../domain/auth/sessions.ts'

const world = await openWorld()
after(world.close)
const browser = createBrowser(world.server)

let ada: Person
let bo: Person

before(async () => {
  ada = await world.createPerson({ username: 'Ada', displayName: 'Ada Finch' })
  bo = await world.createPerson({ username: 'bo' })
})

async function post(person: Person, status: string, more: Record<string, unknown> = {}) {
  const { body } = await person.client.post('/api/v1/statuses', { status, ...more })
  return body as { id: string; url: string; uri: string }
}

/** Changes an account behind the scenes, as moderators would. */
async function set(person: Person, values: Record<string, unknown>): Promise<void> {
  await world.ctx.db
    .updateTable('accounts')
    .set({ ...values, version: sql`version + 1` })
    .where('id', '=', person.accountId)
    .execute()
}

const JSON_LD = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

test('a profile shows whom it is of, and what they say of themselves', async () => {
  await ada.client.patch('/api/v1/accounts/update_credentials', {
    note: 'Watches #birds <b>',
    fields_attributes: [{ name: 'Site', value: 'https://ada.example/' }],
  })
  await world.settle()
  await set(ada, {
    fields: JSON.stringify([{ name: 'Site', value: 'https://ada.example/', verified_at: '2026-01-02T03:04:05Z' }]),
  })
  const { status, text, html, headers } = await browser.get('/@ada')
  assert.equal(status, 200)
  assert.match(text, /Ada Finch ?@Ada@linnet\.test/)
  assert.match(text, /Watches #birds <b>/)
  assert.match(text, /verified on Jan 2, 2026/)
  assert.match(html, /href="https:\/\/ada\.example\/"[^>]* rel="nofollow noopener[^"]* me"|rel="me /)
  assert.equal(
    headers['link'],
    `<https://linnet.test/ap/users/${ada.accountId}>; rel="alternate"; type="application/activity+json"`,
  )
})

test('one address has a page for people and a document for programs, and each says that it depends', async () => {
  const get = (accept?: string) =>
    world.anonymous.send({ method: 'GET', url: '/@ada', headers: accept === undefined ? {} : { accept } })
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

test('pages for everybody are kept for a moment by caches, set no cookie, and are told apart by their tags', async () => {
  const { headers } = await browser.get('/@ada')
  assert.equal(headers['cache-control'], 'public, max-age=15, stale-while-revalidate=30')
  assert.equal(headers['vary'], 'Accept, Accept-Language, Cookie')
  assert.equal(headers['set-cookie'], undefined)
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/)
  const same = await browser.get('/@ada', { 'if-none-match': `W/"x", ${String(headers['etag'])}` })
  assert.deepEqual([same.status, same.html, same.headers['cache-control']], [304, '', headers['cache-control']])
  await post(ada, 'something new')
  assert.equal((await browser.get('/@ada', { 'if-none-match': String(headers['etag']) })).status, 200)
})

test('posts come without replies, replies with them, pictures alone, and what has a hashtag by itself', async () => {
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

test('what is pinned stands first, once, and only on the first page', async () => {
  const carl = await world.createPerson({ username: 'carl' })
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

test('walking all pages shows every post once', async () => {
  const many = await world.createPerson({ username: 'many' })
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

test('a page costs the same few statements, however much is on it', async (t) => {
  const few = await world.createPerson({ username: 'few' })
  await post(few, 'alone')
  const count = async (path: string) => {
    await browser.get(path)
    return countQueries(() => browser.get(path))
  }
  await world.settle()
  // What is kept for a second for all pages stays so while it is counted.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const [one, twenty] = [await count('/@few'), await count('/@many')]
  assert.ok(twenty <= one, `${twenty} for twenty posts, ${one} for one`)
  assert.ok(twenty <= 14, String(twenty))
})

test('search engines are kept away from whoever did not choose to be found', async () => {
  const hidden = await browser.get('/@ada')
  assert.match(hidden.html, /<meta name="robots" content="noindex, noarchive" \/>/)
  assert.equal(hidden.headers['x-robots-tag'], 'noindex')
  await ada.client.patch('/api/v1/accounts/update_credentials', { indexable: true })
  const found = await browser.get('/@ada')
  assert.doesNotMatch(found.html, /name="robots"/)
  assert.equal(found.headers['x-robots-tag'], undefined)
  assert.match(found.html, /<article class="post"[^>]*data-nosnippet/, 'the posts of others whom she boosts')
})

test('messengers and readers are told what lies here', async () => {
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

test('VI12 whom somebody knows is not even counted where they keep it to themselves', async () => {
  assert.match((await browser.get('/@ada')).text, /followers/)
  await ada.client.patch('/api/v1/accounts/update_credentials', { hide_collections: true })
  const { text } = await browser.get('/@ada')
  assert.doesNotMatch(text, /followers|following/)
})

test('a profile says that its owner moved, died, or was hidden by the moderators', async () => {
  const dora = await world.createPerson({ username: 'dora', displayName: 'Dora' })
  await post(dora, 'what dora said')
  await set(dora, { moved_to_account_id: ada.accountId })
  const moved = await browser.get('/@dora')
  assert.match(moved.text, /Dora has moved to a new account: A ?Ada Finch/)
  assert.doesNotMatch(moved.html, /authorize_interaction/)
  await set(dora, { moved_to_account_id: null, memorial: true })
  assert.match((await browser.get('/@dora')).text, /In memoriam/)
  await set(dora, { memorial: false, silenced_at: new Date(), note: 'her biography' })
  const limited = await browser.get('/@dora')
  const [before = '', behind = ''] = limited.html.split('Show profile anyway')
  assert.match(before, /hidden by the moderators/)
  assert.doesNotMatch(before, /her biography|what dora said/)
  assert.match(behind, /her biography[\s\S]*what dora said/)
  assert.equal(limited.headers['x-robots-tag'], 'noindex')
})

test('somebody suspended shows nothing but their name, and is gone after a month', async () => {
  const eve = await world.createPerson({ username: 'eve', displayName: 'Eve Chosen' })
  const { id } = await post(eve, 'what eve said')
  await set(eve, { suspended_at: new Date(), note: 'eve biography' })
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
    assert.doesNotMatch(text, /Eve Chosen|what eve said|eve biography/)
    assert.equal(headers['cache-control'], 'private, no-store')
  }
  await set(eve, { suspended_at: new Date(Date.now() - 31 * 86_400_000) })
  for (const path of ['/@eve', `/@eve/${id}`]) {
    const { status, text } = await browser.get(path)
    assert.deepEqual([status, /Page removed/.test(text)], [410, true])
  }
})

test('nobody, and who is not let in yet, are the same page', async () => {
  await world.createPerson({ username: 'unconfirmed', confirmed: false })
  await world.createPerson({ username: 'pending', approved: false })
  const plain = (html: string) => html.replace(/<code>[^<]*<\/code>/, '')
  const nobody = await browser.get('/@nobody')
  assert.equal(nobody.status, 404)
  assert.match(nobody.text, /Page not found/)
  for (const path of ['/@unconfirmed', '/@pending', '/@pending/media', '/@%00', '/@a%20b', '/@ada@', '/@@']) {
    const { status, html } = await browser.get(path)
    assert.deepEqual([status, plain(html)], [404, plain(nobody.html)], path)
  }
})

test('people of other servers are found where they are at home', async () => {
  const far = await makeRemote(world.ctx, {
    url: 'https://far.test/@someone',
    handle: { username: 'someone', domain: 'far.test' },
  })
  const statusId = await makeRemoteStatus(world.ctx, { accountId: far, url: 'https://far.test/@someone/1' })
  const secret = await makeRemoteStatus(world.ctx, { accountId: far, visibility: 'private' })
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
  assert.equal((await browser.get('/@Ada@linnet.test')).status, 200, 'our own domain is no other server')
})

test('somebody who is signed in sees the same page, with themselves in its head, and it is kept nowhere', async () => {
  const visitor = createBrowser(world.server)
  const id = await world.ctx.write((tx) => openSession(tx, { userId: bo.userId, browser: { ip: null, userAgent: '' } }))
  visitor.cookies.set('__Host-linnet-session', id)
  const { text, headers } = await visitor.get('/@ada')
  assert.match(text, /Your account: bo/)
  assert.equal(headers['cache-control'], 'private, no-store')
  assert.equal(headers['set-cookie'], undefined)
})
