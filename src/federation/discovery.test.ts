import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countQueries } from '../../test/count-queries.ts'
import { openWorld } from '../../test/world.ts'
import type { Person, World } from '../../test/world.ts'
import { deleteAccount } from '../domain/accounts/delete.ts'

let world: World
let ann: Person
let pending: Person
let unconfirmed: Person

before(async () => {
  world = await openWorld({ env: { LOCAL_DOMAIN: 'linnet.test', WEB_DOMAIN: 'social.linnet.test' } })
  ann = await world.createPerson({ username: 'Ann' })
  pending = await world.createPerson({ username: 'pending', approved: false })
  unconfirmed = await world.createPerson({ username: 'unconfirmed', confirmed: false })
})
after(() => world.close())

const get = (path: string, accept = '*/*') => world.anonymous.send({ method: 'GET', url: path, headers: { accept } })
const finger = (resource: string) => get(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)
const suspend = (accountId: string, at: Date | null) =>
  world.ctx.db.updateTable('accounts').set({ suspended_at: at }).where('id', '=', accountId).execute()

test('a handle leads to the actor, under either of our names and in any spelling (FE10)', async () => {
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
      ],
    })
  }
})

test('the bare domain and the actor of the server lead to the server itself', async () => {
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

test('who is not known is not found, and what names nobody is refused', async () => {
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
    assert.deepEqual([(await finger(resource)).status, resource], [404, resource])
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
    assert.deepEqual([(await finger(resource)).status, resource.slice(0, 30)], [400, resource.slice(0, 30)])
  }
  assert.equal((await get('/.well-known/webfinger')).status, 400)
  assert.equal((await get('/.well-known/webfinger?resource[]=acct:Ann@linnet.test')).status, 400)
})

test('somebody suspended is still found, until they can not come back', async () => {
  const carol = await world.createPerson({ username: 'carol' })
  const days = (n: number) => new Date(Date.now() - n * 86_400_000)
  await suspend(carol.accountId, days(1))
  assert.equal((await finger('acct:carol@linnet.test')).status, 200)
  await suspend(carol.accountId, days(31))
  assert.equal((await finger('acct:carol@linnet.test')).status, 410)
})

test('who asks for a handle again costs one short statement, and is told what has changed since', async () => {
  const dora = await world.createPerson({ username: 'dora' })
  const resource = 'acct:dora@linnet.test'
  const { body: first } = await finger(resource)
  assert.equal(await countQueries(() => finger(resource)), 1)
  assert.deepEqual((await finger(resource)).body, first)
  const change = (values: Record<string, unknown>) =>
    world.ctx.db.updateTable('accounts').set(values).where('id', '=', dora.accountId).execute()
  await change({ avatar_key: 'avatars/ab/cd.png' })
  assert.equal((await finger(resource)).body.links.length, 4)
  await suspend(dora.accountId, new Date())
  assert.equal((await finger(resource)).body.links.length, 3)
  await suspend(dora.accountId, null)
  await world.ctx.db.updateTable('users').set({ approved: false }).where('id', '=', dora.userId).execute()
  assert.equal((await finger(resource)).status, 404)
  await world.ctx.db.updateTable('users').set({ approved: true }).where('id', '=', dora.userId).execute()
  assert.equal((await finger(resource)).status, 200)
  await world.ctx.write((tx) => deleteAccount(tx, { accountId: dora.accountId }))
  await world.settle()
  assert.equal((await finger(resource)).status, 410)
})

test('host-meta tells where to ask, in XML or in JSON', async () => {
  const template = 'https://social.linnet.test/.well-known/webfinger?resource={uri}'
  const xml = await get('/.well-known/host-meta', 'application/xrd+xml')
  assert.equal(xml.headers['content-type'], 'application/xrd+xml; charset=utf-8')
  assert.equal(
    xml.body,
    '<?xml version="1.0" encoding="UTF-8"?>\n<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">' +
      `<Link rel="lrdd" template="${template}" /></XRD>\n`,
  )
  assert.equal((await get('/.well-known/host-meta')).body, xml.body)
  for (const answer of [
    await get('/.well-known/host-meta', 'application/json'),
    await get('/.well-known/host-meta.json'),
  ]) {
    assert.deepEqual(answer.body, { links: [{ rel: 'lrdd', type: 'application/jrd+json', template }] })
  }
})

test('NodeInfo tells what runs here, and how many people there are', async () => {
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
    software: { name: 'linnet', version: world.ctx.config.version },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    // The suspended, the unconfirmed and those who wait are not counted.
    usage: { users: { total: 1, activeMonth: 1, activeHalfyear: 1 }, localPosts: 1 },
    openRegistrations: true,
    metadata: { nodeName: 'social.linnet.test', nodeDescription: '', upstream: { name: 'mastodon' } },
  })
})

test('a manager of passwords is led to where one is changed', async () => {
  const { status, headers } = await get('/.well-known/change-password')
  assert.deepEqual([status, headers['location']], [302, '/auth/edit'])
})
