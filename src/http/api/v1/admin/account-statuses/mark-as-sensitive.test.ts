import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../../../test/federation/fediverse.ts'
import { openSocket, statusOf, until } from '../../../../../../test/streaming/streams.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import { submitAppeal } from '../../../../../domain/moderation/strikes/submit-appeal.ts'
import type { AdminStatus } from '../../../../../entities/admin/content/admin-status.ts'
import type { Notification } from '../../../../../entities/notifications/notification.ts'
import type { Status, StatusEdit } from '../../../../../entities/statuses/status.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
after(fediverse.close)
const { testServer, peer, uriOf, deliver } = fediverse
const { db } = testServer.ctx
const remoteHost = peer.host('remote.test')
const moderator = await testServer.createUser({
  role: 'moderator',
  username: 'hidden_moderator',
  scopes: 'read write admin:read admin:write',
})

/** Inserts an upload of a user without a file. */
async function upload({ accountId }: TestUser): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
    values (${accountId}, 'image', 'media/a.png', 'media/b.png', 'image/png', 1, '{}') returning id`.execute(db)
  return rows[0]!.id
}

async function post(user: TestUser, more: object = {}): Promise<Status> {
  const { status, body } = await user.client.post<Status>('/api/v1/statuses', { status: 'Look', ...more })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const postWithMedia = async (user: TestUser, more: object = {}) =>
  post(user, { media_ids: [await upload(user)], ...more })

/** Gives a status a preview card. */
async function addCard({ id }: Status): Promise<void> {
  await sql`with card as (
      insert into preview_cards (url, type, title) values ('https://page.test/' || ${id}::text, 'link', 'A page') returning id, url
    ), link as (
      insert into preview_links (url, card_id, due_at) select url, id, now() + interval '1 year' from card returning id, card_id, url
    )
    insert into status_preview_links (status_id, link_id, card_id, url) select ${id}, id, card_id, url from link`.execute(
    db,
  )
}

async function mark(target: { accountId: string }, ids: readonly string[], more: object = {}): Promise<number> {
  const path = `/api/v1/admin/accounts/${target.accountId}/statuses/action`
  const payload = { type: 'mark_as_sensitive', status_ids: ids, ...more }
  const { status } = await moderator.client.post(path, payload)
  await testServer.waitForJobs()
  return status
}

const isSensitive = async (id: string) => (await testServer.anonymous.get(`/api/v1/statuses/${id}`)).body.sensitive

async function warningsOf(user: TestUser): Promise<NonNullable<Notification['moderation_warning']>[]> {
  const { body } = await user.client.get<Notification[]>('/api/v1/notifications', { types: ['moderation_warning'] })
  return body.map((notification) => notification.moderation_warning!)
}

suite('statuses that the staff mark as sensitive', () => {
  test('VI19: are edited on all servers and in streams, without the moderator in the history and the warning', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const fan = await remoteHost.createActor('fan')
    await deliver(fan, fan.activity('Follow', uriOf(alice)))
    const { id, uri, content, media_attachments: media } = await postWithMedia(alice)
    await testServer.waitForJobs()
    const socket = await openSocket(await testServer.listen(), { token: bob.token })
    await socket.subscribe('user')
    assert.equal(await mark(alice, [id], { text: 'Please mark such images', report_id: '' }), 200)
    const event = await until(() => socket.received.find((one) => one.event === 'status.update'))
    assert.deepEqual([statusOf(event).id, statusOf(event).sensitive], [id, true])
    socket.ws.close()
    const [update] = fan.inbox.all('Update').filter(({ object }) => object.id === uri)
    assert.deepEqual([update!['object'].sensitive, update!['actor']], [true, uriOf(alice)])
    const { body: history } = await testServer.anonymous.get<StatusEdit[]>(`/api/v1/statuses/${id}/history`)
    assert.deepEqual(
      history.map((version) => [version.sensitive, version.content, version.account.id]),
      [
        [false, content, alice.accountId],
        [true, content, alice.accountId],
      ],
    )
    assert.deepEqual(
      history[1]!.media_attachments.map((one) => one.id),
      media.map((one) => one.id),
    )
    const [warning] = await warningsOf(alice)
    assert.deepEqual([warning!.action, warning!.status_ids], ['mark_statuses_as_sensitive', [id]])
    const mails = await db.selectFrom('mails').select('text').where('recipient', '=', alice.email).execute()
    assert.equal(mails.length, 1)
    assert.match(mails[0]!.text, /Please mark such images/)
    for (const shown of [history, warning, update, mails])
      assert.ok(!JSON.stringify(shown).includes(moderator.username))
  })

  test('have media or a preview card and are not marked yet; the others are skipped', async () => {
    const alice = await testServer.createUser()
    const [image, linked, plain] = [await postWithMedia(alice), await post(alice), await post(alice)]
    const marked = await postWithMedia(alice, { sensitive: true })
    await addCard(linked)
    assert.equal(await mark(alice, [image.id, linked.id, plain.id, marked.id]), 200)
    assert.deepEqual((await warningsOf(alice))[0]!.status_ids, [image.id, linked.id])
    const states = await Promise.all([image, linked, plain].map(({ id }) => isSensitive(id)))
    assert.deepEqual(states, [true, true, false])
    assert.equal((await testServer.anonymous.get(`/api/v1/statuses/${marked.id}`)).body.edited_at, null)
    assert.equal(await mark(alice, [image.id, plain.id]), 422)
    assert.equal((await warningsOf(alice)).length, 1)
    const audit = db.selectFrom('audit_log_entries').select('target_id').where('action', '=', 'mark_as_sensitive')
    const entries = await audit.where('target_type', '=', 'status').orderBy('id').execute()
    assert.deepEqual(
      entries.slice(-2).map((entry) => entry.target_id),
      [image.id, linked.id],
    )
  })

  test('resolve the report that led to it', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const { id } = await postWithMedia(alice)
    const payload = { account_id: alice.accountId, status_ids: [id] }
    const { body: report } = await bob.client.post('/api/v1/reports', payload)
    assert.equal(await mark(alice, [id], { report_id: report.id, send_email_notification: false }), 200)
    const { body } = await moderator.client.get(`/api/v1/admin/reports/${report.id}`)
    assert.deepEqual([body.action_taken, body.statuses[0].sensitive], [true, true])
    assert.deepEqual(await warningsOf(alice), [])
  })

  test('lose the mark when an appeal is approved, and keep their polls, votes and preview cards', async () => {
    const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const poll = { options: ['Cats', 'Dogs'], expires_in: 3_600 }
    const [asked, linked] = [await postWithMedia(alice, { poll, language: 'de' }), await post(alice)]
    await addCard(linked)
    assert.equal((await bob.client.post(`/api/v1/polls/${asked.poll!.id}/votes`, { choices: [1] })).status, 200)
    assert.equal(await mark(alice, [asked.id, linked.id]), 200)
    const strikeId = (await warningsOf(alice))[0]!.id
    const appeal = { accountId: alice.accountId, strikeId, text: 'They are not' }
    await testServer.ctx.write((tx) => submitAppeal(tx, appeal))
    const { body: appeals } = await admin.client.get('/api/v1/admin/appeals', { status: 'pending' })
    assert.equal((await admin.client.post(`/api/v1/admin/appeals/${appeals[0].id}/approve`)).status, 200)
    await testServer.waitForJobs()
    assert.deepEqual(await Promise.all([asked, linked].map(({ id }) => isSensitive(id))), [false, false])
    const { body: status } = await bob.client.get<Status>(`/api/v1/statuses/${asked.id}`)
    const { body: other } = await bob.client.get<Status>(`/api/v1/statuses/${linked.id}`)
    assert.deepEqual([status.poll?.id, status.poll?.own_votes, status.language], [asked.poll!.id, [1], 'de'])
    assert.equal(other.card?.title, 'A page')
    const { body: history } = await testServer.anonymous.get<StatusEdit[]>(`/api/v1/statuses/${asked.id}/history`)
    assert.deepEqual(
      history.map((version) => [version.sensitive, version.poll?.options.length]),
      [
        [false, 2],
        [true, 2],
        [false, 2],
      ],
    )
  })

  test('are marked on this server only if they are remote', async () => {
    const alice = await testServer.createUser()
    const bob = await remoteHost.createActor('bob')
    const accountId = await fediverse.followEachOther(alice, bob)
    const image = { type: 'Document', mediaType: 'image/png', url: 'https://remote.test/a.png' }
    const note = bob.note({ attachment: [image] })
    await deliver(bob, bob.activity('Create', note))
    const { id } = await fediverse.getStatus(note['id'])
    bob.inbox.clear()
    assert.equal(await mark({ accountId }, [id]), 200)
    assert.deepEqual(bob.inbox.received, [])
    const { body } = await alice.client.get<Status>(`/api/v1/statuses/${id}`)
    assert.deepEqual([body.sensitive, body.edited_at], [true, null])
    const path = `/api/v1/admin/accounts/${accountId}/statuses`
    assert.equal((await moderator.client.get<AdminStatus[]>(path)).body[0]!.sensitive, true)
  })
})
