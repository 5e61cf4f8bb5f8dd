import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { blockDomainAsStaff } from '../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { respondWith } from '../../../../test/federation/peer/behaviour.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'pages.test', 'blocked.test'] })
const { testServer, peer, findStatus } = fediverse
after(fediverse.close)

const pages = peer.host('pages.test')
const bob = await peer.host('remote.test').createActor('bob')
const alice = await testServer.createUser({ username: 'alice' })
const TYPE = 'application/activity+json'

let number = 0
/** Serves a page and returns the URIs of the statuses that a user finds by its URL. */
async function findByPage({ body = '', headers = {} }: { body?: string; headers?: Record<string, string> }) {
  const path = `/pages/${(number += 1)}`
  pages.behave(path, respondWith(200, { headers: { 'content-type': 'text/html', ...headers }, body }))
  const found = (await alice.client.get('/api/v2/search', { q: pages.origin + path, resolve: true })).body
  return found.statuses.map(({ uri }: { uri: string }) => uri)
}
const linkTo = (href: unknown, type = TYPE) =>
  `<head><link rel="alternate" type="${type}" href="${String(href)}"></head>`

suite('the URL of a web page finds the document', () => {
  test('to which the page links', async () => {
    for (const type of [TYPE, 'application/ld+json; profile=https://www.w3.org/ns/activitystreams']) {
      const note = bob.note()
      const feed = '<link rel="alternate" type="application/rss+xml" href="/feed">'
      assert.deepEqual(await findByPage({ body: feed + linkTo(note['id'], type) }), [note['id']])
    }
  })

  test('to which its Link header links, before a link of the page', async () => {
    const [note, other] = [bob.note(), bob.note()]
    const feed = '</feed?a=1,2>; rel="alternate"; type="application/rss+xml"'
    for (const link of [
      `${feed}, <${String(note['id'])}>; rel="alternate"; type="${TYPE}"`,
      `<${String(note['id'])}>; type=${TYPE}; rel=alternate`,
    ]) {
      assert.deepEqual(await findByPage({ headers: { link }, body: linkTo(other['id']) }), [note['id']])
    }
    assert.deepEqual(await findByPage({ headers: { link: feed }, body: linkTo(other['id']) }), [other['id']])
  })

  test('FE8 only as the server of its id serves it', async () => {
    const note = bob.note({ content: '<p>true</p>' })
    pages.serveAt('/forged', { ...note, content: '<p>forged</p>' })
    assert.deepEqual(await findByPage({ body: linkTo('/forged') }), [note['id']])
    assert.match((await fediverse.show(alice, note['id'])).content, /true/)
    const withdrawn = bob.note()
    peer.host('remote.test').withdraw(String(withdrawn['id']))
    pages.serveAt('/withdrawn', withdrawn)
    assert.deepEqual(await findByPage({ body: linkTo('/withdrawn') }), [])
    assert.equal(await findStatus(withdrawn['id']), undefined)
  })
})

test('a web page without such a link, or with one to a page or to a suspended server, finds nothing', async () => {
  await blockDomainAsStaff(testServer.ctx, 'blocked.test', { severity: 'suspend' })
  const blocked = peer.host('blocked.test')
  const eve = await blocked.createActor('eve', { keys: bob.keys })
  const note = bob.note()
  pages.behave('/page', respondWith(200, { headers: { 'content-type': 'text/html' }, body: linkTo(note['id']) }))
  for (const page of [
    { body: '' },
    { body: linkTo(note['id'], 'application/json') },
    { body: linkTo('javascript:alert(1)') },
    { body: linkTo('/page') },
    { body: linkTo(eve.note()['id']) },
    { body: linkTo(note['id']), headers: { 'content-type': 'text/plain' } },
  ]) {
    assert.deepEqual(await findByPage(page), [])
  }
  assert.equal(blocked.requests.length, 0)
})
