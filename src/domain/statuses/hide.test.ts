import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { multipart } from '../../../test/client.ts'
import { openFediverse } from '../../../test/fediverse.ts'
import type { Person } from '../../../test/world.ts'
import type { MediaAttachment } from '../../entities/media.ts'
import type { Status } from '../../entities/status.ts'
import { removeOrphans } from '../media/remove.ts'
import { removeHidden } from './remove-hidden.ts'

let days = 0
const fediverse = await openFediverse({
  hosts: ['remote.test'],
  now: () => new Date(Date.now() + days * 86_400_000),
})
after(fediverse.close)
const { world, peer, uriOf, deliver, findStatus, befriend } = fediverse
const { db } = world.ctx
const remote = peer.host('remote.test')
const { keys } = await remote.createActor('first')

const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#2b7a78' } })
  .png()
  .toBuffer()

async function upload({ client }: Person): Promise<MediaAttachment> {
  const { payload, headers } = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes: picture } })
  return (await client.post<MediaAttachment>('/api/v2/media', payload, headers)).body
}

async function post({ client }: Person, more: Record<string, unknown> = {}): Promise<Status> {
  const { status, body } = await client.post<Status>('/api/v1/statuses', { status: 'Something #bad', ...more })
  assert.equal(status, 200)
  return body
}

async function report({ client }: Person, { accountId }: { accountId: string }, ...statusIds: string[]) {
  const { status } = await client.post('/api/v1/reports', { account_id: accountId, status_ids: statusIds })
  assert.equal(status, 200)
}

async function isStored(url: string | null): Promise<boolean> {
  return (await world.server.inject({ url: new URL(url!).pathname })).statusCode === 200
}

const ids = async ({ client }: Person, path: string) => (await client.get<Status[]>(path)).body.map(({ id }) => id)

