import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import sharp from 'sharp'
import { multipart } from '../../../../../test/http/client.ts'
import { makeJobsDue } from '../../../../../test/jobs/make-jobs-due.ts'
import { walkPages } from '../../../../../test/http/walk-pages.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { disable, enable } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import { addAlias } from '../../../../domain/accounts/migration/account-aliases.ts'
import { cancelMove, moveAccount } from '../../../../domain/accounts/migration/move-account.ts'
import { memorializeAccount } from '../../../../domain/moderation/accounts/account-states.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const PATH = '/api/v1/scheduled_statuses'
const MINUTE = 60_000

let aheadMs = 0
const testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const url = await testServer.listen()

const inMinutes = (minutes: number) => new Date(Date.now() + aheadMs + minutes * MINUTE).toISOString()
const schedule = (user: TestUser, minutes: number, fields: object = {}) =>
  user.client.post('/api/v1/statuses', { status: 'later', scheduled_at: inMinutes(minutes), ...fields })
const postsOf = async (user: TestUser) => (await user.client.get(`/api/v1/accounts/${user.accountId}/statuses`)).body
const upload = async (user: TestUser): Promise<string> => {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#2b7a78' } })
    .png()
    .toBuffer()
  const { payload, headers } = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes } })
  return (await user.client.post('/api/v2/media', payload, headers)).body.id
}
/** Advances the clock and runs the jobs that are due then. */
async function wait(minutes: number): Promise<void> {
  aheadMs += minutes * MINUTE
  await makeJobsDue(testServer.ctx, 'publishScheduledStatus')
  await testServer.waitForJobs()
}

