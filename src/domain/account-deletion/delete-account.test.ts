import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { multipart } from '../../../test/http/client.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { openSocket } from '../../../test/streaming/streams.ts'
import type { Status } from '../../entities/statuses/status.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { deliverActorDelete } from '../../federation/outbox/deliver-actor-delete.ts'
import { createAccount } from '../accounts/registration/create-account.ts'
import { ROLE_IDS } from '../accounts/registration/insert-local-account.ts'
import { deleteAccount, resumeDeletions } from './delete-account.ts'
import { purgeAccount } from './purge-account.ts'

const fediverse = await openFediverse({ hosts: ['one.test', 'two.test', 'three.test', 'four.test'] })
const { testServer, peer, uriOf, deliver, followEachOther } = fediverse
after(fediverse.close)
const { ctx } = testServer
const [one, two, three, four] = ['one.test', 'two.test', 'three.test', 'four.test'].map((name) => peer.host(name))
const keys = (await one!.createActor('key')).keys
const DOCUMENT = { accept: 'application/activity+json' }

const remove = ({ accountId }: TestUser) => ctx.write((tx) => deleteAccount(tx, { accountId }))
const post = async (user: TestUser, body: object) => (await user.client.post<Status>('/api/v1/statuses', body)).body
const get = (path: string) => testServer.anonymous.send({ method: 'GET', url: path, headers: DOCUMENT })
const isDelete = ({ type }: { type?: string }) => type === 'Delete'

async function upload(user: TestUser): Promise<{ id: string; url: string }> {
  const bytes = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const form = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes } })
  return (await user.client.post('/api/v2/media', form.payload, form.headers)).body
}

/** Returns the tables with a row that references an account. */
async function findTraces(accountId: string): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.conrelid <> 'accounts'::regclass`.execute(ctx.db)
  const traces = new Set<string>()
  for (const { table, column } of columns) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${accountId}`.execute(
      ctx.db,
    )
    if (rows.length > 0) traces.add(table)
  }
  return [...traces].toSorted()
}

