import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { respondWith } from '../../../../test/federation/peer/behaviour.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import type { Fetcher } from '../../../platform/fetch/fetcher.ts'
import { PostponedError } from '../../../platform/jobs/postponed-error.ts'
import { fetchListedReplies } from '../../remote/statuses/fetch-thread.ts'
import { processActivity } from '../receive/process-activity.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, uriOf, deliver, followEachOther, findStatus, getStatus, show } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const other = peer.host('other.test')
const bob = await remote.createActor('bob')
const mallory = await other.createActor('mallory', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
await followEachOther(alice, bob)

const create = (note: Activity, actor = bob) => actor.activity('Create', note, { to: note['to'], cc: note['cc'] })

suite('threads', () => {
  const chain = (length: number) => {
    const notes = Array.from({ length }, () => mallory.note())
    notes.forEach((note, n) => {
      if (n > 0) note['inReplyTo'] = notes[n - 1]!['id']
    })
    return notes
  }

  test('are fetched upwards and shown completely', async () => {
    const notes = chain(5)
    const reply = bob.note({ inReplyTo: notes.at(-1)!['id'] })
    await deliver(bob, create(reply))
    const { id } = await getStatus(reply['id'])
    const { body } = await alice.client.get(`/api/v1/statuses/${id}/context`)
    assert.deepEqual(
      body.ancestors.map(({ uri }: { uri: string }) => uri),
      notes.map((note) => note['id']),
    )
  })

  test('are joined by replies that name their parent by the URL of its page', async () => {
    const url = 'https://other.test/@mallory/77'
    const note = mallory.note({ url })
    other.serveAt('/@mallory/77', note)
    const first = bob.note({ inReplyTo: url })
    await deliver(bob, create(first))
    const parent = await show(alice, note['id'])
    const second = bob.note({ inReplyTo: [url] })
    await deliver(bob, create(second))
    for (const reply of [first, second]) {
      const { in_reply_to_id, in_reply_to_account_id } = await show(alice, reply['id'])
      assert.deepEqual([in_reply_to_id, in_reply_to_account_id], [parent.id, parent.account.id])
    }
    assert.equal((await show(alice, note['id'])).replies_count, 2)
  })

  test('are joined by replies that a status lists and that name the URL of its page', async () => {
    const page = 'https://remote.test/@bob/5'
    const foreignPage = 'https://other.test/@mallory/5'
    const [listed, impostor] = [bob.note({ inReplyTo: page }), bob.note({ inReplyTo: foreignPage })]
    const noteWithUrl = (url: string) => {
      const replies = { type: 'Collection', items: [listed['id'], impostor['id']] }
      return bob.note({ url, replies })
    }
    const [parent, other] = [noteWithUrl(page), noteWithUrl(foreignPage)]
    await deliver(bob, create(parent), create(other))
    assert.equal((await show(alice, listed['id'])).in_reply_to_id, (await getStatus(parent['id'])).id)
    assert.equal(await findStatus(impostor['id']), undefined)
  })

  test('are fetched downwards for up to five embedded replies on the host of a delivered note', async () => {
    const note = bob.note()
    const inReplyTo = note['id']
    const foreign = mallory.note({ inReplyTo })
    const unrelated = bob.note()
    const replies = Array.from({ length: 5 }, () => bob.note({ inReplyTo }))
    // The replies to a reply are not fetched.
    const below = bob.note({ inReplyTo: replies[0]!['id'] })
    const listOf = (id: unknown, items: readonly Activity[]) => ({
      id: `${String(id)}/replies`,
      type: 'Collection',
      first: { type: 'CollectionPage', items: items.map((item) => item['id']) },
    })
    replies[0]!['replies'] = listOf(replies[0]!['id'], [below])
    await deliver(bob, create({ ...note, replies: listOf(inReplyTo, [foreign, unrelated, ...replies]) }))
    assert.equal((await show(alice, replies[0]!['id'])).in_reply_to_id, (await getStatus(inReplyTo)).id)
    const found = await Promise.all([foreign, unrelated, ...replies, below].map(async ({ id }) => findStatus(id)))
    assert.deepEqual(
      found.map((status) => status !== undefined),
      [false, false, true, true, true, true, false, false],
    )
  })

  test('are not fetched downwards if the note was deleted meanwhile', async () => {
    const note = bob.note()
    const reply = bob.note({ inReplyTo: note['id'] })
    const listed = { statusUri: String(note['id']), replyUris: [String(reply['id'])] }
    await fetchListedReplies(testServer.ctx, listed)
    assert.equal(await findStatus(reply['id']), undefined)
    await deliver(bob, create(note))
    await fetchListedReplies(testServer.ctx, listed)
    assert.ok(await findStatus(reply['id']))
  })

  test('IN22 that are endless are fetched up to a limit, circles once', async () => {
    const requestCount = () => other.countRequests(/\/statuses\//)
    const notes = chain(200)
    let before = requestCount()
    const reply = bob.note({ inReplyTo: notes.at(-1)!['id'] })
    await deliver(bob, create(reply))
    assert.ok(await findStatus(reply['id']))
    assert.ok(requestCount() - before <= 60, `${requestCount() - before} requests`)
    const circle = chain(3)
    circle[0]!['inReplyTo'] = circle[2]!['id']
    before = requestCount()
    await deliver(bob, create(bob.note({ inReplyTo: circle[1]!['id'] })))
    assert.equal(requestCount() - before, 3)
    const replyToItself = bob.note()
    replyToItself['inReplyTo'] = replyToItself['id']
    await deliver(bob, create(replyToItself))
    assert.ok(await findStatus(replyToItself['id']))
  })

  test('IN22 with many unknown mentioned accounts cause a limited number of fetches', async () => {
    const tag = Array.from({ length: 100 }, (_one, n) => ({ type: 'Mention', href: `${other.origin}/users/s${n}` }))
    const before = other.requests.length
    await deliver(bob, create(bob.note({ tag, cc: tag.map(({ href }) => href) })))
    assert.ok(other.requests.length - before <= 10)
  })

  test('with an unavailable ancestor start below it, and are linked when it arrives', async () => {
    const [top] = chain(1)
    other.behave(new URL(top!['id']).pathname, respondWith(500), { times: 1 })
    const note = bob.note({ inReplyTo: top!['id'] })
    await deliver(bob, create(note))
    assert.equal((await show(alice, note['id'])).in_reply_to_id, null)
    await deliver(mallory, create({ ...top!, cc: [uriOf(alice)] }, mallory))
    assert.equal((await show(alice, note['id'])).in_reply_to_id, (await getStatus(top!['id'])).id)
  })

  test('are completed by a later run if a run is postponed', async () => {
    const { ctx } = testServer
    const notes = chain(4)
    const reply = bob.note({ inReplyTo: notes.at(-1)!['id'] })
    const { rows } = await sql<{ id: string }>`
      insert into received_activities (actor_uri, activity_id, body, received_at)
      values (${bob.id}, 'postponed', ${JSON.stringify(create(reply))}::jsonb, now()) returning id`.execute(ctx.db)
    const activityId = rows[0]!.id
    const fetcher: Fetcher = {
      ...ctx.fetcher,
      request: async (input) => {
        if (input.url === notes[1]!['id']) throw new PostponedError('no slot', { delayMs: 1_000 })
        return ctx.fetcher.request(input)
      },
    }
    await assert.rejects(processActivity({ ...ctx, fetcher }, { activityId }), PostponedError)
    assert.ok(await findStatus(reply['id']), 'the reply itself does not wait')
    assert.equal(await findStatus(notes[1]!['id']), undefined)
    await processActivity(ctx, { activityId })
    const { id } = await getStatus(reply['id'])
    const { body } = await alice.client.get(`/api/v1/statuses/${id}/context`)
    assert.deepEqual(
      body.ancestors.map(({ uri }: { uri: string }) => uri),
      notes.map((note) => note['id']),
    )
  })
})
