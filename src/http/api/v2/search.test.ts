import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createCrowd } from '../../../../test/create-crowd.ts'
import { openFediverse } from '../../../../test/fediverse.ts'
import { hang } from '../../../../test/peer/behaviour.ts'
import { assertOnWire } from '../../../../test/wire.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test', 'slow.test'] })
const { world, peer, uriOf, origin } = fediverse
after(fediverse.close)

const { db } = world.ctx
const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const carol = await peer.host('other.test').createActor('carol', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })
const dave = await world.createPerson({ username: 'dave' })

async function search(q: string, more: Record<string, unknown> = {}, person = alice) {
  const { status, body } = await person.client.get('/api/v2/search', { q, ...more })
  assert.equal(status, 200)
  return {
    accounts: body.accounts.map(({ acct }: { acct: string }) => acct),
    statuses: body.statuses.map(({ uri }: { uri: string }) => uri),
    hashtags: body.hashtags.map(({ name }: { name: string }) => name),
  }
}
const nothing = { accounts: [], statuses: [], hashtags: [] }
const post = async (person: typeof alice, body: object) => (await person.client.post('/api/v1/statuses', body)).body

suite('a search', () => {
  test('is for people with a token for it', async () => {
    const writer = await world.createPerson({ scopes: 'write' })
    assert.equal((await world.anonymous.get('/api/v2/search', { q: 'x' })).status, 401)
    assert.equal((await writer.client.get('/api/v2/search', { q: 'x' })).status, 403)
    assert.equal((await alice.client.get('/api/v2/search')).status, 400)
  })

  test('finds accounts and hashtags by their beginnings, each kind as far as it is wanted', async () => {
    for (const text of ['#Cats', '#catsofcourse', '#dogs']) await post(alice, { status: text })
    assert.deepEqual((await search('cats')).hashtags, ['Cats', 'catsofcourse'])
    assert.deepEqual((await search('#cats')).hashtags, ['Cats', 'catsofcourse'])
    assert.deepEqual((await search('CATS', { type: 'hashtags', limit: 1 })).hashtags, ['Cats'])
    assert.deepEqual((await search('cats', { type: 'hashtags', limit: 1, offset: 1 })).hashtags, ['catsofcourse'])
    assert.deepEqual(await search('cats', { type: 'accounts' }), nothing)
    assert.deepEqual(await search('@dave'), { ...nothing, accounts: ['dave'] })
    assert.deepEqual((await search('dave', { following: true })).accounts, [])
  })

  test('tells how much a tag was used in public on each of seven days', async () => {
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

  test('gives twenty of each kind and at most forty, and pages of one kind', async () => {
    const crowd = await createCrowd(world.ctx, { prefix: 'twin', count: 45 })
    for (let n = 0; n < 45; n += 9) {
      await post(alice, { status: Array.from({ length: 9 }, (_, i) => `#twins${n + i}`).join(' ') })
    }
    const sizes = async (more: object) => {
      const { accounts, hashtags } = await search('twin', { ...more })
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
    assertOnWire('Search', body)
    assert.equal(crowd.at(-1), body.accounts[0].id)
    assert.equal((await alice.client.get('/api/v2/search', { q: 'twin', type: 'everything' })).status, 422)
  })

  test('AC11 finds nobody who is not confirmed or approved, suspended or gone elsewhere, by name, handle or address', async () => {
    const moved = await world.createPerson({ username: 'ghost_moved' })
    const suspended = await world.createPerson({ username: 'ghost_suspended' })
    await sql`update accounts set moved_to_account_id = ${dave.accountId} where id = ${moved.accountId}`.execute(db)
    await sql`update accounts set suspended_at = now() where id = ${suspended.accountId}`.execute(db)
    const unconfirmed = await world.createPerson({ username: 'ghost_new', confirmed: false })
    const pending = await world.createPerson({ username: 'ghost_pending', approved: false })
    assert.deepEqual(await search('ghost'), nothing)
    for (const person of [moved, suspended, unconfirmed, pending]) {
      assert.deepEqual(await search(`@${person.username}@linnet.test`, { resolve: true }), nothing)
    }
    for (const person of [unconfirmed, pending]) {
      assert.deepEqual(await search(uriOf(person), { resolve: true }), nothing)
      assert.deepEqual(await search(`${origin}/@${person.username}`, { resolve: true }), nothing)
      const { mentions, content } = await post(alice, { status: `hello @${person.username}` })
      assert.deepEqual([mentions, content], [[], `<p>hello @${person.username}</p>`])
    }
  })

  test('BI2 BI14 takes anything as a query, and no limit that is senseless', async () => {
    for (const q of [
      '%',
      '_',
      '\\',
      "'",
      '@',
      '#',
      ' ',
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
    assert.deepEqual(await search('alice', { limit: 0 }), nothing)
    assert.deepEqual((await search('%')).hashtags, [])
  })
})

suite('an address', () => {
  test('of somebody, or of what they wrote, gives that and nothing else', async () => {
    const note = bob.note({ content: '<p>found</p>' })
    assert.deepEqual(await search(bob.id, { resolve: true }), { ...nothing, accounts: [bob.handle] })
    assert.deepEqual(await search(note['id'], { resolve: true }), { ...nothing, statuses: [note['id']] })
    assert.deepEqual(await search(note['id'], { resolve: true, type: 'accounts' }), nothing)
    assert.deepEqual(await search(note['id'], { resolve: true, type: 'statuses' }), {
      ...nothing,
      statuses: [note['id']],
    })
  })

  test('makes a post known that is found by its words, if its author lets everybody search', async () => {
    const note = bob.note({ content: '<p>un <em>Élan</em> findable</p>' })
    await search(note['id'], { resolve: true })
    await world.settle()
    assert.deepEqual((await search('elan')).statuses, [])
    for (const [indexable, found] of [
      [true, [note['id']]],
      [false, []],
    ] as const) {
      await bob.send(bob.activity('Update', { ...bob.document, indexable }))
      await world.settle()
      assert.deepEqual((await search('elan findable')).statuses, found)
    }
  })

  test('is asked for only if that is wanted', async () => {
    const asked = remote.requests.length
    const note = bob.note()
    assert.deepEqual(await search(note['id']), nothing)
    assert.deepEqual(await search('@nobody@remote.test'), nothing)
    assert.equal(remote.requests.length, asked)
  })

  test('of a page leads to what the page shows', async () => {
    const note = bob.note()
    remote.serveAt('/@bob/1', { ...note })
    assert.deepEqual((await search('https://remote.test/@bob/1', { resolve: true })).statuses, [note['id']])
    remote.serveAt('/@bob', { ...bob.document })
    assert.deepEqual((await search('https://remote.test/@bob', { resolve: true })).accounts, [bob.handle])
  })

  test('of here is not asked for, in each of its forms', async () => {
    const status = await post(dave, { status: 'here' })
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
      assert.deepEqual(await search(url, { resolve: true }), nothing)
    }
  })

  test('VI3 of what the person may not see gives nothing', async () => {
    for (const visibility of ['private', 'direct']) {
      const status = await post(dave, { status: 'hidden', visibility })
      assert.deepEqual(await search(status.uri, { resolve: true }), nothing)
      assert.deepEqual(await search(status.url, { resolve: true }), nothing)
      assert.deepEqual((await search(status.uri, { resolve: true }, dave)).statuses, [status.uri])
    }
    const hidden = bob.note({ to: [bob.followersUrl], cc: [] })
    assert.deepEqual(await search(hidden['id'], { resolve: true }), nothing)
    const { rows } = await sql`select from statuses where uri = ${hidden['id']}`.execute(db)
    assert.equal(rows.length, 0)
  })

  test('FE4 that leads where nothing may be asked gives nothing', async () => {
    for (const url of [
      'https://127.0.0.1/x',
      'https://localhost/x',
      'http://remote.test/x',
      'https://remote.test:22/x',
    ]) {
      assert.deepEqual(await search(url, { resolve: true }), nothing)
    }
  })
})

suite('a handle', () => {
  test('of another server is asked for there, when nobody here is known by it', async () => {
    assert.deepEqual(await search('@carol@other.test'), nothing)
    assert.deepEqual((await search('@carol@other.test', { resolve: true })).accounts, [carol.handle])
    const asked = peer.host('other.test').countRequests(/webfinger/)
    for (const q of ['carol@other.test', '@Carol@Other.Test']) {
      assert.deepEqual((await search(q, { resolve: true })).accounts, [carol.handle])
    }
    assert.equal(peer.host('other.test').countRequests(/webfinger/), asked)
    assert.deepEqual((await search('@nobody@other.test', { resolve: true })).accounts, [])
  })
})

suite('a post that mentions strangers', () => {
  test('is for them', async () => {
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

  test('also when they are mentioned only after an edit', async () => {
    const frank = await remote.createActor('frank', { keys: bob.keys })
    const { id } = await post(alice, { status: 'hello' })
    const { body } = await alice.client.put(`/api/v1/statuses/${id}`, { status: 'hello @frank@remote.test' })
    assert.deepEqual(
      body.mentions.map(({ acct }: { acct: string }) => acct),
      [frank.handle],
    )
  })

  test('asks for ten of them, and waits for nobody longer than five seconds', async () => {
    const asked = remote.countRequests(/webfinger/)
    const many = Array.from({ length: 25 }, (_one, n) => `@stranger${n}@remote.test`).join(' ')
    assert.ok((await post(alice, { status: many.slice(0, 480) })).id)
    assert.equal(remote.countRequests(/webfinger/) - asked, 10)
    peer.host('slow.test').behave(/.*/, hang)
    const began = performance.now()
    assert.ok((await post(alice, { status: '@a@slow.test @b@slow.test @c@slow.test' })).id)
    assert.ok(performance.now() - began < 7_000)
  })

  test('asks nobody when it is only for here, nor when it is edited, nor for an edit of what others wrote', async () => {
    const stranger = await world.createPerson()
    const asked = remote.requests.length
    const { id } = await post(alice, { status: '@somebody@remote.test', local_only: true })
    const edit = (person: typeof alice, of: string) =>
      person.client.put(`/api/v1/statuses/${of}`, { status: '@nobody@remote.test' })
    assert.equal((await edit(alice, id)).status, 200)
    assert.equal((await edit(stranger, (await post(alice, { status: 'hello' })).id)).status, 404)
    assert.equal((await edit(stranger, 'none')).status, 404)
    assert.equal(remote.requests.length, asked)
  })
})