suite('a deleted account', () => {
  test('is hidden at once, and its tokens and streams end (OA5, ST2)', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const address = await testServer.listen()
    const status = await post(alice, { status: 'hello' })
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const socket = await openSocket(address, { token: alice.token })
    await socket.subscribe('user')
    const closed = new Promise<number>((resolve) => {
      socket.ws.once('close', () => resolve(performance.now()))
    })

    const since = performance.now()
    await remove(alice)
    for (const path of [`/api/v1/statuses/${status.id}`, `/api/v1/accounts/${alice.accountId}`]) {
      assert.equal((await bob.client.get(path)).status, 404, path)
    }
    assert.deepEqual((await bob.client.get('/api/v1/timelines/home')).body, [])
    assert.equal((await alice.client.get('/api/v1/accounts/verify_credentials')).status, 401)
    assert.ok((await closed) - since < 2_000)
  })

  test('AC10: reserves its username for good, in any case, and frees its e-mail address', async () => {
    const grace = await testServer.createUser({ username: 'Grace' })
    await remove(grace)
    const again = (username: string) =>
      createAccount(ctx, {
        username,
        email: grace.email,
        password: 'correct horse battery',
        role: { id: ROLE_IDS.user, name: '' },
        confirmed: true,
        approved: true,
      })
    for (const isPurged of [false, true]) {
      if (isPurged) await testServer.waitForJobs()
      for (const name of ['Grace', 'grace', 'GRACE'])
        await assert.rejects(again(name), /Username has already been taken/)
    }
    await again('grace2')
  })

  test('that was never confirmed leaves no trace', async () => {
    const fresh = await testServer.createUser({ username: 'fresh', confirmed: false })
    await remove(fresh)
    const { rows } = await sql`select from accounts where id = ${fresh.accountId}`.execute(ctx.db)
    assert.equal(rows.length, 0)
    assert.equal((await get(`/ap/users/${fresh.accountId}`)).status, 404)
    await testServer.createUser({ username: 'fresh' })
  })

  test('gets 410 at all its ActivityPub URLs, while a deleted status that was never public gets 404', async () => {
    const [alice, carol] = [await testServer.createUser({ username: 'alice' }), await testServer.createUser()]
    const own = `/ap/users/${alice.accountId}`
    const { id } = await post(alice, { status: 'hello' })
    await remove(alice)
    const paths = [
      own,
      `${own}/outbox`,
      `${own}/followers`,
      `${own}/statuses/${id}`,
      `${own}/statuses/${id}/activity`,
      '/users/alice',
      '/@alice',
      '/@Alice/1',
      '/.well-known/webfinger?resource=acct:alice@linnet.test',
    ]
    for (const isPurged of [false, true]) {
      if (isPurged) await testServer.waitForJobs()
      for (const path of paths) assert.equal((await get(path)).status, 410, path)
    }
    const { rows } = await sql`select from accounts where id = ${alice.accountId}`.execute(ctx.db)
    assert.equal(rows.length, 0)

    for (const [visibility, status] of Object.entries({ public: 410, unlisted: 410, private: 404, direct: 404 })) {
      const { id: deletedId } = await post(carol, { status: 'soon gone', visibility })
      await carol.client.delete(`/api/v1/statuses/${deletedId}`)
      for (const part of ['', '/activity', '/replies']) {
        assert.equal(
          (await get(`/ap/users/${carol.accountId}/statuses/${deletedId}${part}`)).status,
          status,
          visibility,
        )
      }
    }
    assert.equal((await get(`/ap/users/${carol.accountId}/statuses/1`)).status, 404)
  })

  test('sends a Delete to each server that knew it, once, signed with its own key', async () => {
    const erin = await testServer.createUser({ username: 'erin' })
    const follower = await one!.createActor('follower', { keys })
    const another = await one!.createActor('another', { keys })
    const followed = await two!.createActor('followed', { keys })
    const reader = await three!.createActor('reader', { keys })
    const unrelated = await four!.createActor('unrelated', { keys })
    for (const actor of [follower, another]) await deliver(actor, actor.activity('Follow', uriOf(erin)))
    await followEachOther(erin, followed)
    const { uri } = await post(erin, { status: 'hello' })
    // This server knows the actor's key by now, and after the Undo only the favourite relates the two accounts.
    const follow = reader.activity('Follow', uriOf(erin))
    await deliver(reader, follow)
    await reader.inbox.next(({ type }) => type === 'Accept')
    await deliver(reader, reader.activity('Undo', follow), reader.activity('Like', uri))
    await deliver(
      unrelated,
      unrelated.activity('Like', (await post(await testServer.createUser(), { status: 'x' })).uri),
    )
    for (const host of [one, two, three, four]) host!.inbox.clear()

    await remove(erin)
    for (const host of [one, two, three]) {
      const { activity, keyId } = await host!.inbox.next(isDelete)
      assert.deepEqual(
        [activity['id'], activity['actor'], activity['object'], keyId],
        [`${uriOf(erin)}#delete`, uriOf(erin), uriOf(erin), `${uriOf(erin)}#main-key`],
      )
    }
    await testServer.waitForJobs()
    assert.deepEqual(
      [one, two, three, four].map((host) => host!.inbox.all('Delete').length),
      [1, 1, 1, 0],
    )
  })

  test('keeps its key until the Delete is delivered, and nothing after that', async () => {
    const frank = await testServer.createUser({ username: 'frank' })
    const follower = await two!.createActor('late', { keys })
    await deliver(follower, follower.activity('Follow', uriOf(frank)))
    await post(frank, { status: 'before' })
    await testServer.waitForJobs()
    two!.behave(/inbox$/, ({ response }) => void response.writeHead(503).end())
    await post(frank, { status: 'never delivered' })
    await testServer.waitForJobs()
    await remove(frank)
    await testServer.waitForJobs()
    two!.recover()
    two!.inbox.clear()
    assert.deepEqual(await findTraces(frank.accountId), [
      'account_filter_fields',
      'account_stats',
      'actor_keys',
      'sent_activities',
    ])
    // A request from the host marks it reachable, so its pending deliveries are due.
    await deliver(follower, follower.activity('Follow', uriOf(await testServer.createUser())))
    await sql`update deliveries set next_attempt_at = now() - interval '1 minute' where state = 'pending'`.execute(
      ctx.db,
    )
    await ctx.write(async (tx) => tx.emit('deliveries.due', { domain: 'two.test' }))
    await two!.inbox.next(isDelete)
    await testServer.waitForJobs()
    assert.deepEqual(two!.inbox.all('Create'), [], 'the Delete replaces the other pending deliveries')
    await resumeDeletions(ctx)
    await testServer.waitForJobs()
    assert.deepEqual(await findTraces(frank.accountId), [])
    assert.equal((await get(`/ap/users/${frank.accountId}`)).status, 410)
  })
})

