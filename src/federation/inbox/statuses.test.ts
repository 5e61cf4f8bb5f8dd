import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import { PUBLIC } from '../../../test/peer/actor.ts'
import { answer } from '../../../test/peer/behaviour.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import type { Person } from '../../../test/world.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test', 'blocked.test'] })
const { world, peer, uriOf, countRows } = fediverse
after(fediverse.close)

const { db } = world.ctx
const remote = peer.host('remote.test')
const other = peer.host('other.test')
const bob = await remote.createActor('bob')
const neighbour = await remote.createActor('neighbour', { keys: bob.keys })
const mallory = await other.createActor('mallory', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })
await sql`insert into domain_blocks (domain, severity) values ('blocked.test', 'suspend')`.execute(db)

async function deliver(actor: PeerActor, ...activities: Activity[]): Promise<void> {
  for (const activity of activities) {
    assert.equal((await actor.send(activity)).status, 202)
    await world.settle()
  }
}

/** Makes somebody here follow somebody elsewhere. */
async function befriend(person: Person, actor: PeerActor): Promise<string> {
  const { body } = await person.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
  await person.client.post(`/api/v1/accounts/${body[0].id}/follow`)
  const { activity } = await actor.inbox.next(({ type, object }) => type === 'Follow' && object === actor.id)
  await deliver(actor, actor.activity('Accept', activity))
  return body[0].id
}
await befriend(alice, bob)

const create = (note: Activity, actor = bob) => actor.activity('Create', note, { to: note['to'], cc: note['cc'] })

interface StatusRow {
  id: string
  account_id: string
  url: string
  visibility: string
  created_at: Date
}

/** What a status with this address is to its author's server; undefined where it was not recorded. */
async function find(uri: unknown): Promise<StatusRow | undefined> {
  const { rows } = await sql<StatusRow>`select * from statuses where uri = ${uri}`.execute(db)
  return rows[0]
}

async function get(uri: unknown): Promise<StatusRow> {
  const row = await find(uri)
  assert.ok(row, `${String(uri)} was not recorded`)
  return row
}

async function seen(person: Person, note: Activity) {
  const status = await get(note['id'])
  return (await person.client.get(`/api/v1/statuses/${status.id}`)).body
}

async function home(person = alice): Promise<string[]> {
  return (await person.client.get('/api/v1/timelines/home')).body.map((one: { uri: string }) => one.uri)
}

async function notified(person: Person): Promise<string[]> {
  await world.settle()
  return (await person.client.get('/api/v1/notifications')).body.map(({ type }: { type: string }) => type)
}

const mention = (person: Person) => ({ type: 'Mention', href: uriOf(person), name: `@${person.username}` })

suite('what concerns nobody here is not kept:', () => {
  test('by somebody whom nobody follows, to nobody here', async () => {
    const before = await countRows()
    const asked = other.requests.length
    await deliver(mallory, create(mallory.note(), mallory))
    const after = await countRows()
    assert.deepEqual({ ...after, received_activities: 0 }, { ...before, received_activities: 0 })
    // Her key, and nothing else.
    assert.equal(other.requests.length, asked + 1)
  })

  test('but what is for somebody here, answers them, or answers whom they follow', async () => {
    const mine = (await alice.client.post('/api/v1/statuses', { status: 'hello' })).body
    const theirs = bob.note()
    await deliver(bob, create(theirs))
    for (const fields of [{ cc: [uriOf(alice)] }, { inReplyTo: mine.uri }, { inReplyTo: theirs['id'] }]) {
      const note = mallory.note(fields)
      await deliver(mallory, create(note, mallory))
      assert.ok(await find(note['id']))
    }
  })

  test('for followers only if somebody here is one, directly only if it is for somebody here', async () => {
    const mine = (await alice.client.post('/api/v1/statuses', { status: 'hello' })).body
    const toFollowers = mallory.note({ to: [mallory.followersUrl], cc: [], inReplyTo: mine.uri })
    const toNobody = bob.note({ to: [mallory.id], cc: [], inReplyTo: mine.uri })
    const toUs = mallory.note({ to: [uriOf(alice)], cc: [] })
    await deliver(mallory, create(toFollowers, mallory), create(toUs, mallory))
    await deliver(bob, create(toNobody))
    assert.deepEqual([await find(toFollowers['id']), await find(toNobody['id'])], [undefined, undefined])
    assert.equal((await get(toUs['id'])).visibility, 'direct')
  })
})

