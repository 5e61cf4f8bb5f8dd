// Slow: drives client libraries through a status.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { multipart } from '../../../../../test/client.ts'
import { hearAll, heardBy } from '../../../../../test/hearing.ts'
import { serveStreams } from '../../../../../test/streams.ts'
import { untilWindow } from '../../../../../test/until-window.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import type { Status } from '../../../../entities/status.ts'
import { compareIds, timeOfStatusId } from '../../../../lib/ids.ts'

let later = 0
const world = await openWorld({ now: () => new Date(Date.now() + later) })
const streams = await serveStreams(world.ctx)
after(async () => {
  await streams.close()
  await world.close()
})

async function post(person: Person, body: object = {}): Promise<Status & { content: string }> {
  const answer = await person.client.post('/api/v1/statuses', { status: 'words', ...body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

async function upload(person: Person, description: string): Promise<string> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes: png }, description })
  return (await person.client.post('/api/v2/media', form.payload, form.headers)).body.id
}

suite('ids', () => {
  test('are texts wherever they stand, and those of statuses carry their moment in the upper six bytes', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const root = await post(alice, { media_ids: [await upload(alice, 'x')] })
    const reply = await post(bob, { status: `@${alice.username} yes`, in_reply_to_id: root.id })
    const boost = (await bob.client.post<Status>(`/api/v1/statuses/${root.id}/reblog`)).body
    for (const status of [root, reply, boost]) {
      const numbers = JSON.stringify(status).match(/"(?:\w+_)?id":\d+/g)
      assert.equal(numbers, null)
      assert.ok(Math.abs(timeOfStatusId(status.id).getTime() - Date.parse(status.created_at)) < 60_000)
    }
    const ids = [root.id, reply.id, boost.id]
    assert.deepEqual(ids.toSorted(compareIds), ids)
  })
})

suite('what is taken back', () => {
  test('says so in the answer, whether it was done before or not, with the figure already less', async () => {
    const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
    const { id } = await post(alice)
    for (const [deed, undo, key, figure] of [
      ['favourite', 'unfavourite', 'favourited', 'favourites_count'],
      ['reblog', 'unreblog', 'reblogged', 'reblogs_count'],
    ] as const) {
      for (const person of [bob, carol]) await person.client.post(`/api/v1/statuses/${id}/${deed}`)
      for (const _again of [1, 2]) {
        const { status, body } = await bob.client.post<Status>(`/api/v1/statuses/${id}/${undo}`)
        assert.deepEqual([status, body.id, body[key], body[figure]], [200, id, false, 1], undo)
      }
    }
  })
})

