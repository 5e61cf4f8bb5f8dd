// Slow: drives client libraries through a status.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { multipart } from '../../../../../test/http/client.ts'
import { listenAs, eventsReceived } from '../../../../../test/streaming/record-events.ts'
import { openStreamingServer } from '../../../../../test/streaming/streams.ts'
import { untilWindow } from '../../../../../test/http/until-window.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Status } from '../../../../entities/statuses/status.ts'
import { compareIds, timeOfStatusId } from '../../../../lib/ids.ts'

let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
const streams = await openStreamingServer(testServer.ctx)
after(async () => {
  await streams.close()
  await testServer.close()
})

async function post(user: TestUser, body: object = {}): Promise<Status & { content: string }> {
  const response = await user.client.post('/api/v1/statuses', { status: 'words', ...body })
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body
}

async function upload(user: TestUser, description: string): Promise<string> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes: png }, description })
  return (await user.client.post('/api/v2/media', form.payload, form.headers)).body.id
}

suite('ids', () => {
  test('are strings in every entity; status ids contain the creation time in their upper six bytes', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const root = await post(alice, { media_ids: [await upload(alice, 'x')] })
    const reply = await post(bob, { status: `@${alice.username} yes`, in_reply_to_id: root.id })
    const reblog = (await bob.client.post<Status>(`/api/v1/statuses/${root.id}/reblog`)).body
    for (const status of [root, reply, reblog]) {
      const numericIds = JSON.stringify(status).match(/"(?:\w+_)?id":\d+/g)
      assert.equal(numericIds, null)
      assert.ok(Math.abs(timeOfStatusId(status.id).getTime() - Date.parse(status.created_at)) < 60_000)
    }
    const ids = [root.id, reply.id, reblog.id]
    assert.deepEqual(ids.toSorted(compareIds), ids)
  })
})

suite('undoing an interaction', () => {
  test('returns the status with the lower count, also when repeated', async () => {
    const [alice, bob, carol] = [
      await testServer.createUser(),
      await testServer.createUser(),
      await testServer.createUser(),
    ]
    const { id } = await post(alice)
    for (const [action, undo, key, count] of [
      ['favourite', 'unfavourite', 'favourited', 'favourites_count'],
      ['reblog', 'unreblog', 'reblogged', 'reblogs_count'],
    ] as const) {
      for (const user of [bob, carol]) await user.client.post(`/api/v1/statuses/${id}/${action}`)
      for (const _again of [1, 2]) {
        const { status, body } = await bob.client.post<Status>(`/api/v1/statuses/${id}/${undo}`)
        assert.deepEqual([status, body.id, body[key], body[count]], [200, id, false, 1], undo)
      }
    }
  })
})

suite('an edit', () => {
  test('that changes nothing returns the status, creates no version and publishes no event', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const status = await post(alice, { spoiler_text: 'cw', language: 'de' })
    await bob.client.post(`/api/v1/statuses/${status.id}/reblog`)
    await testServer.waitForJobs()
    const sockets = await listenAs(streams.origin, { users: { alice, bob }, streams: ['user'] })
    const same = await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'words', spoiler_text: 'cw' })
    assert.deepEqual([same.status, same.body.edited_at, same.body.content], [200, null, status.content])
    assert.deepEqual(await eventsReceived(testServer, sockets), { alice: [], bob: [] })
    assert.equal((await alice.client.get(`/api/v1/statuses/${status.id}/history`)).body.length, 1)
    await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'other words', spoiler_text: 'cw' })
    const events = await eventsReceived(testServer, sockets)
    assert.ok(events.bob.includes(`user status.update ${status.id}`), String(events.bob))
  })

  test('of a private status is streamed only to users who may read it', async () => {
    const [alice, follower, former, unrelated] = await Promise.all(
      [1, 2, 3, 4].map(async () => testServer.createUser()),
    )
    for (const user of [follower!, former!]) await user.client.post(`/api/v1/accounts/${alice!.accountId}/follow`)
    const status = await post(alice!, { visibility: 'private' })
    await testServer.waitForJobs()
    await former!.client.post(`/api/v1/accounts/${alice!.accountId}/unfollow`)
    const users = { follower: follower!, former: former!, unrelated: unrelated! }
    const sockets = await listenAs(streams.origin, { users, streams: ['user'] })
    await alice!.client.put(`/api/v1/statuses/${status.id}`, { status: 'other words' })
    assert.deepEqual(await eventsReceived(testServer, sockets), {
      follower: [`user status.update ${status.id}`],
      former: [],
      unrelated: [],
    })
    assert.equal((await former!.client.get(`/api/v1/statuses/${status.id}/history`)).status, 404)
  })

  test('changes the language; an omitted or invalid language keeps it', async () => {
    const alice = await testServer.createUser()
    const { id } = await post(alice, { language: 'de' })
    const edit = async (fields: object) =>
      (await alice.client.put(`/api/v1/statuses/${id}`, { status: 'x', ...fields })).body
    assert.equal((await edit({})).language, 'de')
    assert.equal((await edit({ language: 'fr' })).language, 'fr')
    assert.equal((await edit({ language: 'no language' })).language, 'fr')
    assert.equal((await edit({ language: null })).language, 'fr')
  })

  test('adds and removes a poll', async () => {
    const alice = await testServer.createUser()
    const { id } = await post(alice)
    const poll = { options: ['a', 'b'], expires_in: 3_600 }
    const edit = async (fields: object) =>
      (await alice.client.put(`/api/v1/statuses/${id}`, { status: 'x', ...fields })).body
    assert.equal((await edit({ poll })).poll.options.length, 2)
    assert.equal((await edit({})).poll, null)
    const { body: versions } = await alice.client.get(`/api/v1/statuses/${id}/history`)
    assert.deepEqual(
      versions.map((version: { poll?: { options: unknown[] } }) => version.poll?.options.length ?? 0),
      [0, 2, 0],
    )
  })

  test('counts as a post: 300 in three hours, then 429 until the window ends', async () => {
    const alice = await testServer.createUser()
    const windowMs = 3 * 3_600_000
    aheadMs += untilWindow(3, testServer.ctx.now())
    const { id } = await post(alice)
    const edit = async (n: number) => alice.client.put(`/api/v1/statuses/${id}`, { status: `version ${n}` })
    let last = await edit(0)
    for (let n = 1; n < 320 && last.status === 200; n += 1) {
      // Keeps the other throttles, which have shorter windows, from applying.
      aheadMs += 10_000
      last = await edit(n)
    }
    assert.equal(last.status, 429)
    assert.deepEqual([last.headers['x-ratelimit-limit'], last.headers['x-ratelimit-remaining']], ['300', '0'])
    assert.ok(Number(last.headers['retry-after']) > 0)
    assert.equal((await alice.client.get(`/api/v1/statuses/${id}/history`)).body.length, 300)
    aheadMs += windowMs
    assert.equal((await edit(400)).status, 200)
  })
})