suite('what comes from elsewhere', () => {
  test('is shown as it was written, cleaned, with all that hangs on it', async () => {
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
    const status = await seen(alice, note)
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
    assert.deepEqual([status.media_attachments[0].description, status.account.acct], ['A cat', bob.handle])
    assert.ok((await home()).includes(note['id']))
    assert.ok((await notified(alice)).includes('mention'))
  })

  test('may be for everybody, half of them, followers or some', async () => {
    const audiences: [object, string][] = [
      [{ to: 'as:Public', cc: [] }, 'public'],
      [{ to: [bob.followersUrl], cc: ['Public'] }, 'unlisted'],
      [{ to: bob.followersUrl, cc: [uriOf(alice)] }, 'private'],
      [{ to: { id: uriOf(alice) }, cc: bob.followersUrl }, 'direct'],
    ]
    for (const [fields, visibility] of audiences) {
      const note = bob.note(fields as Record<string, unknown>)
      await deliver(bob, create(note))
      assert.equal((await get(note['id'])).visibility, visibility)
    }
  })

  test('IN27 hidden recipients are neither kept nor told; the shared inbox makes nobody a reader', async () => {
    const carol = await world.createPerson()
    const note = bob.note({ to: [uriOf(alice)], cc: [], bto: [uriOf(carol)], bcc: [uriOf(carol)] })
    await deliver(bob, { ...create(note), bto: [uriOf(carol)] })
    assert.equal((await seen(alice, note)).visibility, 'direct')
    const { id } = await get(note['id'])
    assert.equal((await carol.client.get(`/api/v1/statuses/${id}`)).status, 404)
    assert.deepEqual(await notified(carol), [])
  })

  test('what is sent to one’s own inbox is for oneself, too, without a notice', async () => {
    const carol = await world.createPerson()
    const note = bob.note({ to: [uriOf(alice)], cc: [] })
    await bob.send(create(note), { to: `${uriOf(carol)}/inbox` })
    await world.settle()
    assert.equal((await seen(carol, note)).uri, note['id'])
    assert.deepEqual(await notified(carol), [])
  })

  test('VI4 a mention that is not addressed is none', async () => {
    const carol = await world.createPerson()
    const note = bob.note({ tag: [mention(carol)] })
    await deliver(bob, create(note))
    assert.deepEqual((await seen(alice, note)).mentions, [])
    assert.deepEqual(await notified(carol), [])
  })

  test('FP5 twice, or by two activities, is one', async () => {
    const note = bob.note()
    await deliver(bob, create(note), create(note), create({ ...note, content: 'changed' }))
    assert.match((await seen(alice, note)).content, /A note/)
  })

  test('IN21 too much of anything is cut', async () => {
    const many = <T>(one: (n: number) => T) => Array.from({ length: 2_000 }, (_one, n) => one(n))
    const note = bob.note({
      content: `<p>${'x'.repeat(300_000)}</p>`,
      tag: many((n) => ({ type: 'Hashtag', name: `#t${n}` })),
      attachment: many((n) => ({ type: 'Document', mediaType: 'image/png', url: `https://remote.test/${n}.png` })),
    })
    await deliver(bob, create(note))
    const status = await seen(alice, note)
    assert.ok(status.content.length <= 262_144)
    assert.equal(status.media_attachments.length, 4)
    assert.ok(status.tags.length <= 250)
    const question = bob.note({ type: 'Question', oneOf: many((n) => ({ type: 'Note', name: `o${n}` })) })
    await deliver(bob, create(question))
    const { rows } = await sql<{ n: number }>`
      select cardinality(options) as n from polls where status_id = ${(await get(question['id'])).id}`.execute(db)
    assert.ok(rows[0]!.n <= 500)
  })

  test('IN23 dates that no calendar has, and kinds in lists', async () => {
    const dates = ['9999-12-31T23:59:59Z', '99999-01-01T00:00:00Z', 'soon', '2026-02-30T00:00:00Z', '0000-00-00', 7]
    for (const published of dates) {
      const note = bob.note({
        published,
        type: ['Note', 'http://schema.org/Comment'],
        url: [{ type: 'Link', href: 'https://remote.test/p', mediaType: 'text/html' }],
      })
      await deliver(bob, create(note))
      const row = await get(note['id'])
      assert.ok(row.created_at.getTime() <= Date.now() + 1000, String(published))
      assert.ok(BigInt(row.id) >> 16n <= BigInt(Date.now() + 1000))
      assert.equal(row.url, 'https://remote.test/p')
    }
  })

  test('IN26 addresses that run something are dropped', async () => {
    const note = bob.note({
      url: 'javascript:alert(1)',
      content: '<a href="javascript:alert(1)">x</a><a href="data:text/html,x">y</a>',
      attachment: [{ type: 'Document', mediaType: 'image/png', url: 'data:image/png,x' }],
      tag: [{ type: 'Emoji', name: ':x:', icon: { url: 'javascript:x' } }],
    })
    await deliver(bob, create(note))
    const status = await seen(alice, note)
    assert.equal(status.url, note['id'])
    assert.doesNotMatch(JSON.stringify(status), /javascript:|data:/)
  })

  test('IN28 a vote is no status', async () => {
    const mine = (await alice.client.post('/api/v1/statuses', { status: 'tea?' })).body
    const vote = bob.note({ name: 'tea', content: undefined, inReplyTo: mine.uri, to: [uriOf(alice)], cc: [] })
    await deliver(bob, create(vote), create(vote))
    assert.equal(await find(vote['id']), undefined)
    assert.deepEqual(
      (await notified(alice)).filter((type) => type === 'poll'),
      [],
    )
  })
})