test('a deletion decrements counters and deletes files, and has no further effect when repeated', async () => {
  const [leaving, staying] = [await testServer.createUser(), await testServer.createUser()]
  const remainingStatus = await post(staying, { status: 'own' })
  const files = await Promise.all([upload(leaving), upload(leaving)])
  const deletedStatus = await post(leaving, { status: 'from the other', media_ids: [files[0].id] })
  for (const { url } of files) assert.equal((await testServer.anonymous.get(new URL(url).pathname)).status, 200)
  await leaving.client.post(`/api/v1/statuses/${remainingStatus.id}/favourite`)
  await leaving.client.post(`/api/v1/statuses/${remainingStatus.id}/reblog`)
  await post(leaving, { status: 'a reply', in_reply_to_id: remainingStatus.id })
  await staying.client.post(`/api/v1/statuses/${deletedStatus.id}/reblog`)
  await leaving.client.post(`/api/v1/accounts/${staying.accountId}/follow`)
  await staying.client.post(`/api/v1/accounts/${leaving.accountId}/follow`)
  await testServer.waitForJobs()
  await remove(leaving)
  await testServer.waitForJobs()

  const { body } = await staying.client.get<Status>(`/api/v1/statuses/${remainingStatus.id}`)
  assert.deepEqual([body.favourites_count, body.reblogs_count, body.replies_count], [0, 0, 0])
  const { body: me } = await staying.client.get('/api/v1/accounts/verify_credentials')
  assert.deepEqual([me.statuses_count, me.followers_count, me.following_count], [1, 0, 0])
  assert.deepEqual((await staying.client.get('/api/v1/notifications')).body, [])
  assert.deepEqual(await findTraces(leaving.accountId), [])
  for (const { url } of files) assert.equal((await testServer.anonymous.get(new URL(url).pathname)).status, 404)
  for (const again of [deliverActorDelete, purgeAccount, purgeAccount]) {
    await again(ctx, { accountId: leaving.accountId })
  }
  await resumeDeletions(ctx)
  await testServer.waitForJobs()
  assert.deepEqual((await staying.client.get<Status>(`/api/v1/statuses/${remainingStatus.id}`)).body, body)
})

test('statuses that were shown before neither mention a deleted account afterwards nor reply to it', async () => {
  const [leaving, staying] = [await testServer.createUser(), await testServer.createUser()]
  const mentioning = await post(staying, { status: `@${leaving.username} and @${staying.username}` })
  const parent = await post(leaving, { status: 'words' })
  const reply = await post(staying, { status: 'an answer', in_reply_to_id: parent.id })
  await leaving.client.delete(`/api/v1/statuses/${parent.id}`)
  const read = async ({ id }: Status) => (await staying.client.get<Status>(`/api/v1/statuses/${id}`)).body
  const mentioned = async () => (await read(mentioning)).mentions.map(({ id }) => id)
  assert.deepEqual(await mentioned(), [leaving.accountId, staying.accountId])
  assert.equal((await read(reply)).in_reply_to_account_id, leaving.accountId)
  await remove(leaving)
  await testServer.waitForJobs()
  assert.deepEqual(await mentioned(), [staying.accountId])
  assert.equal((await read(reply)).in_reply_to_account_id, null)
})
