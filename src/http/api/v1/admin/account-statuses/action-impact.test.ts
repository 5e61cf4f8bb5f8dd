import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../../../../test/federation/fediverse.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { uploadFile } from '../../../../../../test/http/upload-file.ts'
import { createImage } from '../../../../../../test/media/images.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import type { AdminStatusActionImpact } from '../../../../../entities/admin/content/admin-status-action-impact.ts'
import type { Status } from '../../../../../entities/statuses/status.ts'

const DAY_MS = 86_400_000

const fediverse = await openFediverse({ hosts: ['one.test', 'two.test', 'three.test'] })
after(fediverse.close)
const { testServer, peer, deliver, uriOf, followEachOther } = fediverse
const moderator = await testServer.createUser({ role: 'moderator', scopes: 'admin:read admin:write' })

const request = (accountId: string, query: Record<string, string | string[]>) =>
  moderator.client.get(`/api/v1/admin/accounts/${accountId}/statuses/action_impact`, query)

async function impactOf(accountId: string, ids: string[]): Promise<AdminStatusActionImpact> {
  const { status, body } = await request(accountId, { type: 'delete', status_ids: ids })
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminStatusActionImpact', body)
  return body as AdminStatusActionImpact
}

/** Returns the counts that are not 0, without the suffix. */
function countsOf(impact: AdminStatusActionImpact): Record<string, number> {
  const counts = Object.entries(impact).filter(([name, value]) => name.endsWith('_count') && value !== 0)
  return Object.fromEntries(counts.map(([name, value]) => [name.slice(0, -'_count'.length), value as number]))
}

async function post({ client }: TestUser, more: object = {}): Promise<Status> {
  const { status, body } = await client.post<Status>('/api/v1/statuses', { status: 'Something', ...more })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

suite('the impact of the deletion of statuses', () => {
  test('counts interactions, media and servers of local statuses, and changes nothing', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const [follower, fan, other] = [
      await peer.host('one.test').createActor('follower'),
      await peer.host('two.test').createActor('fan'),
      await peer.host('three.test').createActor('other'),
    ]
    await deliver(follower, follower.activity('Follow', uriOf(alice)))
    const { body: media } = await uploadFile(alice, await createImage('png'))
    const [first, second] = [await post(alice, { media_ids: [media.id] }), await post(alice)]
    const localOnly = await post(alice, { local_only: true })
    await post(bob, { in_reply_to_id: first.id })
    await post(bob, { quoted_status_id: first.id })
    for (const action of ['reblog', 'favourite', 'bookmark'])
      for (const { id } of [first, second]) await bob.client.post(`/api/v1/statuses/${id}/${action}`)
    await deliver(fan, fan.activity('Like', second.uri))
    const before = await testServer.anonymous.get(`/api/v1/statuses/${first.id}`)
    const both = await impactOf(alice.accountId, [first.id, second.id, '4711', 'x'])
    assert.deepEqual(countsOf(both), {
      statuses: 2,
      replies: 1,
      reblogs: 2,
      favourites: 3,
      bookmarks: 2,
      quotes: 1,
      media_files: 1,
      servers: 2,
    })
    assert.ok(both.media_files_bytes > 0)
    assert.equal(both.reversible, true)
    assert.ok(Math.abs(Date.parse(both.reversible_until!) - Date.now() - 30 * DAY_MS) < 60_000)
    assert.deepEqual(countsOf(await impactOf(alice.accountId, [localOnly.id])), { statuses: 1 })
    assert.deepEqual((await testServer.anonymous.get(`/api/v1/statuses/${first.id}`)).body, before.body)
    // The servers are those that receive the Delete.
    const payload = { type: 'delete', status_ids: [first.id, second.id] }
    await moderator.client.post(`/api/v1/admin/accounts/${alice.accountId}/statuses/action`, payload)
    await testServer.waitForJobs()
    assert.deepEqual(
      [follower, fan, other].map(({ inbox }) => inbox.all('Delete').length > 0),
      [true, true, false],
    )
  })

  test('is reversible for remote statuses only if they are reported, and reaches no server', async () => {
    const alice = await testServer.createUser()
    const bob = await peer.host('one.test').createActor('bob')
    const accountId = await followEachOther(alice, bob)
    const notes = [bob.note(), bob.note()]
    for (const note of notes) await deliver(bob, bob.activity('Create', note))
    const ids = await Promise.all(notes.map(async (note) => (await fediverse.getStatus(note['id'])).id))
    await alice.client.post('/api/v1/reports', { account_id: accountId, status_ids: [ids[0]] })
    const reported = await impactOf(accountId, [ids[0]!])
    assert.deepEqual([countsOf(reported), reported.reversible], [{ statuses: 1 }, true])
    const both = await impactOf(accountId, ids)
    assert.deepEqual([both.statuses_count, both.reversible, both.reversible_until], [2, false, null])
  })

  test('is refused for unknown and hidden statuses, for other types, and without the permission', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const [own, hidden, foreign] = [await post(alice), await post(alice, { visibility: 'private' }), await post(bob)]
    const statusOf = async (ids: string[], type = 'delete', accountId = alice.accountId) =>
      (await request(accountId, { type, status_ids: ids })).status
    for (const id of [hidden.id, foreign.id, '4711', 'x']) assert.equal(await statusOf([id]), 404)
    assert.equal(await statusOf([own.id], 'delete', '4711'), 404)
    assert.equal(await statusOf([own.id], 'explode'), 422)
    assert.equal(await statusOf(Array.from({ length: 101 }, () => own.id)), 422)
    assert.equal(await statusOf([own.id]), 200)
    const path = `/api/v1/admin/accounts/${alice.accountId}/statuses/action_impact`
    assert.equal((await bob.client.get(path, { type: 'delete', status_ids: [own.id] })).status, 403)
  })
})