suite('whose word counts', () => {
  test('IN13 nobody writes for another server, nor for another person', async () => {
    const theirs = mallory.note({ content: 'never said' })
    other.withdraw(theirs['id'])
    const mine = bob.note()
    const forged = [
      theirs,
      { ...theirs, attributedTo: bob.id },
      { ...mine, attributedTo: mallory.id },
      { ...mine, attributedTo: neighbour.id },
      { ...mine, id: undefined },
    ]
    for (const note of forged) await deliver(bob, create(note))
    assert.equal(await find(theirs['id']), undefined)
    const row = await find(mine['id'])
    const { rows } = await sql<{ uri: string }>`select uri from accounts where id = ${row?.account_id ?? 0}`.execute(db)
    // What lies at the address is bob's; whatever was sent along is not looked at.
    assert.deepEqual(
      rows.map(({ uri }) => uri),
      [bob.id],
    )
  })

  test('a status that is only named is fetched from its server', async () => {
    const note = bob.note({ content: '<p>fetched</p>' })
    await deliver(bob, bob.activity('Create', note['id']))
    assert.match((await seen(alice, note)).content, /fetched/)
    const elsewhere = mallory.note()
    await deliver(bob, bob.activity('Create', elsewhere['id']))
    assert.equal(await find(elsewhere['id']), undefined)
  })

  test('IN14 nobody changes or deletes what is somebody else’s', async () => {
    const note = bob.note()
    await deliver(bob, create(note))
    const changed = { ...note, content: 'hacked', updated: new Date().toISOString() }
    for (const actor of [mallory, neighbour]) {
      for (const object of [changed, { ...changed, attributedTo: actor.id }]) {
        await deliver(actor, actor.activity('Update', object))
      }
      for (const object of [note, note['id'], { id: note['id'], type: 'Tombstone' }]) {
        await deliver(actor, actor.activity('Delete', object))
      }
      await deliver(
        actor,
        actor.activity('Delete', bob.id),
        actor.activity('Update', { ...bob.document, name: 'hacked' }),
      )
    }
    const status = await seen(alice, note)
    assert.match(status.content, /A note/)
    assert.equal(status.account.display_name, 'bob')
  })
})

