import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { makeJobsDue } from '../../../../../../test/jobs/make-jobs-due.ts'
import { findPort } from '../../../../../../test/servers/linnet-process.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { openSocket, until } from '../../../../../../test/streaming/streams.ts'
import type { AdminAnnouncement } from '../../../../../entities/admin/settings/admin-announcement.ts'
import type { Announcement } from '../../../../../entities/instance/announcement.ts'

const PATH = '/api/v1/admin/announcements'
const HOUR_MS = 3_600_000

const port = await findPort()
let aheadMs = 0
const testServer = await openTestServer({
  env: { PORT: port, LOCAL_DOMAIN: `localhost:${port}` },
  now: () => new Date(Date.now() + aheadMs),
})
after(testServer.close)
const origin = await testServer.listen()
const { db } = testServer.ctx
const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })
const reader = await testServer.createUser()

const inHours = (hours: number) => new Date(Date.now() + aheadMs + hours * HOUR_MS).toISOString()
const create = async (payload: object): Promise<AdminAnnouncement> => {
  const { status, body } = await admin.client.post<AdminAnnouncement>(PATH, payload)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminAnnouncement', body)
  return body
}
const put = (id: string, payload: object) => admin.client.put<AdminAnnouncement>(`${PATH}/${id}`, payload)
const act = (id: string, action: 'publish' | 'unpublish') =>
  admin.client.post<AdminAnnouncement>(`${PATH}/${id}/${action}`)
const view = async (id: string) => (await admin.client.get<AdminAnnouncement>(`${PATH}/${id}`)).body
const shown = async (id: string) =>
  (await reader.client.get<Announcement[]>('/api/v1/announcements')).body.find((found) => found.id === id)
const actionsOf = async (id: string) =>
  (
    await db
      .selectFrom('audit_log_entries')
      .selectAll()
      .where('target_type', '=', 'announcement')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ action, account_id: actor, label }) => {
    assert.equal(actor, admin.accountId)
    return [action, label]
  })

/** Receives the announcements of the reader's stream. */
async function openStream() {
  const socket = await openSocket(origin, { token: reader.token })
  await socket.subscribe('user')
  const events = () =>
    socket.received.map(({ event, payload }) => [event, event === 'announcement' ? contentOf(payload) : payload])
  return {
    close: () => socket.ws.close(),
    waitFor: (count: number) => until(() => events().length === count && events()),
  }
}
const contentOf = (payload: string) => (JSON.parse(payload) as Announcement).content