suite('a scheduled status', () => {
  test('is stored with its parameters and published once at its time', async () => {
    const alice = await testServer.createUser()
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
    assertEntity('ScheduledStatus', body)
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

  test('with a past or an empty time is published at once', async () => {
    const alice = await testServer.createUser()
    for (const scheduled_at of [inMinutes(-1), '2001-01-01', '']) {
      const { status, body } = await alice.client.post('/api/v1/statuses', { status: 'now', scheduled_at })
      assert.equal(status, 200)
      assertEntity('Status', body)
    }
    assert.equal((await postsOf(alice)).length, 3)
  })

  test('BI9 needs a valid time more than five minutes ahead', async () => {
    const alice = await testServer.createUser()
    const near = await schedule(alice, 4)
    assert.deepEqual(
      [near.status, near.body.error],
      [422, 'Validation failed: Scheduled at The scheduled date must be in the future'],
    )
    for (const scheduled_at of ['NaN', '2027-02-30T00:00:00Z', '+275760-09-13T00:00:00Z', 'tomorrow']) {
      const { status, body } = await alice.client.post('/api/v1/statuses', { status: 'never', scheduled_at })
      assert.deepEqual([status, body.error], [422, 'Invalid date supplied'], scheduled_at)
    }
    assert.deepEqual((await alice.client.get(PATH)).body, [])
  })

  test('is validated when it is created: a status that could not be published is rejected', async () => {
    const alice = await testServer.createUser()
    const invalid = [
      { status: '' },
      { status: 'x'.repeat(501) },
      { in_reply_to_id: '1' },
      { media_ids: ['1'] },
      { poll: { options: ['a'], expires_in: 600 } },
    ]
    for (const fields of invalid) assert.ok([404, 422].includes((await schedule(alice, 10, fields)).status))
    assert.deepEqual((await alice.client.get(PATH)).body, [])
  })

  test('can be rescheduled, and is published only then', async () => {
    const alice = await testServer.createUser()
    const { body } = await schedule(alice, 10)
    const later = inMinutes(30)
    const rescheduled = await alice.client.put(`${PATH}/${body.id}`, { scheduled_at: later })
    assert.deepEqual([rescheduled.status, rescheduled.body.scheduled_at], [200, later])
    assert.equal((await alice.client.put(`${PATH}/${body.id}`, { scheduled_at: inMinutes(2) })).status, 422)
    assert.equal((await alice.client.put(`${PATH}/${body.id}`)).status, 400)
    await wait(15)
    assert.deepEqual(await postsOf(alice), [])
    await wait(20)
    assert.equal((await postsOf(alice)).length, 1)
  })

  test('that is cancelled is never published, and its media can be used again', async () => {
    const alice = await testServer.createUser()
    const media = await upload(alice)
    const { body } = await schedule(alice, 10, { media_ids: [media] })
    assert.equal((await schedule(alice, 10, { media_ids: [media] })).status, 422)
    assert.equal((await alice.client.post('/api/v1/statuses', { media_ids: [media] })).status, 422)
    // The description of the attachment may still be changed.
    const described = await alice.client.put(`/api/v1/media/${media}`, { description: 'a square' })
    assert.deepEqual([described.status, described.body.description], [200, 'a square'])
    assert.equal((await alice.client.get(`${PATH}/${body.id}`)).body.media_attachments[0].description, 'a square')
    assert.deepEqual((await alice.client.delete(`${PATH}/${body.id}`)).body, {})
    assert.equal((await alice.client.delete(`${PATH}/${body.id}`)).status, 404)
    await wait(15)
    assert.deepEqual(await postsOf(alice), [])
    assert.equal((await alice.client.post('/api/v1/statuses', { media_ids: [media] })).status, 200)
  })

  test('is published without a deleted parent, and only once its author may post', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const parent = (await bob.client.post('/api/v1/statuses', { status: 'a beginning' })).body.id
    await schedule(alice, 10, { in_reply_to_id: parent })
    await bob.client.delete(`/api/v1/statuses/${parent}`)
    await schedule(bob, 10)
    await disable(testServer.ctx, bob)
    const carol = await testServer.createUser()
    await schedule(carol, 10)
    await testServer.ctx.write((tx) => memorializeAccount(tx, carol))
    await wait(25)
    assert.deepEqual((await alice.client.get(`/api/v1/accounts/${carol.accountId}/statuses`)).body, [])
    const [posted] = await postsOf(alice)
    assert.deepEqual([posted.content, posted.in_reply_to_id], ['<p>later</p>', null])
    const countStatuses = async () => (await alice.client.get(`/api/v1/accounts/${bob.accountId}/statuses`)).body.length
    assert.equal(await countStatuses(), 0)
    await enable(testServer.ctx, bob)
    await testServer.ctx.write(async (tx) => tx.emit('clock.hourly', {}))
    await testServer.waitForJobs()
    assert.equal(await countStatuses(), 1)
  })

  test('of an account that has moved is published only after the move is cancelled', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const { ctx } = testServer
    await schedule(alice, 10)
    await addAlias(ctx, { accountId: bob.accountId, name: alice.username })
    await moveAccount(ctx, { accountId: alice.accountId, name: bob.username, session: null })
    const readPosts = async () => (await bob.client.get(`/api/v1/accounts/${alice.accountId}/statuses`)).body
    await wait(25)
    assert.deepEqual(await readPosts(), [])
    await ctx.write((tx) => cancelMove(tx, alice))
    await ctx.write(async (tx) => tx.emit('clock.hourly', {}))
    await testServer.waitForJobs()
    assert.equal((await readPosts()).length, 1)
  })

  test('is dropped if it has become invalid by a hashtag that is no longer allowed', async () => {
    const alice = await testServer.createUser()
    await schedule(alice, 10, { status: '#dodo' })
    await sql`insert into tags (name, display_name, usable) values ('dodo', 'dodo', false)`.execute(testServer.ctx.db)
    await wait(15)
    assert.deepEqual(await postsOf(alice), [])
    assert.deepEqual((await alice.client.get(PATH)).body, [])
  })

  test('VI11 is visible to its author only', async () => {
    const [alice, mallory] = [await testServer.createUser(), await testServer.createUser()]
    const { body } = await schedule(alice, 10)
    const notFound = (await mallory.client.get(`${PATH}/1`)).body
    for (const response of [
      await mallory.client.get(`${PATH}/${body.id}`),
      await mallory.client.put(`${PATH}/${body.id}`, { scheduled_at: inMinutes(20) }),
      await mallory.client.delete(`${PATH}/${body.id}`),
    ]) {
      assert.deepEqual([response.status, response.body], [404, notFound])
    }
    assert.deepEqual((await mallory.client.get(PATH)).body, [])
    assert.equal((await alice.client.get(PATH)).body.length, 1)
  })

  test('BI10 is created once for the same idempotency key, also by fifty concurrent requests', async () => {
    const alice = await testServer.createUser()
    const body = { status: 'later', scheduled_at: inMinutes(10) }
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => alice.client.post('/api/v1/statuses', body, { 'idempotency-key': 'once' })),
    )
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
    assert.equal(new Set(responses.map((response) => response.body.id)).size, 1)
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

test('at most 25 statuses are scheduled for one day, also by concurrent requests', async () => {
  const alice = await testServer.createUser()
  const noon = new Date(Date.now() + aheadMs + 3 * 86_400_000)
  noon.setUTCHours(12, 0, 0, 0)
  const scheduleOn = (day: number) =>
    alice.client.post('/api/v1/statuses', {
      status: 'later',
      scheduled_at: new Date(noon.getTime() + day * 86_400_000).toISOString(),
    })
  const responses = await Promise.all(Array.from({ length: 30 }, () => scheduleOn(0)))
  assert.equal(responses.filter(({ status }) => status === 200).length, 25)
  const problem = 'Validation failed: You have exceeded the limit of 25 scheduled posts for that day'
  assert.equal((await scheduleOn(0)).body.error, problem)
  const nextDay = await scheduleOn(1)
  assert.equal(nextDay.status, 200)
  assert.equal((await alice.client.put(`${PATH}/${nextDay.body.id}`, { scheduled_at: noon.toISOString() })).status, 422)
  const pages = await walkPages(alice.client, `${PATH}?limit=10`)
  assert.deepEqual(
    pages.map((page) => page.length),
    [10, 10, 6],
  )
  assert.equal(new Set(pages.flat()).size, 26)
})

test('masto.js schedules, finds, reschedules and cancels a status', async () => {
  const alice = await testServer.createUser()
  const masto = createRestAPIClient({ url, accessToken: alice.token })
  const created = await masto.v1.statuses.create({ status: 'by client', scheduledAt: inMinutes(20) })
  const [found] = await masto.v1.scheduledStatuses.list()
  assert.deepEqual([found?.id, found?.params.text], [created.id, 'by client'])
  const rescheduled = await masto.v1.scheduledStatuses.$select(created.id).update({ scheduledAt: inMinutes(40) })
  assert.equal((await masto.v1.scheduledStatuses.$select(created.id).fetch()).scheduledAt, rescheduled.scheduledAt)
  await masto.v1.scheduledStatuses.$select(created.id).remove()
  assert.deepEqual(await masto.v1.scheduledStatuses.list(), [])
})
