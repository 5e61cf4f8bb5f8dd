import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { multipart } from '../../../../test/http/client.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { MediaAttachment } from '../../../entities/statuses/media.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { removeOrphans } from '../../media/remove-files.ts'
import { purgeHiddenStatuses } from './purge-hidden-statuses.ts'

let days = 0
const fediverse = await openFediverse({
  hosts: ['remote.test'],
  now: () => new Date(Date.now() + days * 86_400_000),
})
after(fediverse.close)
const { testServer, peer, uriOf, deliver, findStatus, followEachOther } = fediverse
const { db } = testServer.ctx
const remote = peer.host('remote.test')
const { keys } = await remote.createActor('first')

const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#2b7a78' } })
  .png()
  .toBuffer()

async function upload({ client }: TestUser): Promise<MediaAttachment> {
  const { payload, headers } = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes: image } })
  return (await client.post<MediaAttachment>('/api/v2/media', payload, headers)).body
}

async function post({ client }: TestUser, more: Record<string, unknown> = {}): Promise<Status> {
  const { status, body } = await client.post<Status>('/api/v1/statuses', { status: 'Something #bad', ...more })
  assert.equal(status, 200)
  return body
}

async function report({ client }: TestUser, { accountId }: { accountId: string }, ...statusIds: string[]) {
  const { status } = await client.post('/api/v1/reports', { account_id: accountId, status_ids: statusIds })
  assert.equal(status, 200)
}

async function isStored(url: string | null): Promise<boolean> {
  return (await testServer.server.inject({ url: new URL(url!).pathname })).statusCode === 200
}

const ids = async ({ client }: TestUser, path: string) => (await client.get<Status[]>(path)).body.map(({ id }) => id)