suite('a status that its author deletes while moderators have to look at it', () => {
  test('VI20: answers everywhere like one that there never was, and leaves every list and counter', async () => {
    const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
    const fan = await remote.createActor('fan', { keys })
    await deliver(fan, fan.activity('Follow', uriOf(alice)))
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const parent = await post(carol)
    const { id, uri } = await post(alice, {
      status: `Something #bad @${bob.username}`,
      in_reply_to_id: parent.id,
      poll: { options: ['a', 'b'], expires_in: 3_600 },
    })
    const seen = (await bob.client.get<Status>(`/api/v1/statuses/${id}`)).body
    for (const action of ['favourite', 'bookmark', 'reblog', 'mute']) {
      assert.equal((await bob.client.post(`/api/v1/statuses/${id}/${action}`)).status, 200, action)
    }
    await alice.client.post(`/api/v1/statuses/${id}/pin`)
    await alice.client.put(`/api/v1/statuses/${id}`, {
      status: 'Changed #bad',
      poll: { options: ['a', 'b'], expires_in: 3_600 },
    })
    const answer = await post(bob, { in_reply_to_id: id })
    await deliver(fan, fan.activity('Like', uri))
    await report(carol, alice, id)
    await world.settle()
    fan.inbox.clear()

    assert.equal((await alice.client.delete(`/api/v1/statuses/${id}`)).status, 200)
    await world.settle()
    assert.ok(fan.inbox.received.some(({ activity }) => activity.type === 'Delete' && activity.object.id === uri))
    const people = [world.anonymous, alice.client, bob.client, carol.client]
    const ways: ['GET' | 'POST' | 'PUT' | 'DELETE', string, object?][] = [
      ['GET', '/api/v1/statuses/ID'],
      ['GET', '/api/v1/statuses/ID/context'],
      ['GET', '/api/v1/statuses/ID/history'],
      ['GET', '/api/v1/statuses/ID/source'],
      ['GET', '/api/v1/statuses/ID/favourited_by'],
      ['GET', '/api/v1/statuses/ID/reblogged_by'],
      ['GET', '/api/v1/statuses/ID/quotes'],
      ['PUT', '/api/v1/statuses/ID', { status: 'x' }],
      ['DELETE', '/api/v1/statuses/ID'],
      ['POST', '/api/v1/statuses', { status: 'x', in_reply_to_id: 'ID' }],
      ['POST', '/api/v1/statuses', { status: 'x', quoted_status_id: 'ID' }],
      ...[
        'favourite',
        'unfavourite',
        'bookmark',
        'unbookmark',
        'reblog',
        'unreblog',
        'pin',
        'unpin',
        'mute',
        'unmute',
      ].map((action) => ['POST', `/api/v1/statuses/ID/${action}`] as ['POST', string]),
    ]
    for (const client of people) {
      for (const [method, path, body] of ways) {
        const send = (one: string) =>
          client.send({
            method,
            url: path.replace('ID', one),
            ...(body && { payload: JSON.parse(JSON.stringify(body).replace('ID', one)) as object }),
          })
        const [hidden, unknown] = [await send(id), await send('4711')]
        assert.deepEqual([hidden.status, hidden.body], [unknown.status, unknown.body], `${method} ${path}`)
        assert.notEqual(hidden.status, 200, `${method} ${path}`)
      }
      assert.equal((await client.get(`/api/v1/polls/${seen.poll!.id}`)).status, 404)
      assert.equal((await client.get('/api/v1/statuses', { id: [id] })).body.length, 0)
    }
    for (const person of [alice, bob, carol]) {
      for (const path of ['favourites', 'bookmarks', 'timelines/home', 'timelines/public', 'timelines/tag/bad']) {
        assert.ok(!(await ids(person, `/api/v1/${path}`)).includes(id), path)
      }
      for (const account of [alice, bob]) {
        for (const { id: shown, reblog } of (
          await person.client.get<Status[]>(`/api/v1/accounts/${account.accountId}/statuses`)
        ).body) {
          assert.ok(shown !== id && reblog?.id !== id)
        }
      }
      const notified = await person.client.get<{ status?: Status }[]>('/api/v1/notifications')
      assert.equal(notified.status, 200)
      assert.ok(notified.body.every(({ status }) => status?.id !== id))
    }
    assert.equal((await bob.client.get(`/api/v1/statuses/${answer.id}`)).body.in_reply_to_id, null)
    assert.equal((await carol.client.get(`/api/v1/statuses/${parent.id}`)).body.replies_count, 0)
    const counts = await Promise.all(
      [alice, bob].map(
        async (one) => (await carol.client.get(`/api/v1/accounts/${one.accountId}`)).body.statuses_count,
      ),
    )
    assert.deepEqual(counts, [0, 1])
    assert.equal((await fan.get(uri)).status, 410)

    // What it said is there for whoever manages reports.
    const row = await findStatus(uri)
    assert.ok(row)
    const { rows } = await sql<{ text: string; edits: number; options: number }>`
      select s.text, (select count(*)::int from status_edits where status_id = s.id) as edits,
        (select count(*)::int from polls where status_id = s.id) as options
      from statuses s where id = ${id}`.execute(db)
    assert.deepEqual(rows, [{ text: 'Changed #bad', edits: 1, options: 1 }])
  })

  test('is removed for ever after thirty days, with its files', async () => {
    const [alice, carol] = [await world.createPerson(), await world.createPerson()]
    const media = await upload(alice)
    const status = await post(alice, { media_ids: [media.id] })
    await report(carol, alice, status.id)
    await alice.client.delete(`/api/v1/statuses/${status.id}`, { delete_media: true })
    await world.settle()
    assert.equal((await alice.client.get(`/api/v1/media/${media.id}`)).status, 404)
    days = 29
    await removeHidden(world.ctx)
    await removeOrphans(world.ctx)
    await world.settle()
    assert.ok((await findStatus(status.uri)) && (await isStored(media.url)))
    days = 31
    await removeHidden(world.ctx)
    await world.settle()
    days = 0
    assert.equal(await findStatus(status.uri), undefined)
    assert.equal(await isStored(media.url), false)
    assert.equal((await carol.client.get('/api/v1/favourites')).status, 200)
  })

  test('gives its uploads back to be posted anew, and keeps the pictures for the moderators whatever becomes of these', async () => {
    const [alice, carol] = [await world.createPerson(), await world.createPerson()]
    const [first, second] = [await upload(alice), await upload(alice)]
    const status = await post(alice, { media_ids: [first.id, second.id] })
    await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'One less', media_ids: [second.id] })
    await report(carol, alice, status.id)
    const { body } = await alice.client.delete<Status>(`/api/v1/statuses/${status.id}`)
    assert.deepEqual(
      body.media_attachments.map(({ id }) => id),
      [second.id],
    )
    assert.equal((await alice.client.put(`/api/v1/media/${second.id}`, { description: 'Mine' })).status, 200)
    const again = await post(alice, { media_ids: [second.id] })
    assert.equal(again.media_attachments[0]!.url, second.url)
    await alice.client.delete(`/api/v1/statuses/${again.id}`, { delete_media: true })
    days = 2
    await removeOrphans(world.ctx)
    await world.settle()
    days = 0
    assert.deepEqual([await isStored(first.url), await isStored(second.url)], [true, true])
    const kept = await sql<{ description: string | null; shown: boolean; in_history: boolean }>`
      select m.description, m.withdrawn_at is null as shown, exists (
        select from status_edits e, jsonb_array_elements(e.media) item
        where e.status_id = m.status_id and item ->> 'id' = m.id::text) as in_history
      from media_attachments m where m.status_id = ${status.id} order by m.id`.execute(db)
    assert.deepEqual(kept.rows, [
      { description: null, shown: false, in_history: true },
      { description: null, shown: true, in_history: true },
    ])
    days = 31
    await removeHidden(world.ctx)
    await world.settle()
    days = 0
    assert.deepEqual([await isStored(first.url), await isStored(second.url)], [false, false])
  })

  test('does not outlast its author, whose counters were counted down once', async () => {
    const [alice, carol] = [await world.createPerson(), await world.createPerson()]
    const parent = await post(carol)
    const other = await post(carol, { in_reply_to_id: parent.id })
    const status = await post(alice, { in_reply_to_id: parent.id })
    await report(carol, alice, status.id)
    await alice.client.delete(`/api/v1/statuses/${status.id}`)
    await world.ctx.write(async (tx) => {
      await sql`insert into deleted_usernames (username, uri, deleted_at)
        values (${alice.username.toLowerCase()}, ${uriOf(alice)}, now())`.execute(tx.db)
      tx.emit('account.removed', { accountId: alice.accountId })
    })
    await world.settle()
    assert.equal(await findStatus(status.uri), undefined)
    assert.equal((await carol.client.get(`/api/v1/statuses/${parent.id}`)).body.replies_count, 1)
    assert.equal((await carol.client.get(`/api/v1/statuses/${other.id}`)).status, 200)
  })

  test('of somebody elsewhere does not come back, and is as gone as any other', async () => {
    const alice = await world.createPerson()
    const bob = await remote.createActor('bob', { keys })
    await befriend(alice, bob)
    const note = bob.note({ content: '<p>Bad</p>' })
    await deliver(bob, bob.activity('Create', note))
    const { id, account_id: accountId } = await fediverse.getStatus(note['id'])
    await alice.client.post(`/api/v1/statuses/${id}/bookmark`)
    await report(alice, { accountId }, id)
    await deliver(bob, bob.activity('Delete', note['id']))
    assert.equal((await alice.client.get(`/api/v1/statuses/${id}`)).status, 404)
    assert.deepEqual(await ids(alice, '/api/v1/bookmarks'), [])
    assert.equal((await alice.client.post(`/api/v1/statuses/${id}/unbookmark`)).status, 404)
    await deliver(bob, bob.activity('Create', note), bob.activity('Update', note), bob.activity('Delete', note['id']))
    assert.equal((await alice.client.get(`/api/v1/statuses/${id}`)).status, 404)
    const search = await alice.client.get('/api/v2/search', { q: note['id'], resolve: true })
    assert.deepEqual([search.status, search.body.statuses], [200, []])
    assert.ok(await findStatus(note['id']))
  })

  test('stays also when the report and the deletion come at once; what is in no open report goes', async () => {
    const [alice, carol] = [await world.createPerson(), await world.createPerson()]
    for (let round = 0; round < 6; round += 1) {
      const { id, uri } = await post(alice)
      const payload = { account_id: alice.accountId, status_ids: [id] }
      const [made] = await Promise.all([
        carol.client.post('/api/v1/reports', payload),
        alice.client.delete(`/api/v1/statuses/${id}`),
      ])
      assert.equal(Boolean(await findStatus(uri)), made.status === 200)
    }
    const status = await post(alice)
    await report(carol, alice, status.id)
    await sql`update reports set action_taken_at = now()`.execute(db)
    await alice.client.delete(`/api/v1/statuses/${status.id}`)
    assert.equal(await findStatus(status.uri), undefined)
  })

  test('quotes nothing any more, and is quoted by nobody', async () => {
    const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
    const quoted = await post(bob)
    const status = await post(alice, { quoted_status_id: quoted.id })
    const quoting = await post(carol, { quoted_status_id: status.id })
    await world.settle()
    await report(carol, alice, status.id)
    const plain = await post(alice)
    const other = await post(carol, { quoted_status_id: plain.id })
    for (const id of [status.id, plain.id]) await alice.client.delete(`/api/v1/statuses/${id}`)
    assert.equal((await bob.client.get(`/api/v1/statuses/${quoted.id}`)).body.quotes_count, 0)
    assert.deepEqual((await bob.client.get(`/api/v1/statuses/${quoted.id}/quotes`)).body, [])
    const shown = await Promise.all(
      [quoting, other].map(async ({ id }) => (await bob.client.get<Status>(`/api/v1/statuses/${id}`)).body.quote),
    )
    assert.ok(shown[0])
    assert.deepEqual(shown[0], shown[1])
    days = 31
    await removeHidden(world.ctx)
    days = 0
    assert.equal((await bob.client.get(`/api/v1/statuses/${quoted.id}`)).body.quotes_count, 0)
  })
})