suite('announcements', () => {
  test('are published at once, changed and deleted, and users see it in the list and in their streams', async () => {
    const stream = await openStream()
    const created = await create({ text: ' Hello #world\u0007 ', ends_at: inHours(2) })
    assert.deepEqual(
      [created.text, created.published, created.ended, created.scheduled_at],
      ['Hello #world', true, false, null],
    )
    assert.deepEqual(await view(created.id), created)
    assert.equal((await shown(created.id))?.content, created.content)
    await stream.waitFor(1)

    const changed = await put(created.id, { text: 'Bye', ends_at: null, starts_at: '2999-01-31', all_day: true })
    assert.equal(changed.status, 200)
    const { text, starts_at: startsAt, ends_at: endsAt, all_day: allDay } = changed.body
    assert.deepEqual([text, startsAt, endsAt, allDay], ['Bye', '2999-01-31T00:00:00.000Z', null, true])
    assert.equal((await shown(created.id))?.content, '<p>Bye</p>')
    await stream.waitFor(2)

    const { status, body } = await admin.client.delete(`${PATH}/${created.id}`)
    assert.deepEqual([status, body], [200, {}])
    assert.equal(await shown(created.id), undefined)
    assert.deepEqual(await stream.waitFor(3), [
      ['announcement', created.content],
      ['announcement', '<p>Bye</p>'],
      ['announcement.delete', created.id],
    ])
    stream.close()
    assert.deepEqual(await actionsOf(created.id), [
      ['create', 'Hello #world'],
      ['update', 'Bye'],
      ['delete', 'Bye'],
    ])
  })

  test('can be drafts, which users see only while they are published', async () => {
    const stream = await openStream()
    const { id, published, published_at: publishedAt } = await create({ text: 'Draft', published: false })
    assert.deepEqual([published, publishedAt], [false, null])
    assert.equal(await shown(id), undefined)
    assert.equal((await reader.client.post(`/api/v1/announcements/${id}/dismiss`)).status, 404)
    assert.equal((await reader.client.put(`/api/v1/announcements/${id}/reactions/🎉`)).status, 404)
    await put(id, { text: 'News' })

    const first = await act(id, 'publish')
    assert.deepEqual([first.status, first.body.published], [200, true])
    assert.deepEqual((await act(id, 'publish')).body, first.body)
    assert.equal((await shown(id))?.content, '<p>News</p>')
    await stream.waitFor(1)
    assert.equal((await act(id, 'unpublish')).body.published, false)
    assert.equal((await act(id, 'unpublish')).status, 200)
    assert.equal(await shown(id), undefined)
    await stream.waitFor(2)
    // The removal of a draft is no event for users.
    await admin.client.delete(`${PATH}/${id}`)
    const last = await create({ text: 'Last' })
    assert.deepEqual(await stream.waitFor(3), [
      ['announcement', '<p>News</p>'],
      ['announcement.delete', id],
      ['announcement', '<p>Last</p>'],
    ])
    stream.close()
    await admin.client.delete(`${PATH}/${last.id}`)
    assert.deepEqual(
      (await actionsOf(id)).map(([action]) => action),
      ['create', 'update', 'publish', 'unpublish', 'delete'],
    )
  })

  test('are published at their scheduled time, unless that is changed or removed', async () => {
    const { id } = await create({ text: 'Soon', scheduled_at: inHours(1), ends_at: inHours(10) })
    const cancelled = await create({ text: 'Never', scheduled_at: inHours(1) })
    await put(cancelled.id, { scheduled_at: null })
    const unscheduled = await create({ text: 'Never', scheduled_at: inHours(1) })
    await act(unscheduled.id, 'unpublish')
    const wait = async (hours: number) => {
      aheadMs += hours * HOUR_MS
      await makeJobsDue(testServer.ctx, 'publishDueAnnouncement')
      await testServer.waitForJobs()
    }
    await wait(0.5)
    assert.equal(await shown(id), undefined)
    assert.equal((await put(id, { scheduled_at: inHours(2) })).status, 200)
    await wait(1)
    assert.equal(await shown(id), undefined)
    await wait(1)
    assert.equal((await shown(id))?.content, '<p>Soon</p>')
    const { published, scheduled_at: scheduledAt } = await view(id)
    assert.deepEqual([published, scheduledAt], [true, null])
    for (const other of [cancelled, unscheduled]) {
      const { published: isPublished, scheduled_at: at } = await view(other.id)
      assert.deepEqual([isPublished, at], [false, null])
    }
    assert.equal((await put(id, { scheduled_at: inHours(1) })).body.published, undefined)
    aheadMs += 10 * HOUR_MS
    assert.equal(await shown(id), undefined)
    assert.equal((await view(id)).ended, true)
    assert.equal((await put(id, { text: 'It was nice' })).status, 200)
    const listed = await admin.client.get<AdminAnnouncement[]>(PATH)
    assert.deepEqual(
      listed.body.map((found) => found.id),
      [unscheduled.id, cancelled.id, id],
    )
    for (const announcement of listed.body) assertEntity('AdminAnnouncement', announcement)
  })

  test('need a text and times that make sense', async () => {
    const { id } = await create({ text: 'x', published: false })
    for (const [payload, error] of [
      [{ text: ' ' }, "Text can't be blank"],
      [{ text: 'x'.repeat(10_001) }, 'Text is too long (maximum is 10000 characters)'],
      [{ text: 'x', starts_at: 'soon' }, 'Starts at is invalid'],
      [{ text: 'x', ends_at: inHours(-1) }, 'Ends at is in the past'],
      [{ text: 'x', starts_at: inHours(2), ends_at: inHours(1) }, 'Ends at is before the start'],
      [{ text: 'x', all_day: true }, "Starts at can't be blank for an all-day announcement without an end"],
      [{ text: 'x', scheduled_at: inHours(-1) }, 'Scheduled at is in the past'],
      [{ text: 'x', scheduled_at: inHours(2), ends_at: inHours(1) }, 'Scheduled at is not before the end'],
    ] as const) {
      for (const { status, body } of [
        await admin.client.post(PATH, payload),
        await admin.client.put(`${PATH}/${id}`, payload),
      ]) {
        assert.deepEqual([status, body.error], [422, `Validation failed: ${error}`])
      }
    }
    assert.equal((await admin.client.post(PATH, {})).status, 422)
    const ended = await create({ text: 'x', published: false, ends_at: inHours(1) })
    aheadMs += 2 * HOUR_MS
    assert.equal((await act(ended.id, 'publish')).status, 422)
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'nonsense']) {
      for (const answer of [
        await admin.client.get(`${PATH}/${id}`),
        await put(id, { text: 'x' }),
        await act(id, 'publish'),
        await act(id, 'unpublish'),
        await admin.client.delete(`${PATH}/${id}`),
      ])
        assert.deepEqual([answer.status, (answer.body as { error?: string }).error], [404, 'Record not found'], id)
    }
  })
})
