import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount, createRemoteStatus } from '../../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { FORM_TYPE } from '../../../../../test/http/echo-server.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Status, StatusEdit } from '../../../../entities/statuses/status.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)
const { db } = testServer.ctx

async function post(user: TestUser, body: Record<string, unknown>): Promise<Status> {
  const response = await user.client.post<Status>('/api/v1/statuses', body)
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body
}

async function edit(user: TestUser, id: string, body: Record<string, unknown>): Promise<Status> {
  const response = await user.client.put<Status>(`/api/v1/statuses/${id}`, body)
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body
}

async function history(id: string, user?: TestUser): Promise<StatusEdit[]> {
  const { status, body } = await (user?.client ?? testServer.anonymous).get(`/api/v1/statuses/${id}/history`)
  assert.equal(status, 200)
  return body
}

async function notificationsFor(user: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  const { body } = await user.client.get('/api/v1/notifications')
  return body.map(({ type, status }: { type: string; status?: Status }) => `${type} ${status?.id}`)
}

/** Inserts an upload of a user without a file. */
async function upload({ accountId }: TestUser, type = 'image'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
    values (${accountId}, ${type}, 'media/a.png', 'media/b.png', 'image/png', 1, '{}') returning id`.execute(db)
  return rows[0]!.id
}

test('an edit replaces everything but the language; the history has all versions, the first one first', async () => {
  const alice = await testServer.createUser()
  const first = await post(alice, {
    status: 'one #tag',
    spoiler_text: 'careful',
    visibility: 'unlisted',
    language: 'de',
    media_ids: [await upload(alice)],
  })
  const second = await edit(alice, first.id, { status: 'two #other' })
  assertEntity('Status', second)
  assert.deepEqual(
    [second.id, second.content, second.spoiler_text, second.sensitive, second.media_attachments, second.language],
    [
      first.id,
      '<p>two <a href="https://linnet.test/tags/other" class="mention hashtag" rel="tag">#<span>other</span></a></p>',
      '',
      false,
      [],
      'de',
    ],
  )
  assert.deepEqual([second.visibility, second.created_at], ['unlisted', first.created_at])
  assert.ok(second.edited_at)
  assert.deepEqual(
    second.tags.map(({ name }) => name),
    ['other'],
  )
  const third = await edit(alice, first.id, { status: 'three', language: 'fr', sensitive: true })
  assert.equal(third.language, 'fr')
  const versions = await history(first.id)
  for (const version of versions) assertEntity('StatusEdit', version)
  assert.deepEqual(
    versions.map((version) => [
      version.created_at,
      version.spoiler_text,
      version.sensitive,
      version.media_attachments.length,
    ]),
    [
      [first.created_at, 'careful', true, 1],
      [second.edited_at, '', false, 0],
      [third.edited_at, '', true, 0],
    ],
  )
  assert.match(versions[0]!.content, /one/)
  assert.equal(versions[2]!.content, '<p>three</p>')
})

test('a status that was never edited has one version; the source is its original text', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const text = 'plain <b> &amp; @nobody'
  const status = await post(alice, { status: text, spoiler_text: 'cw' })
  const [version, ...more] = await history(status.id)
  assert.deepEqual([version?.created_at, version?.content, more], [status.created_at, status.content, []])
  const source = await bob.client.get(`/api/v1/statuses/${status.id}/source`)
  assertEntity('StatusSource', source.body)
  assert.deepEqual(source.body, { id: status.id, text, spoiler_text: 'cw' })
  assert.equal((await testServer.anonymous.get(`/api/v1/statuses/${status.id}/source`)).status, 401)
})

test('an edit that changes nothing creates no version; another language is a change', async () => {
  const alice = await testServer.createUser()
  const media_ids = [await upload(alice), await upload(alice)]
  const body = { status: 'same', spoiler_text: 'cw', media_ids }
  const { id } = await post(alice, { ...body, language: 'en' })
  const again = await edit(alice, id, { ...body, media_attributes: [{ id: media_ids[0] }] })
  assert.equal(again.edited_at, null)
  assert.equal((await history(id)).length, 1)
  await edit(alice, id, { ...body, language: 'de' })
  assert.equal((await history(id)).length, 2)
  await edit(alice, id, { ...body, media_ids: media_ids.toReversed() })
  assert.equal((await history(id)).length, 3)
})

test('an edit changes descriptions and focus; the history has the former values', async () => {
  const alice = await testServer.createUser()
  const [a, b] = [await upload(alice), await upload(alice)]
  const { id } = await post(alice, { status: 'pictures', media_ids: [a] })
  const edited = await edit(alice, id, {
    status: 'pictures',
    media_ids: [b, a],
    media_attributes: [
      { id: a, description: 'the first', focus: '0.5,-0.5' },
      { id: b, focus: 'nonsense' },
      { id: '999999', description: 'of an unknown upload' },
    ],
  })
  const mediaOf = ({ media_attachments }: Pick<Status, 'media_attachments'>) =>
    media_attachments.map((attachment) => [attachment.id, attachment.description, attachment.meta?.focus])
  const now = [
    [b, null, undefined],
    [a, 'the first', { x: 0.5, y: -0.5 }],
  ]
  assert.deepEqual(mediaOf(edited), now)
  const versions = await history(id)
  assert.deepEqual(versions.map(mediaOf), [[[a, null, undefined]], now])
  // Removed media can be attached again.
  await edit(alice, id, { status: 'pictures' })
  assert.deepEqual(mediaOf(await edit(alice, id, { status: 'pictures', media_ids: [a] })), [now[1]])
})

test('media_ids[]= of a form is an empty list', async () => {
  const alice = await testServer.createUser()
  const posted = await alice.client.post('/api/v1/statuses', 'status=one&media_ids[]=', FORM_TYPE)
  assert.deepEqual([posted.status, posted.body.media_attachments], [200, []])
  const { id } = await post(alice, { status: 'picture', media_ids: [await upload(alice)] })
  const edited = await alice.client.put(`/api/v1/statuses/${id}`, 'status=text&media_ids[]=', FORM_TYPE)
  assert.deepEqual([edited.status, edited.body.media_attachments], [200, []])
})

test('VI18 an edit rejects a fifth upload and foreign uploads, and keeps visibility and parent', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const parent = await post(bob, { status: 'parent' })
  const status = await post(alice, { status: 'x', visibility: 'private', in_reply_to_id: parent.id })
  const five = await Promise.all(Array.from({ length: 5 }, () => upload(alice)))
  const editStatusCode = async (media_ids: string[]) =>
    (await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'y', media_ids })).status
  assert.equal(await editStatusCode(five), 422)
  assert.equal(await editStatusCode([await upload(bob)]), 422)
  assert.equal(await editStatusCode([await upload(alice), await upload(alice, 'video')]), 422)
  const taken = await upload(alice)
  await post(alice, { status: 'has it', media_ids: [taken] })
  assert.equal(await editStatusCode([taken]), 422)
  assert.equal((await history(status.id, alice)).length, 1)
  const edited = await edit(alice, status.id, { status: 'z', visibility: 'public', in_reply_to_id: '' })
  assert.deepEqual([edited.visibility, edited.in_reply_to_id], ['private', parent.id])
})

test('VI1 only the author can edit a status, and hidden statuses have no history', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const status = await post(alice, { status: 'mine', visibility: 'private' })
  const remote = await createRemoteStatus(testServer.ctx, { accountId: await createRemoteAccount(testServer.ctx) })
  const reblog = await alice.client.post<Status>(`/api/v1/statuses/${status.id}/reblog`)
  const put = async (user: TestUser, id: string) =>
    (await user.client.put(`/api/v1/statuses/${id}`, { status: 'changed' })).status
  assert.deepEqual(
    [await put(bob, status.id), await put(bob, remote), await put(alice, reblog.body.id)],
    [404, 404, 404],
  )
  for (const path of ['history', 'source']) {
    const hidden = await bob.client.get(`/api/v1/statuses/${status.id}/${path}`)
    const absent = await bob.client.get(`/api/v1/statuses/1/${path}`)
    assert.deepEqual([hidden.status, hidden.body], [404, absent.body])
  }
  assert.equal((await alice.client.put(`/api/v1/statuses/${status.id}`, { status: ' ' })).status, 422)
})

test('VI4 an edit notifies new mentions and boosters; former mentions keep access without notification', async () => {
  const [alice, bob, carol, fan] = await Promise.all(Array.from({ length: 4 }, () => testServer.createUser()))
  const status = await post(alice!, { status: `hi @${bob!.username}`, visibility: 'private' })
  const reblogged = await post(alice!, { status: 'public' })
  await fan!.client.post(`/api/v1/statuses/${reblogged.id}/reblog`)
  assert.deepEqual(await notificationsFor(bob!), [`mention ${status.id}`])
  const edited = await edit(alice!, status.id, { status: `hi @${carol!.username}` })
  assert.deepEqual(
    edited.mentions.map(({ id }) => id),
    [carol!.accountId],
  )
  assert.deepEqual(await notificationsFor(carol!), [`mention ${status.id}`])
  assert.deepEqual(await notificationsFor(bob!), [`mention ${status.id}`])
  assert.equal((await bob!.client.get(`/api/v1/statuses/${status.id}`)).status, 200)

  await edit(alice!, reblogged.id, { status: 'public, edited' })
  assert.deepEqual(await notificationsFor(fan!), [`update ${reblogged.id}`])
  const ids = async () => (await fan!.client.get('/api/v1/notifications')).body.map(({ id }: { id: string }) => id)
  const before = await ids()
  await edit(alice!, reblogged.id, { status: 'public, edited again' })
  assert.deepEqual(await notificationsFor(fan!), [`update ${reblogged.id}`])
  assert.notDeepEqual(await ids(), before)
  await fan!.client.post(`/api/v1/accounts/${alice!.accountId}/mute`)
  await edit(alice!, reblogged.id, { status: 'not notified' })
  assert.deepEqual(await notificationsFor(fan!), [])
})

test('edits count as posts for the rate limit', async () => {
  const alice = await testServer.createUser()
  const { id } = await post(alice, { status: 'x' })
  const { headers } = await alice.client.put(`/api/v1/statuses/${id}`, { status: 'y' })
  assert.deepEqual([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']], ['300', '298'])
})

test('BI17 twenty concurrent edits of a status create twenty versions', async () => {
  const alice = await testServer.createUser()
  const { id } = await post(alice, { status: 'start' })
  await Promise.all(Array.from({ length: 20 }, (_, n) => edit(alice, id, { status: `version ${n}` })))
  const versions = await history(id)
  assert.equal(versions.length, 21)
  assert.equal(new Set(versions.map(({ content }) => content)).size, 21)
})