suite('edits', () => {
  test('change what is known, with its history, and not backwards', async () => {
    const at = (seconds: number) => new Date(Date.now() - 3_600_000 + seconds * 1000).toISOString()
    const note = bob.note({ published: at(0), content: 'first' })
    const version = (n: number) => bob.activity('Update', { ...note, content: `version ${n}`, updated: at(n) })
    await deliver(bob, create(note), version(2), version(1), version(3), version(2))
    const status = await seen(alice, note)
    assert.match(status.content, /version 3/)
    const { body } = await alice.client.get(`/api/v1/statuses/${status.id}/history`)
    assert.deepEqual(
      body.map(({ content }: { content: string }) => content),
      ['first', 'version 2', 'version 3'],
    )
  })

  test('of what was never heard of bring it, if it is young and concerns somebody', async () => {
    const old = new Date(Date.now() - 2 * 86_400_000).toISOString()
    const [young, aged] = [bob.note(), bob.note({ published: old })]
    const strange = mallory.note()
    const updated = new Date().toISOString()
    await deliver(bob, bob.activity('Update', { ...young, updated }), bob.activity('Update', { ...aged, updated }))
    await deliver(mallory, mallory.activity('Update', { ...strange, updated }))
    assert.ok(await find(young['id']))
    assert.deepEqual([await find(aged['id']), await find(strange['id'])], [undefined, undefined])
  })

  test('VI4 of whom they mention tell those alone who are also addressed', async () => {
    const [carol, dave] = [await world.createPerson(), await world.createPerson()]
    const note = bob.note()
    await deliver(bob, create(note))
    const updated = new Date(Date.now() + 1000).toISOString()
    const tag = [mention(carol), mention(dave)]
    await deliver(bob, bob.activity('Update', { ...note, content: 'new', updated, tag, cc: [uriOf(carol)] }))
    assert.deepEqual([await notified(carol), await notified(dave)], [['mention'], []])
  })

  test('of a profile show at once, without a question', async () => {
    const asked = remote.requests.length
    const changed = { ...bob.document, name: 'Bob the Great', summary: '<p>new</p>' }
    await deliver(bob, bob.activity('Update', changed))
    const { rows } = await sql`select display_name, note from accounts where uri = ${bob.id}`.execute(db)
    assert.deepEqual(rows, [{ display_name: 'Bob the Great', note: '<p>new</p>' }])
    assert.equal(remote.requests.length, asked)
    await deliver(bob, bob.activity('Update', bob.document))
  })

  test('IN25 of a profile are held to what a profile may be', async () => {
    for (const wrong of [
      { inbox: 'https://10.0.0.1/inbox' },
      { inbox: 'https://[::1]/inbox' },
      { inbox: 'https://localhost/inbox' },
      { inbox: 'http://remote.test/inbox' },
      { inbox: 'javascript:alert(1)' },
      { preferredUsername: 'a b' },
      { preferredUsername: 'neighbour' },
      { type: 'Note' },
    ]) {
      await deliver(bob, bob.activity('Update', { ...bob.document, name: 'hacked', ...wrong }))
    }
    const { rows } = await sql`select username, display_name, inbox_url from accounts where uri = ${bob.id}`.execute(db)
    assert.deepEqual(rows, [{ username: 'bob', display_name: 'bob', inbox_url: bob.inboxUrl }])
  })
})