suite('delete and redraft', () => {
  test('returns the source text, the media with descriptions and the poll; the media can be reused', async () => {
    const alice = await testServer.createUser()
    const media = [await upload(alice, 'a cat'), await upload(alice, 'a dog')]
    const { id } = await post(alice, { status: 'my <b> @nobody', spoiler_text: 'cw', media_ids: media })
    const { body } = await alice.client.delete<Status & { text: string }>(`/api/v1/statuses/${id}`)
    assert.deepEqual([body.id, body.text, body.spoiler_text], [id, 'my <b> @nobody', 'cw'])
    assert.equal('content' in body, false)
    assert.deepEqual(
      body.media_attachments.map((attachment) => [attachment.id, attachment.description]),
      [
        [media[0], 'a cat'],
        [media[1], 'a dog'],
      ],
    )
    const changed = await alice.client.put(`/api/v1/media/${media[0]}`, { description: 'a tiger' })
    assert.equal(changed.status, 200)
    const again = await post(alice, { status: body.text, media_ids: media.toReversed() })
    assert.deepEqual(
      again.media_attachments.map((attachment) => attachment.description),
      ['a dog', 'a tiger'],
    )
    const poll = { options: ['a', 'b'], expires_in: 3_600, multiple: true }
    const withPoll = await post(alice, { poll })
    const { body: deleted } = await alice.client.delete<Status>(`/api/v1/statuses/${withPoll.id}`)
    assert.deepEqual([deleted.poll?.multiple, deleted.poll?.options.map(({ title }) => title)], [true, ['a', 'b']])
  })

  test('works with unmodified masto.js; delete_media deletes the media', async () => {
    const alice = await testServer.createUser()
    const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: alice.token })
    const mediaIds = [await upload(alice, 'x'), await upload(alice, 'y')]
    const status = await masto.v1.statuses.create({ status: 'oops', mediaIds })
    const removed = await masto.v1.statuses.$select(status.id).remove()
    assert.deepEqual([removed.text, removed.mediaAttachments.length], ['oops', 2])
    const redrafted = await masto.v1.statuses.create({ status: 'better', mediaIds })
    const context = await masto.v1.statuses.$select(redrafted.id).context.fetch()
    assert.deepEqual([context.ancestors, context.descendants], [[], []])
    const edited = await masto.v1.statuses.$select(redrafted.id).update({ status: 'best' })
    assert.equal(edited.content, '<p>best</p>')
    const history = await masto.v1.statuses.$select(redrafted.id).history.list()
    assert.deepEqual([history.length, history[0]?.mediaAttachments.length], [2, 2])
    const source = await masto.v1.statuses.$select(redrafted.id).source.fetch()
    assert.equal(source.text, 'best')
    await alice.client.delete(`/api/v1/statuses/${redrafted.id}`, { delete_media: true })
    const { rows } = await sql`select from media_attachments where id = any(${mediaIds}::bigint[])`.execute(
      testServer.ctx.db,
    )
    assert.equal(rows.length, 0)
  })
})
