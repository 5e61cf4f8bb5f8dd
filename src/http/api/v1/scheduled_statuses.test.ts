import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import sharp from 'sharp'
import { multipart } from '../../../../test/client.ts'
import { hasten } from '../../../../test/hasten.ts'
import { walkPages } from '../../../../test/walk.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'

const PATH = '/api/v1/scheduled_statuses'
const MINUTE = 60_000

let aheadMs = 0
const world = await openWorld({ env: { DB_POOL: '10' }, now: () => new Date(Date.now() + aheadMs) })
after(world.close)
const url = await world.listen()

const inMinutes = (minutes: number) => new Date(Date.now() + aheadMs + minutes * MINUTE).toISOString()
const schedule = (person: Person, minutes: number, fields: object = {}) =>
  person.client.post('/api/v1/statuses', { status: 'later', scheduled_at: inMinutes(minutes), ...fields })
const postsOf = async (person: Person) =>
  (await person.client.get(`/api/v1/accounts/${person.accountId}/statuses`)).body
const upload = async (person: Person): Promise<string> => {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#2b7a78' } })
    .png()
    .toBuffer()
  const { payload, headers } = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes } })
  return (await person.client.post('/api/v2/media', payload, headers)).body.id
}
/** Lets so many minutes pass, and what is due then be done. */
async function wait(minutes: number): Promise<void> {
  aheadMs += minutes * MINUTE
  await hasten(world.ctx, 'publishScheduled')
  await world.settle()
}

suite('a scheduled status', () => {
  test('is kept as it was sent until its time has come, and is then posted once, as it was wanted', async () => {
    const alice = await world.createPerson()
    const media = await upload(alice)
    const parent = (await alice.client.post('/api/v1/statuses', { status: 'a beginning' })).body.id
    const { status, body } = await schedule(alice, 10, {
      spoiler_text: 'wait',
      visibility: 'unlisted',
      language: 'fr',
      media_ids: [media],
      in_reply_to_id: parent,
      poll: { options: ['a', 'b'], expires_in: 600, multiple: true },
    })
    assert.equal(status, 200)
    assertOnWire('ScheduledStatus', body)
    assert.deepEqual(
      [body.params.text, body.params.spoiler_text, body.params.visibility, body.params.language, body.params.media_ids],
      ['later', 'wait', 'unlisted', 'fr', [media]],
    )
    assert.deepEqual([body.params.in_reply_to_id, body.params.poll.options], [parent, ['a', 'b']])
    assert.deepEqual(
      body.media_attachments.map(({ id }: { id: string }) => id),
      [media],
    )
    assert.deepEqual((await alice.client.get(`${PATH}/${body.id}`)).body, body)
    await wait(5)
    assert.equal((await postsOf(alice)).length, 1)
    await wait(6)
    await wait(0)
    const [posted, ...rest] = await postsOf(alice)
    assert.equal(rest.length, 1)
    assert.deepEqual(
      [posted.content, posted.spoiler_text, posted.visibility, posted.language, posted.in_reply_to_id],
      ['<p>later</p>', 'wait', 'unlisted', 'fr', parent],
    )
    assert.deepEqual([posted.media_attachments[0].id, posted.poll.multiple, posted.poll.expired], [media, true, false])
    assert.equal((await alice.client.get(`${PATH}/${body.id}`)).status, 404)
  })

  test('whose time has passed, or is not told, is posted at once', async () => {
    const alice = await world.createPerson()
    for (const scheduled_at of [inMinutes(-1), '2001-01-01', '']) {
      const { status, body } = await alice.client.post('/api/v1/statuses', { status: 'now', scheduled_at })
      assert.equal(status, 200)
      assertOnWire('Status', body)
    }
    assert.equal((await postsOf(alice)).length, 3)
  })

  test('BI9 is more than five minutes ahead, at a moment that there is', async () => {
    const alice = await world.createPerson()
    const near = await schedule(alice, 4)
    assert.deepEqual(
      [near.status, near.body.error],
      [422, 'Validation failed: Scheduled at The scheduled date must be in the future'],
    )
    for (const scheduled_at of ['NaN', '2027-02-30T00:00:00Z', '+275760-09-13T00:00:00Z', 'tomorrow']) {
      const { status } = await alice.client.post('/api/v1/statuses', { status: 'never', scheduled_at })
      assert.equal(status, 422, scheduled_at)
    }
    assert.deepEqual((await alice.client.get(PATH)).body, [])
  })

  test('is judged when it is written: nothing that could not be posted is kept', async () => {
    const alice = await world.createPerson()
    const wrong = [
      { status: '' },
      { status: 'x'.repeat(501) },
      { in_reply_to_id: '1' },
      { media_ids: ['1'] },
      { poll: { options: ['a'], expires_in: 600 } },
    ]
    for (const fields of wrong) assert.ok([404, 422].includes((await schedule(alice, 10, fields)).status))
    assert.deepEqual((await alice.client.get(PATH)).body, [])
  })

  test('is moved to another moment, and posted then only', async () => {
    const alice = await world.createPerson()
    const { body } = await schedule(alice, 10)
    const later = inMinutes(30)
    const moved = await alice.client.put(`${PATH}/${body.id}`, { scheduled_at: later })
    assert.deepEqual([moved.status, moved.body.scheduled_at], [200, later])
    assert.equal((await alice.client.put(`${PATH}/${body.id}`, { scheduled_at: inMinutes(2) })).status, 422)
    assert.equal((await alice.client.put(`${PATH}/${body.id}`)).status, 400)
    await wait(15)
    assert.deepEqual(await postsOf(alice), [])
    await wait(20)
    assert.equal((await postsOf(alice)).length, 1)
  })

  test('that is cancelled is never posted, and its picture is free again', async () => {
    const alice = await world.createPerson()
    const media = await upload(alice)
    const { body } = await schedule(alice, 10, { media_ids: [media] })
    assert.equal((await schedule(alice, 10, { media_ids: [media] })).status, 422)
    assert.equal((await alice.client.post('/api/v1/statuses', { media_ids: [media] })).status, 422)
    // Its description may still be changed.
    const described = await alice.client.put(`/api/v1/media/${media}`, { description: 'a square' })
    assert.deepEqual([described.status, described.body.description], [200, 'a square'])
    assert.equal((await alice.client.get(`${PATH}/${body.id}`)).body.media_attachments[0].description, 'a square')
    assert.deepEqual((await alice.client.delete(`${PATH}/${body.id}`)).body, {})
    assert.equal((await alice.client.delete(`${PATH}/${body.id}`)).status, 404)
    await wait(15)
    assert.deepEqual(await postsOf(alice), [])
    assert.equal((await alice.client.post('/api/v1/statuses', { media_ids: [media] })).status, 200)
  })

  test('is posted without what it answers when that has gone, and only once its author may post', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const parent = (await bob.client.post('/api/v1/statuses', { status: 'a beginning' })).body.id
    await schedule(alice, 10, { in_reply_to_id: parent })
    await bob.client.delete(`/api/v1/statuses/${parent}`)
    await schedule(bob, 10)
    await world.ctx.db
      .updateTable('users')
      .set({ disabled_at: new Date() })
      .where('account_id', '=', bob.accountId)
      .execute()
    await wait(25)
    const [posted] = await postsOf(alice)
    assert.deepEqual([posted.content, posted.in_reply_to_id], ['<p>later</p>', null])
    const seen = async () => (await alice.client.get(`/api/v1/accounts/${bob.accountId}/statuses`)).body.length
    assert.equal(await seen(), 0)
    await world.ctx.db.updateTable('users').set({ disabled_at: null }).where('account_id', '=', bob.accountId).execute()
    await world.ctx.write(async (tx) => tx.emit('clock.hourly', {}))
    await world.settle()
    assert.equal(await seen(), 1)
  })

  test('VI11 is its author’s alone', async () => {
    const [alice, mallory] = [await world.createPerson(), await world.createPerson()]
    const { body } = await schedule(alice, 10)
    const nothing = (await mallory.client.get(`${PATH}/1`)).body
    for (const answer of [
      await mallory.client.get(`${PATH}/${body.id}`),
      await mallory.client.put(`${PATH}/${body.id}`, { scheduled_at: inMinutes(20) }),
      await mallory.client.delete(`${PATH}/${body.id}`),
    ]) {
      assert.deepEqual([answer.status, answer.body], [404, nothing])
    }
    assert.deepEqual((await mallory.client.get(PATH)).body, [])
    assert.equal((await alice.client.get(PATH)).body.length, 1)
  })

  test('BI10 with the same key comes but once, also from fifty requests at the same time', async () => {
    const alice = await world.createPerson()
    const body = { status: 'later', scheduled_at: inMinutes(10) }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => alice.client.post('/api/v1/statuses', body, { 'idempotency-key': 'once' })),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1)
    assert.equal((await alice.client.get(PATH)).body.length, 1)
    await wait(11)
    const again = await alice.client.post('/api/v1/statuses', body, { 'idempotency-key': 'once' })
    assert.deepEqual([again.status, again.body.content], [200, '<p>later</p>'])
    assert.deepEqual(
      (await postsOf(alice)).map(({ id }: { id: string }) => id),
      [again.body.id],
    )
  })
})