suite('an edit', () => {
  test('that changes nothing answers with the status as it is, makes no version, and nobody hears of it', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const status = await post(alice, { spoiler_text: 'cw', language: 'de' })
    await bob.client.post(`/api/v1/statuses/${status.id}/reblog`)
    await world.settle()
    const sockets = await hearAll(streams.origin, { people: { alice, bob }, streams: ['user'] })
    const same = await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'words', spoiler_text: 'cw' })
    assert.deepEqual([same.status, same.body.edited_at, same.body.content], [200, null, status.content])
    assert.deepEqual(await heardBy(world, sockets), { alice: [], bob: [] })
    assert.equal((await alice.client.get(`/api/v1/statuses/${status.id}/history`)).body.length, 1)
    await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'other words', spoiler_text: 'cw' })
    const heard = await heardBy(world, sockets)
    assert.ok(heard.bob.includes(`user status.update ${status.id}`), String(heard.bob))
  })

  test('of what is not for everybody comes to those alone who may read it', async () => {
    const [alice, follower, former, stranger] = await Promise.all([1, 2, 3, 4].map(async () => world.createPerson()))
    for (const one of [follower!, former!]) await one.client.post(`/api/v1/accounts/${alice!.accountId}/follow`)
    const status = await post(alice!, { visibility: 'private' })
    await world.settle()
    await former!.client.post(`/api/v1/accounts/${alice!.accountId}/unfollow`)
    const people = { follower: follower!, former: former!, stranger: stranger! }
    const sockets = await hearAll(streams.origin, { people, streams: ['user'] })
    await alice!.client.put(`/api/v1/statuses/${status.id}`, { status: 'other words' })
    assert.deepEqual(await heardBy(world, sockets), {
      follower: [`user status.update ${status.id}`],
      former: [],
      stranger: [],
    })
    assert.equal((await former!.client.get(`/api/v1/statuses/${status.id}/history`)).status, 404)
  })

  test('takes another language or keeps the one there is, and what names none', async () => {
    const alice = await world.createPerson()
    const { id } = await post(alice, { language: 'de' })
    const edit = async (fields: object) =>
      (await alice.client.put(`/api/v1/statuses/${id}`, { status: 'x', ...fields })).body
    assert.equal((await edit({})).language, 'de')
    assert.equal((await edit({ language: 'fr' })).language, 'fr')
    assert.equal((await edit({ language: 'no language' })).language, 'fr')
    assert.equal((await edit({ language: null })).language, 'fr')
  })

  test('adds a poll, and takes it away', async () => {
    const alice = await world.createPerson()
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

  test('is counted with posts: three hundred in three hours, then 429 until they are over', async () => {
    const alice = await world.createPerson()
    const windowMs = 3 * 3_600_000
    later += untilWindow(3, world.ctx.now())
    const { id } = await post(alice)
    const edit = async (n: number) => alice.client.put(`/api/v1/statuses/${id}`, { status: `version ${n}` })
    let last = await edit(0)
    for (let n = 1; n < 320 && last.status === 200; n += 1) {
      // Other throttles count in shorter windows.
      later += 10_000
      last = await edit(n)
    }
    assert.equal(last.status, 429)
    assert.deepEqual([last.headers['x-ratelimit-limit'], last.headers['x-ratelimit-remaining']], ['300', '0'])
    assert.ok(Number(last.headers['retry-after']) > 0)
    assert.equal((await alice.client.get(`/api/v1/statuses/${id}/history`)).body.length, 300)
    later += windowMs
    assert.equal((await edit(400)).status, 200)
  })
})

suite('deleting and writing it anew', () => {
  test('brings the text as it was typed, the pictures with their words, and the poll; the pictures are free for the new one', async () => {
    const alice = await world.createPerson()
    const media = [await upload(alice, 'a cat'), await upload(alice, 'a dog')]
    const { id } = await post(alice, { status: 'my <b> @nobody', spoiler_text: 'cw', media_ids: media })
    const { body } = await alice.client.delete<Status & { text: string }>(`/api/v1/statuses/${id}`)
    assert.deepEqual([body.id, body.text, body.spoiler_text], [id, 'my <b> @nobody', 'cw'])
    assert.equal('content' in body, false)
    assert.deepEqual(
      body.media_attachments.map((one) => [one.id, one.description]),
      [
        [media[0], 'a cat'],
        [media[1], 'a dog'],
      ],
    )
    const changed = await alice.client.put(`/api/v1/media/${media[0]}`, { description: 'a tiger' })
    assert.equal(changed.status, 200)
    const again = await post(alice, { status: body.text, media_ids: media.toReversed() })
    assert.deepEqual(
      again.media_attachments.map((one) => one.description),
      ['a dog', 'a tiger'],
    )
    const poll = { options: ['a', 'b'], expires_in: 3_600, multiple: true }
    const asked = await post(alice, { poll })
    const { body: deleted } = await alice.client.delete<Status>(`/api/v1/statuses/${asked.id}`)
    assert.deepEqual([deleted.poll?.multiple, deleted.poll?.options.map(({ title }) => title)], [true, ['a', 'b']])
  })

  test('is done by unmodified masto.js; with delete_media the pictures are gone', async () => {
    const alice = await world.createPerson()
    const masto = createRestAPIClient({ url: await world.listen(), accessToken: alice.token })
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
      world.ctx.db,
    )
    assert.equal(rows.length, 0)
  })
})
