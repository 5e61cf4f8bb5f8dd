import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, uriOf, countRows, deliver, followEachOther, findStatus, show, notificationsOf } = fediverse
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

suite('an Update', () => {
  test('changes a stored status and adds to its history, unless it is older than the stored version', async () => {
    const at = (seconds: number) => new Date(Date.now() - 3_600_000 + seconds * 1000).toISOString()
    const note = bob.note({ published: at(0), content: 'first' })
    const version = (n: number) => bob.activity('Update', { ...note, content: `version ${n}`, updated: at(n) })
    await deliver(bob, create(note), version(2), version(1), version(3), version(2))
    const status = await show(alice, note['id'])
    assert.match(status.content, /version 3/)
    const { body } = await alice.client.get(`/api/v1/statuses/${status.id}/history`)
    assert.deepEqual(
      body.map(({ content }: { content: string }) => content),
      ['first', 'version 2', 'version 3'],
    )
  })

  test('takes effect with the id of an earlier Update or of the Create, and a repeated one has no second effect', async () => {
    const at = (seconds: number) => new Date(Date.now() - 3_600_000 + seconds * 1000).toISOString()
    const note = bob.note({ published: at(0), content: 'first' })
    const activity = create(note)
    const version = (n: number, id: unknown) =>
      bob.activity('Update', { ...note, content: `version ${n}`, updated: at(n) }, { id })
    const [second, third] = [version(2, activity['id']), version(3, activity['id'])]
    await deliver(bob, activity, second, third)
    const before = await countRows()
    await deliver(bob, second, third)
    assert.deepEqual(await countRows(), before)
    const status = await show(alice, note['id'])
    assert.match(status.content, /version 3/)
    assert.equal((await alice.client.get(`/api/v1/statuses/${status.id}/history`)).body.length, 3)
  })

  test('of a stored status with a type of BookWyrm is that of the document at its id', async () => {
    const [published, updated] = [40, 20].map((minutes) => new Date(Date.now() - minutes * 60_000).toISOString())
    const note = bob.note({ published, content: '<p>first</p><p>(comment on <i>Emma</i>)</p>' })
    await deliver(bob, create(note))
    remote.serve({ ...note, content: '<p>second</p><p>(comment on <i>Emma</i>)</p>', updated })
    const comment = (one: Activity) => ({
      ...one,
      type: 'Comment',
      content: '<p>second</p>',
      updated,
      readingStatus: null,
    })
    const requestsBefore = remote.requests.length
    await deliver(bob, bob.activity('Update', comment(bob.note())))
    assert.equal(remote.requests.length, requestsBefore)
    await deliver(bob, bob.activity('Update', comment(note)))
    const { content, edited_at: editedAt } = await show(alice, note['id'])
    assert.deepEqual([content, editedAt], ['<p>second</p><p>(comment on <i>Emma</i>)</p>', updated])
    await deliver(mallory, mallory.activity('Update', comment(note)))
    assert.equal(remote.requests.length, requestsBefore + 1)
  })

  test('has the time that Mbin names in an object within the edited one', async () => {
    const [published, updated] = [40, 20].map((minutes) => new Date(Date.now() - minutes * 60_000).toISOString())
    const note = bob.note({ published, content: 'first' })
    await deliver(bob, create(note))
    await deliver(bob, bob.activity('Update', { ...note, content: 'second', object: { updated } }))
    const { content, edited_at: editedAt } = await show(alice, note['id'])
    assert.deepEqual([content, editedAt], ['second', updated])
  })

  test('leaves the first version and the newest fifty in the history, with their attachments', async () => {
    const at = (seconds: number) => new Date(Date.now() - 3_600_000 + seconds * 1000).toISOString()
    const note = bob.note({ published: at(0), content: 'first' })
    const attachment = (n: number) => ({ type: 'Document', mediaType: 'image/png', url: `${remote.origin}/${n}.png` })
    const version = (n: number) =>
      bob.activity('Update', { ...note, content: `version ${n}`, updated: at(n), attachment: [attachment(n)] })
    await deliver(bob, create(note), ...Array.from({ length: 60 }, (_one, n) => version(n + 1)))
    const status = await show(alice, note['id'])
    const { body } = await alice.client.get(`/api/v1/statuses/${status.id}/history`)
    assert.deepEqual(
      body.map(({ content }: { content: string }) => content),
      ['first', ...Array.from({ length: 50 }, (_one, n) => `version ${n + 11}`)],
    )
    const media = body.map((one: { media_attachments: unknown[] }) => one.media_attachments.length)
    assert.deepEqual(media, [0, ...Array.from({ length: 50 }, () => 1)])
    const { rows } = await sql`select from media_attachments where status_id = ${status.id}`.execute(db)
    assert.equal(rows.length, 50)
  })

  test('FP6 by a fast clock is ordered correctly, and one from the far future is ignored', async () => {
    const ahead = (seconds: number) => new Date(Date.now() + 180_000 + seconds * 1000).toISOString()
    const published = ahead(0)
    const note = bob.note({ published, updated: published, content: 'first' })
    const version = (n: number, updated: string) =>
      bob.activity('Update', { ...note, content: `version ${n}`, updated })
    await deliver(bob, create(note), version(0, published))
    assert.equal((await show(alice, note['id'])).edited_at, null)
    await deliver(bob, version(2, ahead(2)), version(1, ahead(1)), version(3, '9999-12-31T23:59:59Z'))
    assert.match((await show(alice, note['id'])).content, /version 2/)
    const implausible = bob.note({ updated: '9999-12-31T23:59:59Z' })
    await deliver(bob, create(implausible))
    assert.equal((await show(alice, implausible['id'])).edited_at, null)
  })

  test('of an unknown status stores it, if it is recent and relevant', async () => {
    const old = new Date(Date.now() - 2 * 86_400_000).toISOString()
    const [recent, outdated] = [bob.note(), bob.note({ published: old })]
    const irrelevant = mallory.note()
    const updated = new Date().toISOString()
    await deliver(bob, bob.activity('Update', { ...recent, updated }), bob.activity('Update', { ...outdated, updated }))
    await deliver(mallory, mallory.activity('Update', { ...irrelevant, updated }))
    assert.ok(await findStatus(recent['id']))
    assert.deepEqual([await findStatus(outdated['id']), await findStatus(irrelevant['id'])], [undefined, undefined])
  })

  test('VI4 with new mentions notifies only mentioned accounts that are addressed', async () => {
    const [carol, dave] = [await testServer.createUser(), await testServer.createUser()]
    const note = bob.note()
    await deliver(bob, create(note))
    const updated = new Date(Date.now() + 1000).toISOString()
    const tag = [mention(carol), mention(dave)]
    await deliver(bob, bob.activity('Update', { ...note, content: 'new', updated, tag, cc: [uriOf(carol)] }))
    assert.deepEqual([await notificationsOf(carol), await notificationsOf(dave)], [['mention'], []])
  })

  test('of a profile is applied without effect on a later one, whichever arrives or is processed first', async () => {
    const actor = await remote.createActor('painter', { keys: bob.keys })
    const id = await followEachOther(alice, actor)
    const update = (name: string) => actor.activity('Update', { ...actor.document, name })
    const name = async () => (await alice.client.get(`/api/v1/accounts/${id}`)).body.display_name
    const send = async (sent: string, secondsAgo: number) => {
      const now = new Date(Date.now() - secondsAgo * 1000)
      assert.equal((await actor.send(update(sent), { now })).status, 202)
    }
    await send('second', 20)
    await testServer.waitForJobs()
    await send('first', 40)
    await testServer.waitForJobs()
    assert.equal(await name(), 'second')
    await send('third', 10)
    await testServer.waitForJobs()
    assert.equal(await name(), 'third')
    await Promise.all(Array.from({ length: 8 }, async (_one, n) => send(`version ${n}`, n)))
    await testServer.waitForJobs()
    assert.equal(await name(), 'version 0')
  })

  test('of a profile is applied without fetching the actor', async () => {
    const requestsBefore = remote.requests.length
    const changed = { ...bob.document, name: 'Bob the Great', summary: '<p>new</p>' }
    await deliver(bob, bob.activity('Update', changed))
    const { rows } = await sql`select display_name, note from accounts where uri = ${bob.id}`.execute(db)
    assert.deepEqual(rows, [{ display_name: 'Bob the Great', note: '<p>new</p>' }])
    assert.equal(remote.requests.length, requestsBefore)
    await deliver(bob, bob.activity('Update', bob.document))
  })

  test('IN25 of a profile is verified like a fetched actor', async () => {
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
