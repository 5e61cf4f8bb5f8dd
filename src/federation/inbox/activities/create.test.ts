import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const fediverse = await openFediverse({ env: { DB_POOL: '10' }, hosts: ['remote.test', 'other.test'] })
const { testServer, peer, uriOf, countRows, deliver, followEachOther, findStatus, getStatus, show, notificationsOf } =
  fediverse
after(fediverse.close)

const { db } = testServer.ctx
const remote = peer.host('remote.test')
const other = peer.host('other.test')
const bob = await remote.createActor('bob')
const mallory = await other.createActor('mallory', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
await followEachOther(alice, bob)

const create = (note: Activity, actor = bob) => actor.activity('Create', note, { to: note['to'], cc: note['cc'] })
const mention = (user: TestUser) => ({ type: 'Mention', href: uriOf(user), name: `@${user.username}` })
const home = async (user = alice) =>
  (await user.client.get('/api/v1/timelines/home')).body.map((one: { uri: string }) => one.uri)

suite('relevance of a note:', () => {
  test('a note by an account without local followers, to no local account, is not stored', async () => {
    const before = await countRows()
    const requestsBefore = other.requests.length
    await deliver(mallory, create(mallory.note(), mallory))
    const after = await countRows()
    assert.deepEqual({ ...after, received_activities: 0 }, { ...before, received_activities: 0 })
    // Only its key is fetched.
    assert.equal(other.requests.length, requestsBefore + 1)
  })

  test('a note to a local account, or in reply to a local or followed account, is stored', async () => {
    const localStatus = (await alice.client.post('/api/v1/statuses', { status: 'hello' })).body
    const followedStatus = bob.note()
    await deliver(bob, create(followedStatus))
    for (const fields of [
      { cc: [uriOf(alice)] },
      { inReplyTo: localStatus.uri },
      { inReplyTo: followedStatus['id'] },
    ]) {
      const note = mallory.note(fields)
      await deliver(mallory, create(note, mallory))
      assert.ok(await findStatus(note['id']))
    }
  })

  test('a private note is stored only for local followers, a direct note only for local recipients', async () => {
    const localStatus = (await alice.client.post('/api/v1/statuses', { status: 'hello' })).body
    const toFollowers = mallory.note({ to: [mallory.followersUrl], cc: [], inReplyTo: localStatus.uri })
    const toMallory = bob.note({ to: [mallory.id], cc: [], inReplyTo: localStatus.uri })
    const toAlice = mallory.note({ to: [uriOf(alice)], cc: [] })
    await deliver(mallory, create(toFollowers, mallory), create(toAlice, mallory))
    await deliver(bob, create(toMallory))
    assert.deepEqual([await findStatus(toFollowers['id']), await findStatus(toMallory['id'])], [undefined, undefined])
    assert.equal((await getStatus(toAlice['id'])).visibility, 'direct')
  })
})

suite('a delivered note', () => {
  test('is shown sanitised, with its tags and attachments', async () => {
    const note = bob.note({
      content: '<p>Hi <script>x</script><b onclick="x">all</b></p>',
      summary: 'A warning',
      contentMap: { de: '<p>Hi <script>x</script><b onclick="x">all</b></p>' },
      tag: [
        { type: 'Hashtag', name: '#Cats', href: 'https://remote.test/tags/cats' },
        {
          type: 'Emoji',
          id: 'https://remote.test/e/1',
          name: ':blob:',
          icon: { type: 'Image', url: 'https://remote.test/e.png' },
        },
        mention(alice),
      ],
      cc: [uriOf(alice), bob.followersUrl],
      attachment: [
        {
          type: 'Document',
          mediaType: 'image/png',
          url: 'https://remote.test/1.png',
          name: 'A cat',
          width: 4,
          height: 3,
        },
      ],
    })
    await deliver(bob, create(note))
    const status = await show(alice, note['id'])
    assert.equal(status.spoiler_text, 'A warning')
    assert.match(status.content, /<b>all<\/b>/)
    assert.doesNotMatch(status.content, /script|onclick/)
    assert.deepEqual([status.language, status.visibility, status.uri], ['de', 'public', note['id']])
    assert.deepEqual(
      status.tags.map(({ name }: { name: string }) => name.toLowerCase()),
      ['cats'],
    )
    assert.deepEqual(
      status.mentions.map(({ acct }: { acct: string }) => acct),
      ['alice'],
    )
    assert.deepEqual([status.media_attachments[0]!.description, status.account.acct], ['A cat', bob.handle])
    assert.ok((await home()).includes(note['id']))
    assert.ok((await notificationsOf(alice)).includes('mention'))
  })

  test('can be public, unlisted, followers-only or direct', async () => {
    const audiences: [object, string][] = [
      [{ to: 'as:Public', cc: [] }, 'public'],
      [{ to: [bob.followersUrl], cc: ['Public'] }, 'unlisted'],
      [{ to: bob.followersUrl, cc: [uriOf(alice)] }, 'private'],
      [{ to: { id: uriOf(alice) }, cc: bob.followersUrl }, 'direct'],
    ]
    for (const [fields, visibility] of audiences) {
      const note = bob.note(fields as Record<string, unknown>)
      await deliver(bob, create(note))
      assert.equal((await getStatus(note['id'])).visibility, visibility)
    }
  })

  test('IN27 is not visible to hidden recipients, nor to others because of the shared inbox', async () => {
    const carol = await testServer.createUser()
    const note = bob.note({ to: [uriOf(alice)], cc: [], bto: [uriOf(carol)], bcc: [uriOf(carol)] })
    await deliver(bob, { ...create(note), bto: [uriOf(carol)] })
    assert.equal((await show(alice, note['id'])).visibility, 'private')
    const { id } = await getStatus(note['id'])
    assert.equal((await carol.client.get(`/api/v1/statuses/${id}`)).status, 404)
    assert.deepEqual(await notificationsOf(carol), [])
  })

  test('is visible to the account in whose personal inbox it arrives, without a notification', async () => {
    const carol = await testServer.createUser()
    const note = bob.note({ to: [uriOf(alice)], cc: [] })
    await bob.send(create(note), { to: `${uriOf(carol)}/inbox` })
    await testServer.waitForJobs()
    assert.equal((await show(carol, note['id'])).uri, note['id'])
    assert.deepEqual(await notificationsOf(carol), [])
  })

  test('is visible to each account in whose personal inbox it arrives, also after it is stored', async () => {
    const [carol, dave] = [await testServer.createUser(), await testServer.createUser()]
    const statusOf = async (user: TestUser, { id }: { id: string }) =>
      (await user.client.get(`/api/v1/statuses/${id}`)).status
    for (const [first, to] of [[`${uriOf(alice)}/inbox`, []] as const, [undefined, [bob.followersUrl]] as const]) {
      const note = bob.note({ to, cc: [] })
      const activity = create(note)
      await bob.send(activity, first === undefined ? {} : { to: first })
      await testServer.waitForJobs()
      const stored = await getStatus(note['id'])
      assert.equal(await statusOf(carol, stored), 404)
      for (const inbox of [`${uriOf(carol)}/inbox`, `${uriOf(carol)}/inbox`, `${fediverse.origin}/inbox`])
        await bob.send(activity, { to: inbox })
      await testServer.waitForJobs()
      assert.deepEqual([await statusOf(alice, stored), await statusOf(carol, stored)], [200, 200])
      assert.equal(await statusOf(dave, stored), 404)
      await bob.send(create({ ...note, to: [uriOf(alice)] }), { to: `${uriOf(dave)}/inbox` })
      await testServer.waitForJobs()
      assert.equal(await statusOf(dave, stored), 200)
    }
    assert.deepEqual([...(await notificationsOf(carol)), ...(await notificationsOf(dave))], [])
  })

  test('by another author is not made visible by a delivery to a personal inbox', async () => {
    const carol = await testServer.createUser()
    const note = bob.note({ to: [bob.followersUrl], cc: [] })
    await deliver(bob, create(note))
    const { id } = await getStatus(note['id'])
    const mate = await remote.createActor('mate', { keys: bob.keys })
    for (let n = 0; n < 2; n += 1)
      await mate.send({ ...create(note, mate), id: `${mate.id}/a` }, { to: `${uriOf(carol)}/inbox` })
    await testServer.waitForJobs()
    assert.equal((await carol.client.get(`/api/v1/statuses/${id}`)).status, 404)
  })

  test('VI4 does not mention accounts that it does not address', async () => {
    const carol = await testServer.createUser()
    const note = bob.note({ tag: [mention(carol)] })
    await deliver(bob, create(note))
    assert.deepEqual((await show(alice, note['id'])).mentions, [])
    assert.deepEqual(await notificationsOf(carol), [])
  })

  test('FP5 is stored once if it is delivered twice, or by two activities', async () => {
    const note = bob.note()
    await deliver(bob, create(note), create(note), create({ ...note, content: 'changed' }))
    assert.match((await show(alice, note['id'])).content, /A note/)
  })

  test('IN21 is truncated to the limits', async () => {
    const many = <T>(one: (n: number) => T) => Array.from({ length: 2_000 }, (_one, n) => one(n))
    const note = bob.note({
      content: `<p>${'x'.repeat(300_000)}</p>`,
      tag: many((n) => ({ type: 'Hashtag', name: `#t${n}` })),
      attachment: many((n) => ({ type: 'Document', mediaType: 'image/png', url: `https://remote.test/${n}.png` })),
    })
    await deliver(bob, create(note))
    const status = await show(alice, note['id'])
    assert.ok(status.content.length <= 262_144)
    assert.equal(status.media_attachments.length, 4)
    assert.ok(status.tags.length <= 250)
    const question = bob.note({ type: 'Question', oneOf: many((n) => ({ type: 'Note', name: `o${n}` })) })
    await deliver(bob, create(question))
    const { rows } = await sql<{ n: number }>`
      select cardinality(options) as n from polls where status_id = ${(await getStatus(question['id'])).id}`.execute(db)
    assert.ok(rows[0]!.n <= 500)
  })

  test('IN23 can have invalid dates, and lists of types', async () => {
    const dates = ['9999-12-31T23:59:59Z', '99999-01-01T00:00:00Z', 'soon', '2026-02-30T00:00:00Z', '0000-00-00', 7]
    for (const published of dates) {
      const note = bob.note({
        published,
        type: ['Note', 'http://schema.org/Comment'],
        url: [{ type: 'Link', href: 'https://remote.test/p', mediaType: 'text/html' }],
      })
      await deliver(bob, create(note))
      const row = await getStatus(note['id'])
      assert.ok(row.created_at.getTime() <= Date.now() + 1000, String(published))
      assert.ok(BigInt(row.id) >> 16n <= BigInt(Date.now() + 1000))
      assert.equal(row.url, 'https://remote.test/p')
    }
  })

  test('IN23 can have extreme dates in polls and emojis', async () => {
    for (const date of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00']) {
      const shortcode = `blob${date.slice(0, 4)}`
      const icon = { type: 'Image', url: `https://remote.test/${shortcode}.png` }
      const note = bob.note({
        type: 'Question',
        content: `:${shortcode}:`,
        oneOf: [{ name: 'tea' }, { name: 'coffee' }],
        endTime: date,
        tag: { type: 'Emoji', name: `:${shortcode}:`, updated: date, icon },
      })
      await deliver(bob, create(note))
      const { poll, emojis } = await show(alice, note['id'])
      assert.equal(poll?.expired, date < '2026', date)
      assert.deepEqual(
        emojis.map((one) => one.shortcode),
        [shortcode],
      )
    }
  })

  test('IN21 can have URIs that are too long in bytes for an index', async () => {
    const long = Array.from({ length: 1_900 }, () => String.fromCodePoint(randomInt(0x4e00, 0x9f00))).join('')
    const reply = bob.note({ inReplyTo: `https://remote.test/${long}`, conversation: `tag:remote.test,2026:${long}` })
    const quoting = bob.note({ quote: `https://remote.test/${long}` })
    const unnamed = { ...bob.note(), id: `https://remote.test/${long}` }
    await deliver(bob, create(reply), create(quoting), create(unnamed))
    await deliver(bob, { ...create(bob.note()), id: `https://remote.test/${long}` })
    assert.equal((await show(alice, reply['id'])).in_reply_to_id, null)
    assert.equal((await show(alice, quoting['id'])).quote, null)
    assert.equal(await findStatus(unnamed['id']), undefined)
  })

  test('IN26 loses URLs with unsafe schemes', async () => {
    const note = bob.note({
      url: 'javascript:alert(1)',
      content: '<a href="javascript:alert(1)">x</a><a href="data:text/html,x">y</a>',
      attachment: [{ type: 'Document', mediaType: 'image/png', url: 'data:image/png,x' }],
      tag: [{ type: 'Emoji', name: ':x:', icon: { url: 'javascript:x' } }],
    })
    await deliver(bob, create(note))
    const status = await show(alice, note['id'])
    assert.equal(status.url, note['id'])
    assert.doesNotMatch(JSON.stringify(status), /javascript:|data:/)
  })

  test('can be a picture with a name and without text, in reply to a status or a poll', async () => {
    const picture = { type: 'Document', mediaType: 'image/png', url: 'https://remote.test/1.png' }
    const options = ['tea', 'coffee']
    for (const poll of [undefined, { options, expires_in: 3_600 }]) {
      const { uri } = (await alice.client.post('/api/v1/statuses', { status: 'drinks', poll })).body
      const note = bob.note({ name: 'my cup', content: undefined, inReplyTo: uri, attachment: [picture] })
      await deliver(bob, { ...create(note), type: ['https://remote.test/ns#Publish', 'Create'] })
      assert.equal((await show(alice, note['id'])).media_attachments.length, 1)
      const updated = new Date(Date.now() + 1_000).toISOString()
      await deliver(bob, bob.activity('Update', { ...note, summary: 'cups', updated }))
      assert.equal((await show(alice, note['id'])).spoiler_text, 'cups')
    }
  })

  test('IN28 is no status if it is a vote', async () => {
    const localStatus = (await alice.client.post('/api/v1/statuses', { status: 'tea?' })).body
    const vote = bob.note({ name: 'tea', content: undefined, inReplyTo: localStatus.uri, to: [uriOf(alice)], cc: [] })
    await deliver(bob, create(vote), create(vote))
    assert.equal(await findStatus(vote['id']), undefined)
    assert.deepEqual(
      (await notificationsOf(alice)).filter((type) => type === 'poll'),
      [],
    )
  })
})
