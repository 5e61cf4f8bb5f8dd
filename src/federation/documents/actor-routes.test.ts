import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { after, before, test } from 'node:test'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { keepCaches } from '../../../test/performance/keep-caches.ts'
import { createSigningRemoteAccount } from '../../../test/federation/remote-account.ts'
import { blockDomainAsStaff, suspend, unsuspend } from '../../../test/features/moderation.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser, TestServer } from '../../../test/servers/test-server.ts'
import { ensureActorKey } from '../keys/actor-keys.ts'

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

let testServer: TestServer
let ann: TestUser

before(async () => {
  testServer = await openTestServer()
  ann = await testServer.createUser({ username: 'Ann' })
})
after(() => testServer.close())

const get = (path: string, accept = 'application/activity+json') =>
  testServer.anonymous.send({ method: 'GET', url: path, headers: { accept } })
const set = (accountId: string, values: Record<string, unknown>) =>
  testServer.ctx.db.updateTable('accounts').set(values).where('id', '=', accountId).execute()

test('the actor document contains all properties of a profile', async () => {
  const { accountId } = await testServer.createUser({ username: 'full', displayName: 'Full Name', locked: true })
  const uri = `https://linnet.test/ap/users/${accountId}`
  const target = await createSigningRemoteAccount(testServer, { username: 'new' })
  await set(accountId, {
    note: 'I like #Birds\nand <b>',
    fields: JSON.stringify([{ name: 'Site', value: 'https://full.example', verified_at: null }]),
    avatar_key: 'avatars/ab/cd.png',
    avatar_description: 'a bird',
    header_key: 'headers/ab/cd.jpg',
    actor_type: 'Service',
    discoverable: true,
    indexable: true,
    attribution_domains: ['news.example', 'xn--bcher-kva.example'],
    show_media_replies: false,
    also_known_as: ['https://old.test/users/full'],
    moved_to_account_id: target.accountId,
    created_at: new Date('2026-01-02T03:04:05Z'),
  })
  const { status, headers, body } = await get(`/ap/users/${accountId}`)
  const { publicKeyPem } = await ensureActorKey(testServer.ctx, { accountId })
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/activity+json; charset=utf-8')
  assert.equal(headers['cache-control'], 'public, max-age=180')
  assert.equal(headers['vary'], 'Accept, Signature')
  const { '@context': context, ...actor } = body
  assert.deepEqual(context.slice(0, 2), ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'])
  assert.deepEqual(actor, {
    id: uri,
    type: 'Service',
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    endpoints: { sharedInbox: 'https://linnet.test/inbox' },
    followers: `${uri}/followers`,
    following: `${uri}/following`,
    featured: `${uri}/collections/featured`,
    featuredTags: `${uri}/collections/tags`,
    featuredCollections: `${uri}/featured_collections`,
    interactionPolicy: { canFeature: { automaticApproval: ['https://www.w3.org/ns/activitystreams#Public'] } },
    preferredUsername: 'full',
    webfinger: 'full@linnet.test',
    name: 'Full Name',
    summary:
      '<p>I like <a href="https://linnet.test/tags/birds" class="mention hashtag" rel="tag">#<span>Birds</span></a><br />and &lt;b&gt;</p>',
    url: 'https://linnet.test/@full',
    manuallyApprovesFollowers: true,
    discoverable: true,
    indexable: true,
    published: '2026-01-02T00:00:00Z',
    memorial: false,
    attachment: [
      {
        type: 'PropertyValue',
        name: 'Site',
        value:
          '<a href="https://full.example" rel="nofollow noopener me" target="_blank" translate="no"><span class="invisible">https://</span><span class="">full.example</span><span class="invisible"></span></a>',
      },
    ],
    tag: [{ type: 'Hashtag', href: 'https://linnet.test/tags/birds', name: '#birds' }],
    attributionDomains: ['news.example', 'xn--bcher-kva.example'],
    showMedia: true,
    showRepliesInMedia: false,
    showFeatured: true,
    icon: {
      type: 'Image',
      mediaType: 'image/png',
      url: 'https://linnet.test/system/avatars/ab/cd.png',
      summary: 'a bird',
    },
    image: { type: 'Image', mediaType: 'image/jpeg', url: 'https://linnet.test/system/headers/ab/cd.jpg' },
    alsoKnownAs: ['https://old.test/users/full'],
    movedTo: 'https://remote.test/users/new',
    publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem },
  })
})

