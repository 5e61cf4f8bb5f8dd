import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { keepCaches } from '../../../test/performance/keep-caches.ts'
import { suspend, unsuspend } from '../../../test/features/moderation.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser, TestServer } from '../../../test/servers/test-server.ts'
import { deleteAccount } from '../../domain/account-deletion/delete-account.ts'

let testServer: TestServer
let ann: TestUser
let pending: TestUser
let unconfirmed: TestUser

before(async () => {
  testServer = await openTestServer({ env: { LOCAL_DOMAIN: 'linnet.test', WEB_DOMAIN: 'social.linnet.test' } })
  ann = await testServer.createUser({ username: 'Ann' })
  pending = await testServer.createUser({ username: 'pending', approved: false })
  unconfirmed = await testServer.createUser({ username: 'unconfirmed', confirmed: false })
})
after(() => testServer.close())

const get = (path: string, accept = '*/*') =>
  testServer.anonymous.send({ method: 'GET', url: path, headers: { accept } })
const finger = (resource: string) => get(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)

test('WebFinger resolves a handle with the local or the web domain, in any spelling (FE10)', async () => {
  const self = `https://social.linnet.test/ap/users/${ann.accountId}`
  for (const resource of [
    'acct:Ann@linnet.test',
    'acct:ann@linnet.test',
    'ACCT:aNN@LINNET.test',
    'acct:Ann@social.linnet.test',
    'acct:Ann@linnet.test.',
    'acct:Ann@ｌｉｎｎｅｔ.test',
    'Ann@linnet.test',
    '@Ann@linnet.test',
    ' acct:Ann@linnet.test ',
    self,
    'https://social.linnet.test/users/ann',
    'https://social.linnet.test/@Ann',
    'https://SOCIAL.linnet.test/@Ann/',
  ]) {
    const { status, headers, body } = await finger(resource)
    assert.equal(status, 200, resource)
    assert.equal(headers['content-type'], 'application/jrd+json; charset=utf-8')
    assert.equal(headers['cache-control'], 'public, max-age=259200')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.deepEqual(body, {
      subject: 'acct:Ann@linnet.test',
      aliases: ['https://social.linnet.test/@Ann', self],
      links: [
        {
          rel: 'http://webfinger.net/rel/profile-page',
          type: 'text/html',
          href: 'https://social.linnet.test/@Ann',
        },
        { rel: 'self', type: 'application/activity+json', href: self },
        {
          rel: 'http://ostatus.org/schema/1.0/subscribe',
          template: 'https://social.linnet.test/authorize_interaction?uri={uri}',
        },
        {
          rel: 'https://w3id.org/fep/3b86/Create',
          template: 'https://social.linnet.test/share?text={content}',
        },
        {
          rel: 'https://w3id.org/fep/3b86/Object',
          template: 'https://social.linnet.test/authorize_interaction?uri={object}',
        },
      ],
    })
  }
})

test('WebFinger resolves the bare domain and the instance actor to the instance actor', async () => {
  for (const resource of [
    'linnet.test',
    'https://linnet.test/',
    'https://social.linnet.test',
    'https://social.linnet.test/actor',
    'acct:linnet.test@linnet.test',
  ]) {
    const { status, body } = await finger(resource)
    assert.equal(status, 200, resource)
    assert.equal(body.subject, 'acct:linnet.test@linnet.test')
    assert.equal(body.links[1].href, 'https://social.linnet.test/actor')
  }
})

test('WebFinger responds with 404 for an unknown account and with 400 for an invalid resource, for three minutes', async () => {
  for (const resource of [
    'acct:nobody@linnet.test',
    'acct:Ann@elsewhere.test',
    'acct:Ann@sub.linnet.test',
    'acct:Ann@linnet.test:8443',
    'https://elsewhere.test/@Ann',
    'https://social.linnet.test/about',
    `https://social.linnet.test/ap/users/${ann.accountId}/followers`,
    'https://social.linnet.test/ap/users/99999999999999999999',
    `acct:${pending.username}@linnet.test`,
    `acct:${unconfirmed.username}@linnet.test`,
    `https://social.linnet.test/@${pending.username}`,
  ]) {
    const { status, headers } = await finger(resource)
    assert.deepEqual([status, headers['cache-control'], resource], [404, 'public, max-age=180', resource])
  }
  for (const resource of [
    '',
    ' ',
    'Ann',
    'acct:@linnet.test',
    'acct:Ann@',
    'acct:a@b@linnet.test',
    'https://',
    'a\0@linnet.test',
    'x'.repeat(9_000),
  ]) {
    const { status, headers } = await finger(resource)
    const start = resource.slice(0, 30)
    assert.deepEqual([status, headers['cache-control'], start], [400, 'public, max-age=180', start])
  }
  assert.equal((await get('/.well-known/webfinger')).status, 400)
  assert.equal((await get('/.well-known/webfinger?resource[]=acct:Ann@linnet.test')).status, 400)
})