suite('deletions', () => {
  test('in each form take a status away, for good', async () => {
    for (const form of [
      (note: Activity) => note['id'],
      (note: Activity) => ({ id: note['id'], type: 'Tombstone' }),
      (note: Activity) => note,
    ]) {
      const note = bob.note()
      await deliver(bob, create(note), bob.activity('Delete', form(note)))
      assert.equal(await find(note['id']), undefined)
      // IN6
      await deliver(bob, create(note), bob.activity('Update', { ...note, updated: new Date().toISOString() }))
      assert.equal(await find(note['id']), undefined)
    }
  })

  test('FP6 that overtake what they delete keep it out', async () => {
    const note = bob.note()
    await deliver(bob, bob.activity('Delete', note['id']), create(note))
    const theirs = mallory.note({ cc: [uriOf(alice)] })
    await deliver(mallory, mallory.activity('Delete', theirs['id']), create(theirs, mallory))
    assert.deepEqual([await find(note['id']), await find(theirs['id'])], [undefined, undefined])
  })

  test('by a neighbour of what is not known yet keep nothing out', async () => {
    const note = bob.note()
    await deliver(neighbour, neighbour.activity('Delete', note['id']))
    await deliver(mallory, mallory.activity('Delete', note['id']))
    await deliver(bob, create(note))
    assert.ok(await find(note['id']))
  })

  test('of oneself take everything away', async () => {
    const actor = await remote.createActor('leaving', { keys: bob.keys })
    const carol = await world.createPerson()
    await befriend(carol, actor)
    const note = actor.note()
    await deliver(actor, create(note, actor), actor.activity('Delete', actor.id))
    assert.equal(await find(note['id']), undefined)
    const { rows } = await sql`select from accounts where uri = ${actor.id}`.execute(db)
    assert.equal(rows.length, 0)
    assert.deepEqual(await home(carol), [])
  })
})

suite('boosts', () => {
  test('of people who are followed bring what its own server shows', async () => {
    const note = mallory.note({ content: '<p>true</p>' })
    const forged = { ...note, content: '<p>forged</p>' }
    const boost = bob.activity('Announce', forged, { to: [PUBLIC], published: new Date().toISOString() })
    await deliver(bob, boost)
    // IN15
    assert.match((await seen(alice, note)).content, /true/)
    assert.ok((await home()).includes(boost['id']))
    await deliver(bob, bob.activity('Announce', { ...forged, content: 'again' }))
    assert.match((await seen(alice, note)).content, /true/)
    assert.equal((await seen(alice, note)).reblogs_count, 1)
  })

  test('IN15 of what is known change nothing of it', async () => {
    const note = bob.note()
    await deliver(
      bob,
      create(note),
      bob.activity('Announce', { ...note, content: 'forged', updated: '2026-12-01T00:00:00Z' }),
    )
    assert.match((await seen(alice, note)).content, /A note/)
  })

  test('of a status of here are counted and told, whoever made them', async () => {
    const mine = (await alice.client.post('/api/v1/statuses', { status: 'pass me on' })).body
    await deliver(mallory, mallory.activity('Announce', mine.uri))
    assert.ok((await notified(alice)).includes('reblog'))
    assert.equal((await alice.client.get(`/api/v1/statuses/${mine.id}`)).body.reblogs_count, 1)
  })

  test('by people whom nobody follows ask for nothing', async () => {
    const asked = remote.requests.length
    const note = bob.note()
    await deliver(mallory, mallory.activity('Announce', note['id']))
    assert.equal(await find(note['id']), undefined)
    assert.equal(remote.requests.length, asked)
  })

  test('of what is not for everybody, of blocked servers, and of what is not there do nothing', async () => {
    const blocked = peer.host('blocked.test')
    const eve = await blocked.createActor('eve', { keys: bob.keys })
    const redirect = `${remote.origin}/to-blocked`
    remote.behave('/to-blocked', answer(302, { headers: { location: eve.note()['id'] } }))
    const before = await countRows()
    for (const object of [
      mallory.note({ to: [mallory.followersUrl], cc: [] })['id'],
      mallory.note({ to: [uriOf(alice)], cc: [] })['id'],
      eve.note()['id'],
      redirect,
      `${other.origin}/nothing`,
      mallory.id,
    ]) {
      const boost = bob.activity('Announce', object)
      assert.equal((await bob.send(boost)).status, 202)
    }
    await world.settle()
    const { statuses } = await countRows()
    assert.equal(statuses, before['statuses'])
    // IN24
    assert.equal(blocked.requests.length, 0)
  })

  test('IN16 are taken back by whoever made them, also before they came', async () => {
    const note = mallory.note()
    const [boost, early] = [bob.activity('Announce', note['id']), bob.activity('Announce', mallory.note()['id'])]
    await deliver(bob, boost)
    await deliver(mallory, mallory.activity('Undo', boost))
    await deliver(neighbour, neighbour.activity('Undo', boost))
    assert.ok(await find(boost['id']))
    await deliver(bob, bob.activity('Undo', boost['id']))
    assert.equal(await find(boost['id']), undefined)
    await deliver(bob, bob.activity('Undo', early), early)
    assert.equal(await find(early['id']), undefined)
  })

  test('of a group pass on what somebody wrote to it', async () => {
    const group = await other.createActor('group', { keys: bob.keys, type: 'Group' })
    await befriend(alice, group)
    const page = mallory.note({ type: 'Page', name: 'A title', content: 'text' })
    const wrapped = mallory.activity('Create', page)
    await deliver(group, group.activity('Announce', wrapped), group.activity('Announce', page['id']))
    assert.match((await seen(alice, page)).content, /A title/)
    const before = await countRows()
    await deliver(group, group.activity('Announce', mallory.activity('Delete', page['id'])))
    await deliver(group, group.activity('Announce', mallory.activity('Like', page['id'])))
    const { statuses, favourites } = await countRows()
    assert.deepEqual([statuses, favourites], [before['statuses'], before['favourites']])
  })
})

