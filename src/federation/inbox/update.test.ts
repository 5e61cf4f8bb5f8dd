import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import type { Person } from '../../../test/world.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, uriOf, deliver, befriend, findStatus, show, notified } = fediverse
after(fediverse.close)

const { db } = world.ctx
const remote = peer.host('remote.test')
const other = peer.host('other.test')
const bob = await remote.createActor('bob')
const mallory = await other.createActor('mallory', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })
await befriend(alice, bob)

const create = (note: Activity, actor = bob) => actor.activity('Create', note, { to: note['to'], cc: note['cc'] })
const mention = (person: Person) => ({ type: 'Mention', href: uriOf(person), name: `@${person.username}` })

suite('edits', () => {
  test('change what is known, with its history, and not backwards', async () => {
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

  test('leave the first version and the newest fifty, with what they showed', async () => {
    const at = (seconds: number) => new Date(Date.now() - 3_600_000 + seconds * 1000).toISOString()
    const note = bob.note({ published: at(0), content: 'first' })
    const picture = (n: number) => ({ type: 'Document', mediaType: 'image/png', url: `${remote.origin}/${n}.png` })
    const version = (n: number) =>
      bob.activity('Update', { ...note, content: `version ${n}`, updated: at(n), attachment: [picture(n)] })
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

  test('FP6 by a clock that is ahead are put in order all the same; from the far future there are none', async () => {
    const ahead = (seconds: number) => new Date(Date.now() + 180_000 + seconds * 1000).toISOString()
    const published = ahead(0)
    const note = bob.note({ published, updated: published, content: 'first' })
    const version = (n: number, updated: string) =>
      bob.activity('Update', { ...note, content: `version ${n}`, updated })
    await deliver(bob, create(note), version(0, published))
    assert.equal((await show(alice, note['id'])).edited_at, null)
    await deliver(bob, version(2, ahead(2)), version(1, ahead(1)), version(3, '9999-12-31T23:59:59Z'))
    assert.match((await show(alice, note['id'])).content, /version 2/)
    const strange = bob.note({ updated: '9999-12-31T23:59:59Z' })
    await deliver(bob, create(strange))
    assert.equal((await show(alice, strange['id'])).edited_at, null)
  })

  test('of what was never heard of bring it, if it is young and concerns somebody', async () => {
    const old = new Date(Date.now() - 2 * 86_400_000).toISOString()
    const [young, aged] = [bob.note(), bob.note({ published: old })]
    const strange = mallory.note()
    const updated = new Date().toISOString()
    await deliver(bob, bob.activity('Update', { ...young, updated }), bob.activity('Update', { ...aged, updated }))
    await deliver(mallory, mallory.activity('Update', { ...strange, updated }))
    assert.ok(await findStatus(young['id']))
    assert.deepEqual([await findStatus(aged['id']), await findStatus(strange['id'])], [undefined, undefined])
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