test('a key is created once, also for concurrent requests, and stored encrypted', async () => {
  const { accountId } = await testServer.createUser()
  const responses = await Promise.all(Array.from({ length: 5 }, () => get(`/ap/users/${accountId}`)))
  const [pem, ...others] = new Set(responses.map(({ body }) => body.publicKey.publicKeyPem))
  assert.deepEqual(others, [])
  assert.equal(createPublicKey(pem).asymmetricKeyDetails?.modulusLength, 2048)
  const row = await testServer.ctx.db
    .selectFrom('actor_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const { privateKey } = await ensureActorKey(testServer.ctx, { accountId })
  const plain = privateKey.export({ type: 'pkcs8', format: 'der' })
  assert.ok(!row.private_key!.includes(plain.subarray(100, 132)))
  await assert.rejects(ensureActorKey(testServer.ctx, { accountId: '999999' }), { status: 404 })
  const { accountId: remoteId } = await createSigningRemoteAccount(testServer, { username: 'keyless' })
  await assert.rejects(ensureActorKey(testServer.ctx, { accountId: remoteId }), { status: 404 })
})

test('an unconfirmed or unapproved account is not found, like one that does not exist', async () => {
  const waiting = await testServer.createUser({ username: 'waiting', approved: false })
  const fresh = await testServer.createUser({ username: 'fresh', confirmed: false })
  const parts = ['', '/outbox', '/followers', '/following', '/collections/featured', '/collections/tags', '/statuses/1']
  for (const part of parts) {
    const absent = await get(`/ap/users/999999${part}`)
    assert.equal(absent.status, 404)
    for (const { accountId } of [waiting, fresh]) {
      const { status, body } = await get(`/ap/users/${accountId}${part}`)
      assert.deepEqual([status, body], [404, absent.body])
    }
  }
  for (const path of [
    '/users/waiting',
    '/@waiting',
    '/@fresh/1',
    '/users/nobody',
    '/@nobody',
    '/ap/users/x',
    '/ap/users/0',
  ]) {
    assert.equal((await get(path)).status, 404, path)
  }
})

test('a suspended account shows only its name, and is gone after a month', async () => {
  const { accountId, client } = await testServer.createUser({ username: 'sus', displayName: 'Su S' })
  const { body: post } = await client.post('/api/v1/statuses', { status: 'hello' })
  await set(accountId, {
    note: 'hi',
    avatar_key: 'avatars/ab/cd.png',
    fields: JSON.stringify([{ name: 'a', value: 'b' }]),
    also_known_as: ['https://old.test/users/sus'],
    moved_to_account_id: ann.accountId,
  })
  await suspend(testServer.ctx, { accountId })
  const { status, body } = await get(`/ap/users/${accountId}`)
  assert.equal(status, 200)
  assert.deepEqual([body.suspended, body.name, body.summary], [true, 'sus', ''])
  for (const name of ['icon', 'image', 'attachment', 'tag', 'alsoKnownAs', 'movedTo']) assert.ok(!(name in body), name)
  const parts = [
    '/outbox',
    '/followers',
    '/following',
    '/collections/featured',
    '/collections/tags',
    `/statuses/${post.id}`,
    '/statuses/1',
  ]
  for (const part of parts) assert.equal((await get(`/ap/users/${accountId}${part}`)).status, 403, part)
  await unsuspend(testServer.ctx, { accountId })
  await suspend(testServer.ctx, { accountId }, { at: new Date(Date.now() - 31 * 86_400_000) })
  for (const part of ['', ...parts]) assert.equal((await get(`/ap/users/${accountId}${part}`)).status, 410, part)
})

test('URLs with a username redirect servers to the actor, and browsers to the profile', async () => {
  const uri = `https://linnet.test/ap/users/${ann.accountId}`
  for (const path of ['/users/Ann', '/users/ann', '/@ann', '/@Ann']) {
    for (const accept of [
      'application/activity+json',
      'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
      'application/activity+json, application/ld+json, text/html;q=0.1',
    ]) {
      const { status, headers } = await get(path, accept)
      assert.deepEqual([status, headers['location']], [302, uri], `${path} ${accept}`)
      assert.equal(headers['vary'], 'Accept, Signature')
    }
  }
  for (const path of ['/users/ann', `/ap/users/${ann.accountId}`]) {
    const { status, headers } = await get(path, HTML)
    assert.deepEqual([status, headers['location']], [302, 'https://linnet.test/@Ann'])
    assert.equal(headers['vary'], 'Accept, Signature')
  }
  assert.equal((await get(`/ap/users/${ann.accountId}`, '*/*')).body.id, uri)
})

test('URLs below a username redirect to the documents of the account', async () => {
  for (const rest of ['/outbox', '/followers?page=true', '/collections/featured', '/statuses/1/replies']) {
    const { status, headers } = await get(`/users/ann${rest}`)
    assert.deepEqual([status, headers['location']], [302, `https://linnet.test/ap/users/${ann.accountId}${rest}`])
  }
  assert.equal((await get('/users/nobody/outbox')).status, 404)
})

test('the instance actor is served to every request, signed or not', async () => {
  const uri = 'https://linnet.test/actor'
  const { publicKeyPem } = await ensureActorKey(testServer.ctx, { accountId: null })
  const { status, body } = await get('/actor')
  assert.equal(status, 200)
  const { '@context': _context, ...actor } = body
  assert.deepEqual(actor, {
    id: uri,
    type: 'Application',
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    endpoints: { sharedInbox: 'https://linnet.test/inbox' },
    preferredUsername: 'linnet.test',
    url: 'https://linnet.test/',
    manuallyApprovesFollowers: true,
    publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem },
  })
  const blocked = await createSigningRemoteAccount(testServer, { username: 'blocked', domain: 'blocked.test' })
  await blockDomainAsStaff(testServer.ctx, 'blocked.test', { severity: 'suspend' })
  assert.equal((await blocked.get('/actor')).status, 200)
  assert.equal((await get('/actor/outbox')).body.totalItems, 0)
})