suite('threads', () => {
  const chain = (length: number) => {
    const notes = Array.from({ length }, () => mallory.note())
    notes.forEach((note, n) => {
      if (n > 0) note['inReplyTo'] = notes[n - 1]!['id']
    })
    return notes
  }

  test('are followed upwards and shown whole', async () => {
    const notes = chain(5)
    const answer = bob.note({ inReplyTo: notes.at(-1)!['id'] })
    await deliver(bob, create(answer))
    const { id } = await get(answer['id'])
    const { body } = await alice.client.get(`/api/v1/statuses/${id}/context`)
    assert.deepEqual(
      body.ancestors.map(({ uri }: { uri: string }) => uri),
      notes.map((note) => note['id']),
    )
  })

  test('IN22 without end are followed for a while, circles once', async () => {
    const asked = () => other.countRequests(/\/statuses\//)
    const notes = chain(200)
    let before = asked()
    const answer = bob.note({ inReplyTo: notes.at(-1)!['id'] })
    await deliver(bob, create(answer))
    assert.ok(await find(answer['id']))
    assert.ok(asked() - before <= 60, `${asked() - before} requests`)
    const circle = chain(3)
    circle[0]!['inReplyTo'] = circle[2]!['id']
    before = asked()
    await deliver(bob, create(bob.note({ inReplyTo: circle[1]!['id'] })))
    assert.equal(asked() - before, 3)
    const selfish = bob.note()
    selfish['inReplyTo'] = selfish['id']
    await deliver(bob, create(selfish))
    assert.ok(await find(selfish['id']))
  })

  test('IN22 a thousand strangers who are mentioned are not all looked for', async () => {
    const tag = Array.from({ length: 100 }, (_one, n) => ({ type: 'Mention', href: `${other.origin}/users/s${n}` }))
    const before = other.requests.length
    await deliver(bob, create(bob.note({ tag, cc: tag.map(({ href }) => href) })))
    assert.ok(other.requests.length - before <= 10)
  })

  test('whose upper part is not to be had begin where they are known', async () => {
    const [top] = chain(1)
    other.behave(new URL(top!['id']).pathname, answer(500), { times: 1 })
    const note = bob.note({ inReplyTo: top!['id'] })
    await deliver(bob, create(note))
    assert.equal((await seen(alice, note)).in_reply_to_id, null)
    await deliver(mallory, create({ ...top!, cc: [uriOf(alice)] }, mallory))
    assert.equal((await seen(alice, note)).in_reply_to_id, (await get(top!['id'])).id)
  })
})
