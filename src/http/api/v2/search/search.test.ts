import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createUsers } from '../../../../../test/servers/create-users.ts'
import { suspend } from '../../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../../test/federation/fediverse.ts'
import { neverRespond } from '../../../../../test/federation/peer/behaviour.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test', 'slow.test'] })
const { testServer, peer, uriOf, origin } = fediverse
after(fediverse.close)

const { db } = testServer.ctx
const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const carol = await peer.host('other.test').createActor('carol', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
const dave = await testServer.createUser({ username: 'dave' })

async function search(q: string, params: Record<string, unknown> = {}, user = alice) {
  const { status, body } = await user.client.get('/api/v2/search', { q, ...params })
  assert.equal(status, 200)
  return {
    accounts: body.accounts.map(({ acct }: { acct: string }) => acct),
    statuses: body.statuses.map(({ uri }: { uri: string }) => uri),
    hashtags: body.hashtags.map(({ name }: { name: string }) => name),
  }
}
const noResults = { accounts: [], statuses: [], hashtags: [] }
const post = async (user: typeof alice, body: object) => (await user.client.post('/api/v1/statuses', body)).body

suite('a search', () => {
  test('needs a token with the scope', async () => {
    const writer = await testServer.createUser({ scopes: 'write' })
    assert.equal((await testServer.anonymous.get('/api/v2/search', { q: 'x' })).status, 401)
    assert.equal((await writer.client.get('/api/v2/search', { q: 'x' })).status, 403)
    assert.equal((await alice.client.get('/api/v2/search')).status, 400)
    for (const path of ['/api/v2/search?q=%20', '/api/v1/accounts/search?q=%20', '/api/v1/accounts/lookup?acct=%20'])
      assert.equal((await alice.client.get(path)).status, 400, path)
  })

  test('finds accounts and hashtags by prefix, limited to the requested type', async () => {
    for (const text of ['#Cats', '#catsofcourse', '#dogs']) await post(alice, { status: text })
    assert.deepEqual((await search('cats')).hashtags, ['Cats', 'catsofcourse'])
    assert.deepEqual((await search('#cats')).hashtags, ['Cats', 'catsofcourse'])
    assert.deepEqual((await search('CATS', { type: 'hashtags', limit: 1 })).hashtags, ['Cats'])
    assert.deepEqual((await search('cats', { type: 'hashtags', limit: 1, offset: 1 })).hashtags, ['catsofcourse'])
    assert.deepEqual(await search('cats', { type: 'accounts' }), noResults)
    assert.deepEqual(await search('@dave'), { ...noResults, accounts: ['dave'] })
    assert.deepEqual((await search('dave', { following: true })).accounts, [])
  })

  test('returns hashtags with a history of public uses of seven days', async () => {
    await post(alice, { status: '#counted' })
    await post(alice, { status: '#counted again' })
    await post(dave, { status: '#counted' })
    await post(dave, { status: '#counted', visibility: 'unlisted' })
    const { body } = await alice.client.get('/api/v2/search', { q: '#counted' })
    const [tag] = body.hashtags
    assert.deepEqual([tag.name, tag.url, tag.history.length], ['counted', `${origin}/tags/counted`, 7])
    assert.deepEqual([tag.history[0].uses, tag.history[0].accounts, tag.history[1].uses], ['3', '2', '0'])
    assert.equal(tag.history[0].day, String(Math.floor(Date.now() / 86_400_000) * 86_400))
  })

  test('returns 20 rows per type by default and at most 40, and pages of one type', async () => {
    const users = await createUsers(testServer.ctx, { prefix: 'twin', count: 45 })
    for (let n = 0; n < 45; n += 9) {
      await post(alice, { status: Array.from({ length: 9 }, (_, i) => `#twins${n + i}`).join(' ') })
    }
    const sizes = async (params: object) => {
      const { accounts, hashtags } = await search('twin', { ...params })
      return [accounts.length, hashtags.length]
    }
    assert.deepEqual(await sizes({}), [20, 20])
    assert.deepEqual(await sizes({ limit: 1e9 }), [40, 40])
    assert.deepEqual(await sizes({ limit: 40, offset: 40 }), [40, 40])
    for (const [type, found] of [
      ['accounts', [5, 0]],
      ['hashtags', [0, 5]],
      ['statuses', [0, 0]],
    ] as const) {
      assert.deepEqual(await sizes({ type, limit: 40, offset: 40 }), found)
    }
    const { body } = await alice.client.get('/api/v2/search', { q: 'twin', limit: 1 })
    assertEntity('Search', body)
    assert.equal(users.at(-1), body.accounts[0].id)
    assert.equal((await alice.client.get('/api/v2/search', { q: 'twin', type: 'everything' })).status, 422)
  })

  test('AC11 does not find hidden, suspended or moved accounts by name, handle or URL', async () => {
    const moved = await testServer.createUser({ username: 'ghost_moved' })
    const suspended = await testServer.createUser({ username: 'ghost_suspended' })
    await sql`update accounts set moved_to_account_id = ${dave.accountId} where id = ${moved.accountId}`.execute(db)
    await suspend(testServer.ctx, suspended)
    const unconfirmed = await testServer.createUser({ username: 'ghost_new', confirmed: false })
    const pending = await testServer.createUser({ username: 'ghost_pending', approved: false })
    assert.deepEqual(await search('ghost'), noResults)
    for (const { username } of [moved, suspended, unconfirmed, pending]) {
      assert.deepEqual(await search(`@${username}@linnet.test`, { resolve: true }), noResults)
    }
    for (const user of [unconfirmed, pending]) {
      assert.deepEqual(await search(uriOf(user), { resolve: true }), noResults)
      assert.deepEqual(await search(`${origin}/@${user.username}`, { resolve: true }), noResults)
      const { mentions, content } = await post(alice, { status: `hello @${user.username}` })
      assert.deepEqual([mentions, content], [[], `<p>hello @${user.username}</p>`])
    }
  })

  test('BI2 BI14 accepts every query that is not blank, and every limit', async () => {
    for (const q of [
      '%',
      '_',
      '\\',
      "'",
      '@',
      '#',
      ' . ',
      '@@a',
      'a@',
      '\u202e',
      'x'.repeat(5_000),
      'https://',
      'http://[',
    ]) {
      for (const resolve of [true, false]) await search(q, { resolve, limit: -1, offset: 1e9, type: 'accounts' })
      await search(q, { resolve: true, limit: 1e9, max_id: 'x', account_id: '-1' })
    }
    assert.deepEqual(await search('alice', { limit: 0 }), noResults)
    assert.deepEqual((await search('%')).hashtags, [])
  })
})

suite('a URL', () => {
  test('of an account or a status returns only that', async () => {
    const note = bob.note({ content: '<p>found</p>' })
    assert.deepEqual(await search(bob.id, { resolve: true }), { ...noResults, accounts: [bob.handle] })
    assert.deepEqual(await search(note['id'], { resolve: true }), { ...noResults, statuses: [note['id']] })
    assert.deepEqual(await search(note['id'], { resolve: true, type: 'accounts' }), noResults)
    assert.deepEqual(await search(note['id'], { resolve: true, type: 'statuses' }), {
      ...noResults,
      statuses: [note['id']],
    })
  })

  test('stores a remote status, which is searchable if its author is indexable', async () => {
    const note = bob.note({ content: '<p>un <em>Élan</em> findable</p>' })
    await search(note['id'], { resolve: true })
    await testServer.waitForJobs()
    assert.deepEqual((await search('elan')).statuses, [])
    for (const [indexable, found] of [
      [true, [note['id']]],
      [false, []],
    ] as const) {
      await bob.send(bob.activity('Update', { ...bob.document, indexable }))
      await testServer.waitForJobs()
      assert.deepEqual((await search('elan findable')).statuses, found)
    }
  })

  test('is fetched only with resolve', async () => {
    const requestsBefore = remote.requests.length
    const note = bob.note()
    assert.deepEqual(await search(note['id']), noResults)
    assert.deepEqual(await search('@nobody@remote.test'), noResults)
    assert.equal(remote.requests.length, requestsBefore)
  })

  test('of an HTML page returns the object of the page', async () => {
    const note = bob.note()
    remote.serveAt('/@bob/1', { ...note })
    assert.deepEqual((await search('https://remote.test/@bob/1', { resolve: true })).statuses, [note['id']])
    remote.serveAt('/@bob', { ...bob.document })
    assert.deepEqual((await search('https://remote.test/@bob', { resolve: true })).accounts, [bob.handle])
  })

  test('of this server is resolved without a request, in every form', async () => {
    const status = await post(dave, { status: 'local' })
    for (const url of [status.uri, status.url, `${origin}/users/dave/statuses/${status.id}`]) {
      assert.deepEqual((await search(url, { resolve: true })).statuses, [status.uri])
    }
    for (const url of [uriOf(dave), `${origin}/@dave`, `${origin}/@DAVE/`, `${origin}/users/dave`]) {
      assert.deepEqual((await search(url, { resolve: true })).accounts, ['dave'])
    }
    for (const url of [
      `${origin}/@nobody`,
      `${origin}/@dave/1`,
      `${origin}/about`,
      `${origin}/@dave/99999999999999999999`,
    ]) {
      assert.deepEqual(await search(url, { resolve: true }), noResults)
    }
  })

  test('VI3 of a hidden status returns nothing', async () => {
    for (const visibility of ['private', 'direct']) {
      const status = await post(dave, { status: 'hidden', visibility })
      assert.deepEqual(await search(status.uri, { resolve: true }), noResults)
      assert.deepEqual(await search(status.url, { resolve: true }), noResults)
      assert.deepEqual((await search(status.uri, { resolve: true }, dave)).statuses, [status.uri])
    }
    const hidden = bob.note({ to: [bob.followersUrl], cc: [] })
    assert.deepEqual(await search(hidden['id'], { resolve: true }), noResults)
    const { rows } = await sql`select from statuses where uri = ${hidden['id']}`.execute(db)
    assert.equal(rows.length, 0)
  })

  test('FE4 with a forbidden host, scheme or port returns nothing', async () => {
    for (const url of [
      'https://127.0.0.1/x',
      'https://localhost/x',
      'http://remote.test/x',
      'https://remote.test:22/x',
    ]) {
      assert.deepEqual(await search(url, { resolve: true }), noResults)
    }
  })
})

suite('a handle', () => {
  test('of an unknown remote account is resolved at its server once', async () => {
    assert.deepEqual(await search('@carol@other.test'), noResults)
    assert.deepEqual((await search('@carol@other.test', { resolve: true })).accounts, [carol.handle])
    const requestsBefore = peer.host('other.test').countRequests(/webfinger/)
    for (const q of ['carol@other.test', '@Carol@Other.Test']) {
      assert.deepEqual((await search(q, { resolve: true })).accounts, [carol.handle])
    }
    assert.equal(peer.host('other.test').countRequests(/webfinger/), requestsBefore)
    assert.deepEqual((await search('@nobody@other.test', { resolve: true })).accounts, [])
  })
})

suite('a post that mentions unknown remote accounts', () => {
  test('resolves and reaches them', async () => {
    const erin = await remote.createActor('erin', { keys: bob.keys })
    const status = await post(alice, { status: 'hello @erin@Remote.Test and @nobody@remote.test' })
    assert.deepEqual(
      status.mentions.map(({ acct }: { acct: string }) => acct),
      [erin.handle],
    )
    assert.match(status.content, /href="https:\/\/remote\.test\/@erin"/)
    const { activity } = await erin.inbox.next(({ type }) => type === 'Create')
    assert.equal(activity['object'].id, status.uri)
  })

  test('resolves them also when an edit adds the mention, or when a content warning is the text', async () => {
    const frank = await remote.createActor('frank', { keys: bob.keys })
    const gina = await remote.createActor('gina', { keys: bob.keys })
    const { id } = await post(alice, { status: 'hello' })
    const { body } = await alice.client.put(`/api/v1/statuses/${id}`, { status: 'hello @frank@remote.test' })
    const warning = await post(alice, { spoiler_text: 'hello @gina@remote.test' })
    for (const [status, actor] of [[body, frank] as const, [warning, gina] as const]) {
      assert.deepEqual(
        status.mentions.map(({ acct }: { acct: string }) => acct),
        [actor.handle],
      )
    }
  })

  test('resolves at most ten of them within five seconds', async () => {
    const requestsBefore = remote.countRequests(/webfinger/)
    const many = Array.from({ length: 25 }, (_, n) => `@unknown${n}@remote.test`).join(' ')
    assert.ok((await post(alice, { status: many.slice(0, 480) })).id)
    assert.equal(remote.countRequests(/webfinger/) - requestsBefore, 10)
    peer.host('slow.test').behave(/.*/, neverRespond)
    const startedAt = performance.now()
    assert.ok((await post(alice, { status: '@a@slow.test @b@slow.test @c@slow.test' })).id)
    assert.ok(performance.now() - startedAt < 7_000)
  })

  test('sends no request for a local-only post, its edit or an edit by another account', async () => {
    const otherUser = await testServer.createUser()
    const requestsBefore = remote.requests.length
    const { id } = await post(alice, { status: '@unknown@remote.test', local_only: true })
    const edit = (user: typeof alice, statusId: string) =>
      user.client.put(`/api/v1/statuses/${statusId}`, { status: '@nobody@remote.test' })
    assert.equal((await edit(alice, id)).status, 200)
    assert.equal((await edit(otherUser, (await post(alice, { status: 'hello' })).id)).status, 404)
    assert.equal((await edit(otherUser, 'none')).status, 404)
    assert.equal(remote.requests.length, requestsBefore)
  })
})
