import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../test/fediverse.ts'
import type { Activity } from '../../../test/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, origin, uriOf, deliver, befriend } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const alice = await world.createPerson({ username: 'alice' })

const see = async (id: string) => (await world.anonymous.get(`/api/v1/accounts/${id}`)).body
const domainsOf = async (id: string) =>
  (
    await world.ctx.db
      .selectFrom('accounts')
      .select('attribution_domains')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).attribution_domains

suite('a profile elsewhere', () => {
  let id: string
  const said = {
    discoverable: true,
    indexable: true,
    attributionDomains: ['news.example', 'NEWS.example', 'https://no.example/'],
    showMedia: false,
    showRepliesInMedia: false,
    showFeatured: false,
  }
  const shown = async (id: string) => {
    const account = await see(id)
    const { discoverable, indexable, show_media: media, show_media_replies: replies, show_featured: featured } = account
    return [discoverable, indexable, media, replies, featured, account.memorial, account.suspended]
  }

  test('is shown with all its switches, as its server says and says again', async () => {
    id = await befriend(alice, bob)
    assert.deepEqual(await shown(id), [true, false, true, true, true, undefined, undefined])
    const update = (changes: object) => deliver(bob, bob.activity('Update', { ...bob.document, ...changes }))
    await update(said)
    assert.deepEqual(await shown(id), [true, true, false, false, false, undefined, undefined])
    assert.deepEqual(await domainsOf(id), ['news.example'])
    await update({ memorial: true, discoverable: false })
    assert.deepEqual(await shown(id), [false, false, true, true, true, true, undefined])
    assert.deepEqual(await domainsOf(id), [])
    await update({ suspended: true })
    assert.deepEqual((await shown(id)).at(-1), true)
    await update(said)
    assert.deepEqual(await shown(id), [true, true, false, false, false, undefined, undefined])
  })

  test('IN29 is changed by nobody else: whom sites may name, only its own server says', async () => {
    await deliver(bob, bob.activity('Update', { ...bob.document, ...said }))
    const mallory = await peer.host('other.test').createActor('mallory', { keys: bob.keys })
    const evil = { ...bob.document, attributionDomains: ['evil.example'] }
    await deliver(
      mallory,
      mallory.activity('Update', evil),
      mallory.activity('Create', mallory.note({ attachment: [evil], attributionDomains: ['evil.example'] })),
    )
    assert.equal((await mallory.send({ ...bob.activity('Update', evil) })).status === 202, false)
    await world.settle()
    assert.deepEqual(await domainsOf(id), ['news.example'])
  })
})

suite('followers and follows elsewhere', () => {
  const people = Array.from({ length: 3 }, (_, n) => `https://remote.test/users/${n}`)
  const lists = async (id: string) => ({
    names: await Promise.all(
      ['followers', 'following'].map(async (list) => {
        const { status, body } = await alice.client.get(`/api/v1/accounts/${id}/${list}`)
        assert.equal(status, 200)
        return body.map(({ username }: { username: string }) => username)
      }),
    ),
    account: await see(id),
  })
  /** Somebody with collections such as these, followed by somebody here. */
  async function meet(name: string, serve: (path: string) => void): Promise<string> {
    const actor = await remote.createActor(name, { keys: bob.keys })
    for (const list of ['followers', 'following']) serve(`/users/${name}/${list}`)
    // What its server counts is asked for before somebody here is added to it.
    await alice.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
    await world.settle()
    const id = await befriend(alice, actor)
    return id
  }
  const bare = (path: string): Activity => ({
    id: `https://remote.test${path}`,
    type: 'OrderedCollection',
    totalItems: 3,
  })

  test('that are counted but not listed are hidden here, too, and still counted', async () => {
    const id = await meet('shy', (path) => remote.serveAt(path, bare(path)))
    const { names, account } = await lists(id)
    assert.deepEqual(names, [[], []])
    assert.deepEqual([account.hide_collections, account.followers_count, account.following_count], [true, 4, 3])
  })

  test('that are listed, in pages or at once, are shown as far as they are known', async () => {
    for (const [name, serve] of [
      ['paged', (path: string) => void remote.serveCollection(path, people, { pageSize: 2 })],
      ['whole', (path: string) => void remote.serveCollection(path, people)],
      ['unordered', (path: string) => void remote.serveCollection(path, people, { type: 'Collection' })],
    ] as const) {
      const id = await meet(name, serve)
      const { names, account } = await lists(id)
      assert.deepEqual([names, account.hide_collections], [[['alice'], []], false], name)
    }
  })

  test('stay as they were known when their server does not say', async () => {
    const id = await meet('silent', (path) => remote.withdraw(path))
    const { names, account } = await lists(id)
    assert.deepEqual([names, account.hide_collections], [[['alice'], []], null])
  })
})

test('what somebody here chooses is told to those who follow them elsewhere', async () => {
  const ann = await world.createPerson({ username: 'ann' })
  const follower = await remote.createActor('follower', { keys: bob.keys })
  await deliver(follower, follower.activity('Follow', uriOf(ann)))
  await ann.client.patch('/api/v1/profile', {
    show_media_replies: false,
    show_featured: false,
    attribution_domains: ['Bücher.example'],
    discoverable: true,
    indexable: true,
    hide_collections: true,
  })
  const { activity } = await follower.inbox.next(({ type }) => type === 'Update')
  const document = activity['object'] as Activity
  const { showMedia, showRepliesInMedia, showFeatured, attributionDomains, discoverable, indexable } = document
  assert.deepEqual(
    { showMedia, showRepliesInMedia, showFeatured, attributionDomains, discoverable, indexable },
    {
      showMedia: true,
      showRepliesInMedia: false,
      showFeatured: false,
      attributionDomains: ['xn--bcher-kva.example'],
      discoverable: true,
      indexable: true,
    },
  )
  const headers = { accept: 'application/activity+json' }
  const { body } = await world.anonymous.send({ url: `${new URL(uriOf(ann)).pathname}/followers`, headers })
  assert.deepEqual(
    [body.id, body.totalItems, body.first],
    [`${origin}/ap/users/${ann.accountId}/followers`, 1, undefined],
  )
})