test('no more than 25 are scheduled for one day, also when they come at once', async () => {
  const alice = await world.createPerson()
  const noon = new Date(Date.now() + aheadMs + 3 * 86_400_000)
  noon.setUTCHours(12, 0, 0, 0)
  const on = (day: number) =>
    alice.client.post('/api/v1/statuses', {
      status: 'later',
      scheduled_at: new Date(noon.getTime() + day * 86_400_000).toISOString(),
    })
  const answers = await Promise.all(Array.from({ length: 30 }, () => on(0)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 25)
  assert.match((await on(0)).body.error, /25/)
  const other = await on(1)
  assert.equal(other.status, 200)
  assert.equal((await alice.client.put(`${PATH}/${other.body.id}`, { scheduled_at: noon.toISOString() })).status, 422)
  const pages = await walkPages(alice.client, `${PATH}?limit=10`)
  assert.deepEqual(
    pages.map((page) => page.length),
    [10, 10, 6],
  )
  assert.equal(new Set(pages.flat()).size, 26)
})

test('masto.js schedules, finds, moves and cancels', async () => {
  const alice = await world.createPerson()
  const masto = createRestAPIClient({ url, accessToken: alice.token })
  const made = await masto.v1.statuses.create({ status: 'by client', scheduledAt: inMinutes(20) })
  const [found] = await masto.v1.scheduledStatuses.list()
  assert.deepEqual([found?.id, found?.params.text], [made.id, 'by client'])
  const moved = await masto.v1.scheduledStatuses.$select(made.id).update({ scheduledAt: inMinutes(40) })
  assert.equal((await masto.v1.scheduledStatuses.$select(made.id).fetch()).scheduledAt, moved.scheduledAt)
  await masto.v1.scheduledStatuses.$select(made.id).remove()
  assert.deepEqual(await masto.v1.scheduledStatuses.list(), [])
})