test('WebFinger finds a suspended account until the suspension is permanent', async () => {
  const carol = await testServer.createUser({ username: 'carol' })
  const days = (n: number) => new Date(Date.now() - n * 86_400_000)
  await suspend(testServer.ctx, carol, { at: days(1) })
  assert.equal((await finger('acct:carol@linnet.test')).status, 200)
  await unsuspend(testServer.ctx, carol)
  await suspend(testServer.ctx, carol, { at: days(31) })
  assert.equal((await finger('acct:carol@linnet.test')).status, 410)
})

test('a repeated WebFinger request costs one statement, and shows changes', async () => {
  const dora = await testServer.createUser({ username: 'dora' })
  const resource = 'acct:dora@linnet.test'
  const { body: first } = await finger(resource)
  // The jobs of the sign-up send statements, too.
  await testServer.waitForJobs()
  const count = await keepCaches(async () => {
    await finger(resource)
    return countQueries(() => finger(resource))
  })
  assert.equal(count, 1)
  assert.deepEqual((await finger(resource)).body, first)
  const change = (values: Record<string, unknown>) =>
    testServer.ctx.db.updateTable('accounts').set(values).where('id', '=', dora.accountId).execute()
  await change({ avatar_key: 'avatars/ab/cd.png' })
  assert.equal((await finger(resource)).body.links.length, 6)
  await suspend(testServer.ctx, dora)
  assert.equal((await finger(resource)).body.links.length, 5)
  await unsuspend(testServer.ctx, dora)
  await testServer.ctx.db.updateTable('users').set({ approved: false }).where('id', '=', dora.userId).execute()
  assert.equal((await finger(resource)).status, 404)
  await testServer.ctx.db.updateTable('users').set({ approved: true }).where('id', '=', dora.userId).execute()
  assert.equal((await finger(resource)).status, 200)
  await testServer.ctx.write((tx) => deleteAccount(tx, { accountId: dora.accountId }))
  await testServer.waitForJobs()
  assert.equal((await finger(resource)).status, 410)
})

test('host-meta contains the LRDD template, in XML or in JSON', async () => {
  const template = 'https://social.linnet.test/.well-known/webfinger?resource={uri}'
  const xml = await get('/.well-known/host-meta', 'application/xrd+xml')
  assert.equal(xml.headers['content-type'], 'application/xrd+xml; charset=utf-8')
  assert.equal(
    xml.body,
    '<?xml version="1.0" encoding="UTF-8"?>\n<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">' +
      `<Link rel="lrdd" template="${template}" /></XRD>\n`,
  )
  assert.equal((await get('/.well-known/host-meta')).body, xml.body)
  for (const response of [
    await get('/.well-known/host-meta', 'application/json'),
    await get('/.well-known/host-meta.json'),
  ]) {
    assert.deepEqual(response.body, { links: [{ rel: 'lrdd', type: 'application/jrd+json', template }] })
  }
})

test('NodeInfo contains the software and the number of users', async () => {
  await ann.client.post('/api/v1/statuses', { status: 'one' })
  const { body: links } = await get('/.well-known/nodeinfo')
  assert.equal(links.links[0].rel, 'http://nodeinfo.diaspora.software/ns/schema/2.0')
  assert.equal(links.links[0].href, 'https://social.linnet.test/nodeinfo/2.0')
  const { status, headers, body } = await get('/nodeinfo/2.0')
  assert.equal(status, 200)
  assert.match(
    String(headers['content-type']),
    /^application\/json; profile="http:\/\/nodeinfo\.diaspora\.software\/ns\/schema\/2\.0#"/,
  )
  assert.equal(headers['cache-control'], 'public, max-age=1800')
  assert.deepEqual(body, {
    version: '2.0',
    software: { name: 'linnet', version: testServer.ctx.config.version },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    // Suspended, unconfirmed and pending users are not counted.
    usage: { users: { total: 1, activeMonth: 1, activeHalfyear: 1 }, localPosts: 1 },
    openRegistrations: true,
    metadata: { nodeName: 'social.linnet.test', nodeDescription: '', upstream: { name: 'mastodon' } },
  })
})

test('change-password redirects to the page that changes the password', async () => {
  const { status, headers } = await get('/.well-known/change-password')
  assert.deepEqual([status, headers['location']], [302, '/auth/edit'])
})
