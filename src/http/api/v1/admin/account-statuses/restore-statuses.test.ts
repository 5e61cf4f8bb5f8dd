import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../../../test/federation/fediverse.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { uploadFile } from '../../../../../../test/http/upload-file.ts'
import { createImage } from '../../../../../../test/media/images.ts'
import { openSocket } from '../../../../../../test/streaming/streams.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import { purgeHiddenStatuses } from '../../../../../domain/statuses/write/purge-hidden-statuses.ts'
import type { AdminStatus } from '../../../../../entities/admin/content/admin-status.ts'
import type { Status } from '../../../../../entities/statuses/status.ts'

let days = 0
const fediverse = await openFediverse({
  hosts: ['remote.test'],
  now: () => new Date(Date.now() + days * 86_400_000),
  env: { DB_POOL: '10' },
})
after(fediverse.close)
const { testServer, peer, uriOf, deliver, followEachOther } = fediverse
const { ctx } = testServer
const remoteHost = peer.host('remote.test')
const moderator = await testServer.createUser({
  role: 'moderator',
  username: 'hidden_moderator',
  scopes: 'read write admin:read admin:write',
})

async function post({ client }: TestUser, more: object = {}): Promise<Status> {
  const { status, body } = await client.post<Status>('/api/v1/statuses', { status: 'Something #bad', ...more })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const pathOf = ({ accountId }: { accountId: string }) => `/api/v1/admin/accounts/${accountId}/statuses`

async function act(type: 'delete' | 'restore', target: { accountId: string }, ids: readonly string[]): Promise<number> {
  const { status } = await moderator.client.post(`${pathOf(target)}/action`, { type, status_ids: ids })
  await testServer.waitForJobs()
  return status
}

async function find(id: string, user?: TestUser): Promise<Status> {
  const { status, body } = await (user?.client ?? testServer.anonymous).get<Status>(`/api/v1/statuses/${id}`)
  assert.equal(status, 200)
  return body
}

const statusOf = async (id: string) => (await testServer.anonymous.get(`/api/v1/statuses/${id}`)).status

const countOf = async ({ accountId }: TestUser) =>
  (await testServer.anonymous.get(`/api/v1/accounts/${accountId}`)).body.statuses_count

const idsAt = async ({ client }: TestUser, path: string) =>
  (await client.get<Status[]>(`/api/v1/${path}`)).body.map(({ id }) => id)

suite('statuses that the staff restore', () => {
  test('are in timelines, search, threads and counters again, without their former interactions', async () => {
    const [alice, bob, carol] = [
      await testServer.createUser(),
      await testServer.createUser(),
      await testServer.createUser(),
    ]
    for (const { accountId } of [alice, carol]) await bob.client.post(`/api/v1/accounts/${accountId}/follow`)
    const parent = await post(carol)
    const { body: media } = await uploadFile(alice, await createImage('png'))
    const { id } = await post(alice, { status: 'Heron #bad', in_reply_to_id: parent.id, media_ids: [media.id] })
    const reply = await post(bob, { in_reply_to_id: id })
    for (const action of ['favourite', 'bookmark', 'reblog']) await bob.client.post(`/api/v1/statuses/${id}/${action}`)
    await alice.client.post(`/api/v1/statuses/${id}/pin`)
    await testServer.waitForJobs()
    const search = async () =>
      (await alice.client.get('/api/v2/search', { q: 'heron', type: 'statuses' })).body.statuses.length
    const before = { search: await search(), count: await countOf(alice) }
    assert.equal(before.search, 1)

    assert.equal(await act('delete', alice, [id]), 200)
    assert.deepEqual([await statusOf(id), await search(), await countOf(alice)], [404, 0, 0])
    // The feed of a follower may have been built anew meanwhile.
    await sql`delete from feed_entries where status_id = ${id}`.execute(ctx.db)
    const late = await post(carol, { in_reply_to_id: parent.id })
    assert.equal(await act('restore', alice, [id]), 200)

    const restored = await find(id, bob)
    assertEntity('Status', restored)
    const { replies_count: replies, reblogs_count: reblogs, favourites_count: favourites } = restored
    assert.deepEqual([replies, reblogs, favourites], [1, 0, 0])
    assert.deepEqual([restored.favourited, restored.bookmarked, restored.reblogged], [false, false, false])
    assert.deepEqual([restored.in_reply_to_id, restored.media_attachments[0]!.id], [parent.id, media.id])
    const image = await testServer.server.inject({ url: new URL(media.url!).pathname })
    assert.equal(image.statusCode, 200)
    assert.equal((await find(reply.id)).in_reply_to_id, id)
    assert.equal((await find(parent.id)).replies_count, 2)
    const { body: context } = await bob.client.get(`/api/v1/statuses/${parent.id}/context`)
    assert.deepEqual(context.descendants.map((one: Status) => one.id).toSorted(), [id, reply.id, late.id])
    assert.deepEqual([await search(), await countOf(alice)], [before.search, before.count])
    for (const path of ['timelines/home', 'timelines/tag/bad']) assert.ok((await idsAt(bob, path)).includes(id), path)
    const own = `accounts/${alice.accountId}/statuses`
    assert.deepEqual([await idsAt(bob, own), await idsAt(bob, `${own}?pinned=true`)], [[id], []])
    for (const path of ['favourites', 'bookmarks']) assert.deepEqual(await idsAt(bob, path), [], path)
    const { body: again } = await bob.client.post(`/api/v1/statuses/${id}/favourite`)
    assert.equal(again.favourites_count, 1)
  })

  test('are a whole thread, in any order, with their quotes', async () => {
    const [alice, carol] = [await testServer.createUser(), await testServer.createUser()]
    const quoted = await post(carol)
    const root = await post(alice, { quoted_status_id: quoted.id })
    const second = await post(alice, { in_reply_to_id: root.id, quoted_status_id: root.id })
    const quoting = await post(carol, { quoted_status_id: root.id })
    await testServer.waitForJobs()
    const quoteOf = async ({ id }: Status) => (await find(id)).quote?.state
    const counts = async () => [(await find(quoted.id)).quotes_count, (await find(root.id)).quotes_count]
    assert.deepEqual(await counts(), [1, 2])
    for (const order of [
      [root, second],
      [second, root],
    ] as const) {
      assert.equal(
        await act(
          'delete',
          alice,
          order.map(({ id }) => id),
        ),
        200,
      )
      assert.deepEqual([await quoteOf(quoting), (await find(quoted.id)).quotes_count], ['deleted', 0])
      for (const { id } of order) assert.equal(await act('restore', alice, [id]), 200)
      assert.deepEqual(await Promise.all([root, second, quoting].map(quoteOf)), ['accepted', 'accepted', 'accepted'])
      assert.deepEqual(await counts(), [1, 2])
      assert.equal((await find(second.id)).in_reply_to_id, root.id)
      assert.ok((await idsAt(carol, 'timelines/public')).includes(root.id))
      assert.deepEqual([(await find(root.id)).replies_count, await countOf(alice)], [1, 2])
    }
  })

  test('are sent to other servers by a Create with a new id, and deleted there once more', async () => {
    const alice = await testServer.createUser()
    const fan = await remoteHost.createActor('fan')
    await deliver(fan, fan.activity('Follow', uriOf(alice)))
    const { id, uri } = await post(alice)
    await testServer.waitForJobs()
    const reply = fan.note({ inReplyTo: uri })
    for (let round = 1; round <= 2; round += 1) {
      await act('delete', alice, [id])
      assert.equal((await fan.get(uri)).status, 410)
      // A reply that arrives meanwhile belongs to the thread afterwards.
      if (round === 1) await deliver(fan, fan.activity('Create', { ...reply, cc: [uriOf(alice)] }))
      assert.equal(await act('restore', alice, [id]), 200)
      assert.equal((await fan.get(uri)).status, 200)
    }
    assert.equal((await find(id)).replies_count, 1)
    await alice.client.delete(`/api/v1/statuses/${id}`)
    await testServer.waitForJobs()
    const about = fan.inbox.received.map(({ activity }) => activity).filter((one) => one.object?.id === uri)
    assert.deepEqual(
      about.map(({ type }) => type),
      ['Create', 'Delete', 'Create', 'Delete', 'Create', 'Delete'],
    )
    assert.equal(new Set(about.map((one) => one.id)).size, 6)
    assert.equal((await fan.get(uri)).status, 410)
  })

  test('cause no event in streams, no notification and no strike, and are in the audit log', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const { id, url } = await post(alice, { status: `Hello @${bob.username}` })
    await act('delete', alice, [id])
    const strikes = async () => (await moderator.client.get(`/api/v1/admin/accounts/${alice.accountId}/strikes`)).body
    assert.equal((await strikes()).length, 1)
    const socket = await openSocket(await testServer.listen(), { token: bob.token })
    await socket.subscribe('user', 'public')
    await act('restore', alice, [id])
    socket.ws.close()
    assert.deepEqual(socket.received, [])
    assert.deepEqual((await bob.client.get('/api/v1/notifications', { types: ['mention'] })).body, [])
    assert.equal((await strikes()).length, 1)
    const query = { action: 'restore', target_type: 'status', target_id: id }
    const { body: entries } = await (
      await testServer.createUser({ role: 'admin', scopes: 'admin:read' })
    ).client.get('/api/v1/admin/audit_log', query)
    assert.equal(entries.length, 1)
    assertEntity('AdminAuditLogEntry', entries[0])
    assert.deepEqual([entries[0].account.id, entries[0].label], [moderator.accountId, url])
  })

  test('are those that the staff deleted less than 30 days ago, not those that their author deleted', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const [deleted, own, live] = [await post(alice), await post(alice), await post(alice)]
    const hidden = await post(alice, { visibility: 'private' })
    await bob.client.post('/api/v1/reports', { account_id: alice.accountId, status_ids: [own.id] })
    await alice.client.delete(`/api/v1/statuses/${own.id}`)
    await act('delete', alice, [deleted.id])
    const { body: list } = await moderator.client.get<AdminStatus[]>(pathOf(alice))
    for (const one of list) assertEntity('AdminStatus', one)
    assert.deepEqual(
      list.map((one) => [one.id, one.restorable_until !== null]),
      [
        [live.id, false],
        [own.id, false],
        [deleted.id, true],
      ],
    )
    const until = Date.parse(list[2]!.restorable_until!) - Date.parse(list[2]!.deleted_at!)
    assert.equal(until, 30 * 86_400_000)
    for (const one of [own, live]) assert.equal(await act('restore', alice, [one.id]), 422)
    for (const id of [hidden.id, '4711', 'x']) assert.equal(await act('restore', alice, [id]), 404)
    assert.equal(await act('restore', bob, [deleted.id]), 404)
    days = 31
    assert.equal(await act('restore', alice, [deleted.id]), 422)
    days = 0
    assert.equal(await act('restore', alice, [deleted.id, own.id, live.id]), 200)
    assert.deepEqual(await Promise.all([deleted, own, live].map(({ id }) => statusOf(id))), [200, 404, 200])
    // A repeated request changes nothing.
    assert.deepEqual([await act('restore', alice, [deleted.id]), await countOf(alice)], [422, 3])
    await alice.client.delete(`/api/v1/statuses/${deleted.id}`)
    assert.deepEqual([await act('restore', alice, [deleted.id]), await statusOf(deleted.id)], [404, 404])
  })

  test('are remote ones that are retained, unless their author deletes them meanwhile', async () => {
    const alice = await testServer.createUser()
    const bob = await remoteHost.createActor('bob')
    const accountId = await followEachOther(alice, bob)
    const notes = [bob.note(), bob.note()]
    for (const note of notes) await deliver(bob, bob.activity('Create', note))
    const ids = await Promise.all(notes.map(async (note) => (await fediverse.getStatus(note['id'])).id))
    await alice.client.post('/api/v1/reports', { account_id: accountId, status_ids: ids })
    assert.equal(await act('delete', { accountId }, ids), 200)
    await deliver(bob, bob.activity('Delete', notes[1]!['id']))
    bob.inbox.clear()
    assert.equal(await act('restore', { accountId }, ids), 200)
    assert.deepEqual(
      await Promise.all(ids.map((id) => alice.client.get(`/api/v1/statuses/${id}`).then((a) => a.status))),
      [200, 404],
    )
    assert.ok((await idsAt(alice, 'timelines/home')).includes(ids[0]!))
    assert.deepEqual(bob.inbox.received, [])
    const edited = { ...notes[0], content: '<p>Edited</p>', updated: new Date(Date.now() + 1_000).toISOString() }
    await deliver(bob, bob.activity('Update', edited))
    assert.equal((await find(ids[0]!, alice)).content, '<p>Edited</p>')
  })

  test('are restored once if it is requested several times, and not while they are purged', async () => {
    const alice = await testServer.createUser()
    const parent = await post(alice)
    const { id } = await post(alice, { in_reply_to_id: parent.id })
    await act('delete', alice, [id])
    const results = await Promise.all(Array.from({ length: 4 }, () => act('restore', alice, [id])))
    assert.deepEqual(
      results.toSorted((a, b) => a - b),
      [200, 422, 422, 422],
    )
    assert.deepEqual([(await find(parent.id)).replies_count, await countOf(alice)], [1, 2])
    for (let round = 0; round < 5; round += 1) {
      const one = await post(alice)
      await act('delete', alice, [one.id])
      // The purge sees the status as old enough, the restoration as young enough.
      await sql`update statuses set deleted_at = now() - interval '29 days 23 hours' where id = ${one.id}`.execute(
        ctx.db,
      )
      const purge = {
        ...ctx,
        write: ((work) =>
          ctx.write((tx) => work({ ...tx, now: new Date(Date.now() + 86_400_000) }))) as typeof ctx.write,
      }
      const [status] = await Promise.all([act('restore', alice, [one.id]), purgeHiddenStatuses(purge)])
      assert.ok([200, 404].includes(status))
      assert.equal(await statusOf(one.id), status)
    }
  })
})
