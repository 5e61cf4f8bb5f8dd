import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { PUBLIC } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { testServer, peer, uriOf, origin, deliver, followEachOther, findStatus, getStatus, show, notificationsOf } =
  fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')
const alice = await testServer.createUser({ username: 'Alice' })
await followEachOther(alice, bob)

const create = (note: Activity) => bob.activity('Create', note, { to: note['to'], cc: note['cc'] })
const mentioned = async (note: Activity) => (await show(alice, note['id'])).mentions.map(({ id }) => id)

suite('a note with the URL of a local profile page', () => {
  const pages = [`${origin}/@Alice`, `${origin}/@alice/`, `${origin}/users/alice`]
  const mention = (href: string) => ({ type: 'Mention', href, name: '@Alice' })

  test('as a mention notifies the account if it is addressed', async () => {
    for (const page of pages) {
      const before = await notificationsOf(alice)
      const note = bob.note({ to: [PUBLIC, uriOf(alice)], tag: mention(page) })
      await deliver(bob, create(note))
      assert.deepEqual(await notificationsOf(alice), ['mention', ...before])
      assert.deepEqual(await mentioned(note), [alice.accountId])
    }
  })

  test('as a mention or a recipient is a direct post to the account', async () => {
    for (const page of pages) {
      const before = await notificationsOf(alice)
      for (const addressed of [
        { to: [], cc: [uriOf(alice)] },
        { to: [page], cc: [] },
      ]) {
        const note = bob.note({ ...addressed, tag: mention(page) })
        await deliver(bob, create(note))
        assert.equal((await getStatus(note['id'])).visibility, 'direct')
        assert.deepEqual(await mentioned(note), [alice.accountId])
      }
      assert.deepEqual(await notificationsOf(alice), ['mention', 'mention', ...before])
    }
  })

  test('keeps the mention when it is edited', async () => {
    const note = bob.note({ to: [PUBLIC, uriOf(alice)], tag: mention(pages[0]!) })
    await deliver(bob, create(note))
    const edited = { ...note, content: '<p>Edited</p>', updated: new Date(Date.now() + 1_000).toISOString() }
    await deliver(bob, bob.activity('Update', edited))
    assert.match((await show(alice, note['id'])).content, /Edited/)
    assert.deepEqual(await mentioned(note), [alice.accountId])
  })

  test('is not addressed to anybody by the URLs of other pages', async () => {
    for (const page of [
      `${origin}/@alice/1`,
      `${origin}/@nobody`,
      `${origin}.example/@alice`,
      `https://remote.test/@alice`,
    ]) {
      const note = bob.note({ to: [page], cc: [], tag: mention(page) })
      await deliver(bob, create(note))
      assert.equal(await findStatus(note['id']), undefined)
    }
  })
})

test('a reply to the URL of the page of a local post belongs to its thread, if its author can see the post', async () => {
  const postAs = async (visibility: string) =>
    (await alice.client.post('/api/v1/statuses', { status: 'A post', visibility })).body
  const [post, hidden] = [await postAs('public'), await postAs('private')]
  const mallory = await peer.host('remote.test').createActor('mallory', { keys: bob.keys })
  for (const page of [`${origin}/@Alice/${post.id}`, `${origin}/users/alice/statuses/${post.id}`]) {
    const reply = mallory.note({ inReplyTo: page })
    await deliver(mallory, mallory.activity('Create', reply))
    assert.equal((await show(alice, reply['id'])).in_reply_to_id, post.id)
  }
  const reply = mallory.note({ inReplyTo: `${origin}/@Alice/${hidden.id}`, to: [PUBLIC, uriOf(alice)] })
  await deliver(mallory, mallory.activity('Create', reply))
  assert.equal((await show(alice, reply['id'])).in_reply_to_id, null)
})

test('a reply to the id of a local post in another spelling, or with a fragment, belongs to its thread', async () => {
  const post = (await alice.client.post('/api/v1/statuses', { status: 'A post' })).body
  const { host, pathname } = new URL(`${uriOf(alice)}/statuses/${post.id}`)
  for (const inReplyTo of [
    `https://${host.toUpperCase()}${pathname}`,
    `https://${host}:443${pathname}/`,
    `${origin}${pathname}#reply`,
    `${origin}/@Alice/${post.id}#reply`,
  ]) {
    const reply = bob.note({ inReplyTo })
    await deliver(bob, create(reply))
    assert.equal((await show(alice, reply['id'])).in_reply_to_id, post.id, inReplyTo)
  }
})

test('a boost, a favourite, a quote, and their Undo by the URL of the page of a local post have their effect', async () => {
  const author = await testServer.createUser({ username: 'author' })
  const post = (await author.client.post('/api/v1/statuses', { status: 'A post' })).body
  const carol = await peer.host('remote.test').createActor('carol', { keys: bob.keys })
  const page = `${origin}/@author/${post.id}`
  const counts = async () => {
    const { favourites_count: favourites, reblogs_count: reblogs, quotes_count: quotes } = await show(author, post.uri)
    return { favourites, reblogs, quotes }
  }
  const quoting = carol.note({ quote: page })
  const request = carol.activity('QuoteRequest', page, { instrument: quoting })
  const [like, announce] = [carol.activity('Like', page), carol.activity('Announce', page, { to: [PUBLIC] })]
  await deliver(carol, like, announce, request)
  assert.deepEqual(await counts(), { favourites: 1, reblogs: 1, quotes: 1 })
  const { activity: accept } = await carol.inbox.next(({ type }) => type === 'Accept')
  assert.equal(accept['object'].id, request['id'])
  // Undos with ids of their own name the activity by its object.
  for (const undone of [like, announce])
    await deliver(carol, carol.activity('Undo', { ...undone, id: `${String(undone['id'])}/again` }))
  assert.deepEqual(await counts(), { favourites: 0, reblogs: 0, quotes: 1 })
})
