import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { makeJobsDue } from '../../../../test/jobs/make-jobs-due.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, origin, uriOf, deliver, followEachOther } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const alice = await testServer.createUser({ username: 'alice' })

const see = async (id: string) => (await testServer.anonymous.get(`/api/v1/accounts/${id}`)).body
const domainsOf = async (id: string) =>
  (
    await testServer.ctx.db
      .selectFrom('accounts')
      .select('attribution_domains')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).attribution_domains

suite('a remote profile', () => {
  let id: string
  const settings = {
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

  test('is shown with all its settings, and updated', async () => {
    id = await followEachOther(alice, bob)
    assert.deepEqual(await shown(id), [true, false, true, true, true, undefined, undefined])
    const update = (changes: object) => deliver(bob, bob.activity('Update', { ...bob.document, ...changes }))
    await update(settings)
    assert.deepEqual(await shown(id), [true, true, false, false, false, undefined, undefined])
    assert.deepEqual(await domainsOf(id), ['news.example'])
    await update({ memorial: true, discoverable: false })
    assert.deepEqual(await shown(id), [false, false, true, true, true, true, undefined])
    assert.deepEqual(await domainsOf(id), [])
    await update({ suspended: true })
    assert.deepEqual((await shown(id)).at(-1), true)
    await update(settings)
    assert.deepEqual(await shown(id), [true, true, false, false, false, undefined, undefined])
  })

  test('IN29 cannot be changed by other servers, including its attribution domains', async () => {
    await deliver(bob, bob.activity('Update', { ...bob.document, ...settings }))
    const mallory = await peer.host('other.test').createActor('mallory', { keys: bob.keys })
    const evil = { ...bob.document, attributionDomains: ['evil.example'] }
    await deliver(
      mallory,
      mallory.activity('Update', evil),
      mallory.activity('Create', mallory.note({ attachment: [evil], attributionDomains: ['evil.example'] })),
    )
    assert.equal((await mallory.send({ ...bob.activity('Update', evil) })).status === 202, false)
    await testServer.waitForJobs()
    assert.deepEqual(await domainsOf(id), ['news.example'])
  })
})

suite('remote followers and following collections', () => {
  const memberUris = Array.from({ length: 3 }, (_, n) => `https://remote.test/users/${n}`)
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
  /** Creates a remote actor with such collections, followed by a local user. */
  async function createFollowed(name: string, serve: (path: string) => void): Promise<string> {
    const actor = await remote.createActor(name, { keys: bob.keys })
    for (const list of ['followers', 'following']) serve(`/users/${name}/${list}`)
    // The counts of its server are fetched before the local follower is added to them.
    await alice.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
    await testServer.waitForJobs()
    const id = await followEachOther(alice, actor)
    return id
  }
  const unlisted = (path: string): Activity => ({
    id: `https://remote.test${path}`,
    type: 'OrderedCollection',
    totalItems: 3,
  })

  test('with totals but no items are hidden, and still counted', async () => {
    const id = await createFollowed('shy', (path) => remote.serveAt(path, unlisted(path)))
    const { names, account } = await lists(id)
    assert.deepEqual(names, [[], []])
    assert.deepEqual([account.hide_collections, account.followers_count, account.following_count], [true, 4, 3])
  })

  test('with items, in pages or at once, show the accounts that are stored', async () => {
    for (const [name, serve] of [
      ['paged', (path: string) => void remote.serveCollection(path, memberUris, { pageSize: 2 })],
      ['whole', (path: string) => void remote.serveCollection(path, memberUris)],
      ['unordered', (path: string) => void remote.serveCollection(path, memberUris, { type: 'Collection' })],
    ] as const) {
      const id = await createFollowed(name, serve)
      const { names, account } = await lists(id)
      assert.deepEqual([names, account.hide_collections], [[['alice'], []], false], name)
    }
  })

  test('stay unchanged if their server does not serve them', async () => {
    const id = await createFollowed('silent', (path) => remote.withdraw(path))
    const { names, account } = await lists(id)
    assert.deepEqual([names, account.hide_collections], [[['alice'], []], null])
  })
})

test('changed profile settings are sent to remote followers', async () => {
  const ann = await testServer.createUser({ username: 'ann' })
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
  await makeJobsDue(testServer.ctx, 'deliverProfile')
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
  const { body } = await testServer.anonymous.send({ url: `${new URL(uriOf(ann)).pathname}/followers`, headers })
  assert.deepEqual(
    [body.id, body.totalItems, body.first],
    [`${origin}/ap/users/${ann.accountId}/followers`, 1, undefined],
  )
})