test('a local custom emoji is served until it is disabled', async () => {
  const { id } = await testServer.ctx.db
    .insertInto('custom_emojis')
    .values({ shortcode: 'linnet', image_key: 'emojis/ab/cd.png', updated_at: new Date('2026-01-02T03:04:05Z') })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { body } = await get(`/emojis/${id}`)
  const { '@context': _context, ...emoji } = body
  assert.deepEqual(emoji, {
    id: `https://linnet.test/emojis/${id}`,
    type: 'Emoji',
    name: ':linnet:',
    updated: '2026-01-02T03:04:05Z',
    icon: { type: 'Image', mediaType: 'image/png', url: 'https://linnet.test/system/emojis/ab/cd.png' },
  })
  await testServer.ctx.db.updateTable('custom_emojis').set({ disabled: true }).where('id', '=', id).execute()
  assert.equal((await get(`/emojis/${id}`)).status, 404)
  assert.equal((await get('/emojis/x')).status, 404)
})

test('a cached actor costs one statement, and changes invalidate it', async () => {
  const { accountId, client } = await testServer.createUser({ displayName: 'Before' })
  const path = `/ap/users/${accountId}`
  const first = await get(path)
  // Reload the IP blocks, in case an earlier test or one of its jobs has invalidated all caches.
  await testServer.waitForJobs()
  const count = await keepCaches(async () => {
    for (let n = 0; n < 2; n += 1) await get(path)
    return countQueries(() => get(path))
  })
  assert.equal(count, 1)
  assert.deepEqual((await get(path)).body, first.body)
  await client.patch('/api/v1/accounts/update_credentials', { display_name: 'After :seen:', note: 'new' })
  const { body: changed } = await get(path)
  assert.deepEqual([changed.name, changed.summary], ['After :seen:', '<p>new</p>'])
  const { id: emojiId } = await testServer.ctx.db
    .insertInto('custom_emojis')
    .values({ shortcode: 'seen', image_key: 'emojis/ab/ef.png' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await set(accountId, { emoji_ids: [emojiId] })
  assert.equal((await get(path)).body.tag[0].name, ':seen:')
  await testServer.ctx.db.updateTable('custom_emojis').set({ disabled: true }).where('id', '=', emojiId).execute()
  assert.deepEqual((await get(path)).body.tag, [])
  const target = await createSigningRemoteAccount(testServer, { username: 'next' })
  await set(accountId, { moved_to_account_id: target.accountId })
  assert.equal((await get(path)).body.movedTo, 'https://remote.test/users/next')
  await testServer.ctx.db.deleteFrom('accounts').where('id', '=', target.accountId).execute()
  assert.ok(!('movedTo' in (await get(path)).body))
  await suspend(testServer.ctx, { accountId })
  assert.equal((await get(path)).body.suspended, true)
  await unsuspend(testServer.ctx, { accountId })
  await testServer.ctx.db.updateTable('users').set({ approved: false }).where('account_id', '=', accountId).execute()
  assert.equal((await get(path)).status, 404)
})

test('a suspended server no longer gets a document that it got before', async () => {
  const { accountId } = await testServer.createUser()
  const remote = await createSigningRemoteAccount(testServer, { username: 'reader', domain: 'reader.test' })
  const path = `/ap/users/${accountId}`
  const { status, headers } = await remote.get(path)
  assert.deepEqual([status, headers['cache-control']], [200, 'private, no-store'])
  await blockDomainAsStaff(testServer.ctx, 'reader.test', { severity: 'suspend' })
  assert.equal((await remote.get(path)).status, 404)
  assert.equal((await get(path)).headers['cache-control'], 'public, max-age=180')
})