suite('a status that its author deletes while it is evidence in an open report', () => {
  test('VI20: responses are the same as for a status that never existed, and it is in no list and no counter', async () => {
    const [alice, bob, carol] = [
      await testServer.createUser(),
      await testServer.createUser(),
      await testServer.createUser(),
    ]
    const fan = await remote.createActor('fan', { keys })
    await deliver(fan, fan.activity('Follow', uriOf(alice)))
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const parent = await post(carol)
    const { id, uri } = await post(alice, {
      status: `Something #bad @${bob.username}`,
      in_reply_to_id: parent.id,
      poll: { options: ['a', 'b'], expires_in: 3_600 },
    })
    const original = (await bob.client.get<Status>(`/api/v1/statuses/${id}`)).body
    for (const action of ['favourite', 'bookmark', 'reblog', 'mute']) {
      assert.equal((await bob.client.post(`/api/v1/statuses/${id}/${action}`)).status, 200, action)
    }
    await alice.client.post(`/api/v1/statuses/${id}/pin`)
    await alice.client.put(`/api/v1/statuses/${id}`, {
      status: 'Changed #bad',
      poll: { options: ['a', 'b'], expires_in: 3_600 },
    })
    const reply = await post(bob, { in_reply_to_id: id })
    await deliver(fan, fan.activity('Like', uri))
    await report(carol, alice, id)
    await testServer.waitForJobs()
    fan.inbox.clear()

    assert.equal((await alice.client.delete(`/api/v1/statuses/${id}`)).status, 200)
    await testServer.waitForJobs()
    assert.ok(fan.inbox.received.some(({ activity }) => activity.type === 'Delete' && activity.object.id === uri))
    const clients = [testServer.anonymous, alice.client, bob.client, carol.client]
    const endpoints: ['GET' | 'POST' | 'PUT' | 'DELETE', string, object?][] = [
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
    for (const client of clients) {
      for (const [method, path, body] of endpoints) {
        const send = (statusId: string) =>
          client.send({
            method,
            url: path.replace('ID', statusId),
            ...(body && { payload: JSON.parse(JSON.stringify(body).replace('ID', statusId)) as object }),
          })
        const [hidden, unknown] = [await send(id), await send('4711')]
        assert.deepEqual([hidden.status, hidden.body], [unknown.status, unknown.body], `${method} ${path}`)
        assert.notEqual(hidden.status, 200, `${method} ${path}`)
      }
      assert.equal((await client.get(`/api/v1/polls/${original.poll!.id}`)).status, 404)
      assert.equal((await client.get('/api/v1/statuses', { id: [id] })).body.length, 0)
    }
    for (const user of [alice, bob, carol]) {
      for (const path of ['favourites', 'bookmarks', 'timelines/home', 'timelines/public', 'timelines/tag/bad']) {
        assert.ok(!(await ids(user, `/api/v1/${path}`)).includes(id), path)
      }
      for (const account of [alice, bob]) {
        for (const { id: shown, reblog } of (
          await user.client.get<Status[]>(`/api/v1/accounts/${account.accountId}/statuses`)
        ).body) {
          assert.ok(shown !== id && reblog?.id !== id)
        }
      }
      const notified = await user.client.get<{ status?: Status }[]>('/api/v1/notifications')
      assert.equal(notified.status, 200)
      assert.ok(notified.body.every(({ status }) => status?.id !== id))
    }
    assert.equal((await bob.client.get(`/api/v1/statuses/${reply.id}`)).body.in_reply_to_id, null)
    assert.equal((await carol.client.get(`/api/v1/statuses/${parent.id}`)).body.replies_count, 0)
    const counts = await Promise.all(
      [alice, bob].map(
        async (one) => (await carol.client.get(`/api/v1/accounts/${one.accountId}`)).body.statuses_count,
      ),
    )
    assert.deepEqual(counts, [0, 1])
    assert.equal((await fan.get(uri)).status, 410)

    // Its content is retained for the staff who manage reports.
    const row = await findStatus(uri)
    assert.ok(row)
    const { rows } = await sql<{ text: string; edits: number; options: number }>`
      select s.text, (select count(*)::int from status_edits where status_id = s.id) as edits,
        (select count(*)::int from polls where status_id = s.id) as options
      from statuses s where id = ${id}`.execute(db)
    assert.deepEqual(rows, [{ text: 'Changed #bad', edits: 1, options: 1 }])
  })

  test('is purged with its files after 30 days', async () => {
    const [alice, carol] = [await testServer.createUser(), await testServer.createUser()]
    const media = await upload(alice)
    const status = await post(alice, { media_ids: [media.id] })
    await report(carol, alice, status.id)
    await alice.client.delete(`/api/v1/statuses/${status.id}`, { delete_media: true })
    await testServer.waitForJobs()
    assert.equal((await alice.client.get(`/api/v1/media/${media.id}`)).status, 404)
    days = 29
    await purgeHiddenStatuses(testServer.ctx)
    await removeOrphans(testServer.ctx)
    await testServer.waitForJobs()
    assert.ok((await findStatus(status.uri)) && (await isStored(media.url)))
    days = 31
    await purgeHiddenStatuses(testServer.ctx)
    await testServer.waitForJobs()
    days = 0
    assert.equal(await findStatus(status.uri), undefined)
    assert.equal(await isStored(media.url), false)
    assert.equal((await carol.client.get('/api/v1/favourites')).status, 200)
  })

  test('returns its uploads to the author, and retains its images for moderators if the author deletes the uploads', async () => {
    const [alice, carol] = [await testServer.createUser(), await testServer.createUser()]
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
    await removeOrphans(testServer.ctx)
    await testServer.waitForJobs()
    days = 0
    assert.deepEqual([await isStored(first.url), await isStored(second.url)], [true, true])
    const stored = await sql<{ description: string | null; shown: boolean; in_history: boolean }>`
      select m.description, m.withdrawn_at is null as shown, exists (
        select from status_edits e, jsonb_array_elements(e.media) item
        where e.status_id = m.status_id and item ->> 'id' = m.id::text) as in_history
      from media_attachments m where m.status_id = ${status.id} order by m.id`.execute(db)
    assert.deepEqual(stored.rows, [
      { description: null, shown: false, in_history: true },
      { description: null, shown: true, in_history: true },
    ])
    days = 31
    await purgeHiddenStatuses(testServer.ctx)
    await testServer.waitForJobs()
    days = 0
    assert.deepEqual([await isStored(first.url), await isStored(second.url)], [false, false])
  })

  test('is deleted with its author’s account, and counters are decremented only once', async () => {
    const [alice, carol] = [await testServer.createUser(), await testServer.createUser()]
    const parent = await post(carol)
    const other = await post(carol, { in_reply_to_id: parent.id })
    const status = await post(alice, { in_reply_to_id: parent.id })
    await report(carol, alice, status.id)
    await alice.client.delete(`/api/v1/statuses/${status.id}`)
    await testServer.ctx.write(async (tx) => {
      await sql`insert into deleted_usernames (username, uri, deleted_at)
        values (${alice.username.toLowerCase()}, ${uriOf(alice)}, now())`.execute(tx.db)
      tx.emit('account.purge_requested', { accountId: alice.accountId })
    })
    await testServer.waitForJobs()
    assert.equal(await findStatus(status.uri), undefined)
    assert.equal((await carol.client.get(`/api/v1/statuses/${parent.id}`)).body.replies_count, 1)
    assert.equal((await carol.client.get(`/api/v1/statuses/${other.id}`)).status, 200)
  })

  test('is not recorded again if it is remote, and is hidden like any other status', async () => {
    const alice = await testServer.createUser()
    const bob = await remote.createActor('bob', { keys })
    await followEachOther(alice, bob)
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

  test('is retained also if it is reported and deleted in parallel; a status without open reports is deleted', async () => {
    const [alice, carol] = [await testServer.createUser(), await testServer.createUser()]
    for (let round = 0; round < 6; round += 1) {
      const { id, uri } = await post(alice)
      const payload = { account_id: alice.accountId, status_ids: [id] }
      const [reported] = await Promise.all([
        carol.client.post('/api/v1/reports', payload),
        alice.client.delete(`/api/v1/statuses/${id}`),
      ])
      assert.equal(Boolean(await findStatus(uri)), reported.status === 200)
    }
    const status = await post(alice)
    await report(carol, alice, status.id)
    await sql`update reports set action_taken_at = now()`.execute(db)
    await alice.client.delete(`/api/v1/statuses/${status.id}`)
    assert.equal(await findStatus(status.uri), undefined)
  })

  test('is removed from the quotes of the quoted status, and quotes of it look like quotes of a deleted status', async () => {
    const [alice, bob, carol] = [
      await testServer.createUser(),
      await testServer.createUser(),
      await testServer.createUser(),
    ]
    const quoted = await post(bob)
    const status = await post(alice, { quoted_status_id: quoted.id })
    const quoting = await post(carol, { quoted_status_id: status.id })
    await testServer.waitForJobs()
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
    await purgeHiddenStatuses(testServer.ctx)
    days = 0
    assert.equal((await bob.client.get(`/api/v1/statuses/${quoted.id}`)).body.quotes_count, 0)
  })
})
