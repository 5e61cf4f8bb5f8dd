import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { multipart } from '../../../test/client.ts'
import { openFediverse } from '../../../test/fediverse.ts'
import { openSocket } from '../../../test/streams.ts'
import type { Status } from '../../entities/status.ts'
import type { Person } from '../../../test/world.ts'
import { deliverActorDelete } from '../../federation/outbox/actor-deletions.ts'
import { createAccount } from './create-account.ts'
import { deleteAccount, resumeDeletions } from './delete.ts'
import { purgeAccount } from './purge.ts'

const fediverse = await openFediverse({ hosts: ['one.test', 'two.test', 'three.test', 'four.test'] })
const { world, peer, uriOf, deliver, befriend } = fediverse
after(fediverse.close)
const { ctx } = world
const [one, two, three, four] = ['one.test', 'two.test', 'three.test', 'four.test'].map((name) => peer.host(name))
const keys = (await one!.createActor('key')).keys
const DOCUMENT = { accept: 'application/activity+json' }

const remove = ({ accountId }: Person) => ctx.write((tx) => deleteAccount(tx, { accountId }))
const post = async (person: Person, body: object) => (await person.client.post<Status>('/api/v1/statuses', body)).body
const get = (path: string) => world.anonymous.send({ method: 'GET', url: path, headers: DOCUMENT })
const isDelete = ({ type }: { type?: string }) => type === 'Delete'

async function upload(person: Person): Promise<{ id: string; url: string }> {
  const bytes = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const form = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes } })
  return (await person.client.post('/api/v2/media', form.payload, form.headers)).body
}

/** The tables in which a row names an account as whose it is or as what it is about. */
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

suite('somebody who is deleted', () => {
  test('is not seen any more from that moment, and nothing by which they were logged in counts (OA5, ST2)', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const address = await world.listen()
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

  test('AC10: leaves a name that nobody gets again, in whatever case, and an address that is free', async () => {
    const grace = await world.createPerson({ username: 'Grace' })
    await remove(grace)
    const again = (username: string) =>
      createAccount(ctx, {
        username,
        email: grace.email,
        password: 'correct horse battery',
        role: 'user',
        confirmed: true,
        approved: true,
      })
    for (const settled of [false, true]) {
      if (settled) await world.settle()
      for (const name of ['Grace', 'grace', 'GRACE'])
        await assert.rejects(again(name), /Username has already been taken/)
    }
    await again('grace2')
  })

  test('who was never confirmed leaves no trace', async () => {
    const fresh = await world.createPerson({ username: 'fresh', confirmed: false })
    await remove(fresh)
    const { rows } = await sql`select from accounts where id = ${fresh.accountId}`.execute(ctx.db)
    assert.equal(rows.length, 0)
    assert.equal((await get(`/ap/users/${fresh.accountId}`)).status, 404)
    await world.createPerson({ username: 'fresh' })
  })

  test('is 410 for other servers under every address, while a status that was never shown to them stays 404', async () => {
    const [alice, carol] = [await world.createPerson({ username: 'alice' }), await world.createPerson()]
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
    for (const settled of [false, true]) {
      if (settled) await world.settle()
      for (const path of paths) assert.equal((await get(path)).status, 410, path)
    }
    const { rows } = await sql`select from accounts where id = ${alice.accountId}`.execute(ctx.db)
    assert.equal(rows.length, 0)

    for (const [visibility, status] of Object.entries({ public: 410, unlisted: 410, private: 404, direct: 404 })) {
      const { id: doomed } = await post(carol, { status: 'soon gone', visibility })
      await carol.client.delete(`/api/v1/statuses/${doomed}`)
      for (const part of ['', '/activity', '/replies']) {
        assert.equal((await get(`/ap/users/${carol.accountId}/statuses/${doomed}${part}`)).status, status, visibility)
      }
    }
    assert.equal((await get(`/ap/users/${carol.accountId}/statuses/1`)).status, 404)
  })

  test('tells everybody who had to do with them, each host once, by their own key', async () => {
    const erin = await world.createPerson({ username: 'erin' })
    const follower = await one!.createActor('follower', { keys })
    const another = await one!.createActor('another', { keys })
    const followed = await two!.createActor('followed', { keys })
    const reader = await three!.createActor('reader', { keys })
    const stranger = await four!.createActor('stranger', { keys })
    for (const actor of [follower, another]) await deliver(actor, actor.activity('Follow', uriOf(erin)))
    await befriend(erin, followed)
    const { uri } = await post(erin, { status: 'hello' })
    // They know the key by now, and have nothing to do with each other but the favourite.
    const follow = reader.activity('Follow', uriOf(erin))
    await deliver(reader, follow)
    await reader.inbox.next(({ type }) => type === 'Accept')
    await deliver(reader, reader.activity('Undo', follow), reader.activity('Like', uri))
    await deliver(stranger, stranger.activity('Like', (await post(await world.createPerson(), { status: 'x' })).uri))
    for (const host of [one, two, three, four]) host!.inbox.clear()

    await remove(erin)
    for (const host of [one, two, three]) {
      const { activity, keyId } = await host!.inbox.next(isDelete)
      assert.deepEqual(
        [activity['id'], activity['actor'], activity['object'], keyId],
        [`${uriOf(erin)}#delete`, uriOf(erin), uriOf(erin), `${uriOf(erin)}#main-key`],
      )
    }
    await world.settle()
    assert.deepEqual(
      [one, two, three, four].map((host) => host!.inbox.all('Delete').length),
      [1, 1, 1, 0],
    )
  })

  test('keeps the key until the news of it has come, and then nothing', async () => {
    const frank = await world.createPerson({ username: 'frank' })
    const follower = await two!.createActor('late', { keys })
    await deliver(follower, follower.activity('Follow', uriOf(frank)))
    await post(frank, { status: 'before' })
    await world.settle()
    two!.behave(/inbox$/, ({ response }) => void response.writeHead(503).end())
    await post(frank, { status: 'never delivered' })
    await world.settle()
    await remove(frank)
    await world.settle()
    two!.recover()
    two!.inbox.clear()
    assert.deepEqual(await findTraces(frank.accountId), ['account_stats', 'actor_keys', 'sent_activities'])
    // The host is heard of again, so what waits for it is due.
    await deliver(follower, follower.activity('Follow', uriOf(await world.createPerson())))
    await sql`update deliveries set next_try_at = now() - interval '1 minute' where state = 'waiting'`.execute(ctx.db)
    await ctx.write(async (tx) => tx.emit('deliveries.due', { domain: 'two.test' }))
    await two!.inbox.next(isDelete)
    await world.settle()
    assert.deepEqual(two!.inbox.all('Create'), [], 'instead of what else was to be sent')
    await resumeDeletions(ctx)
    await world.settle()
    assert.deepEqual(await findTraces(frank.accountId), [])
    assert.equal((await get(`/ap/users/${frank.accountId}`)).status, 410)
  })
})

test('what somebody counted for is counted down, their files go, and doing it again changes nothing', async () => {
  const [leaving, staying] = [await world.createPerson(), await world.createPerson()]
  const mine = await post(staying, { status: 'mine' })
  const files = await Promise.all([upload(leaving), upload(leaving)])
  const theirs = await post(leaving, { status: 'theirs', media_ids: [files[0].id] })
  for (const { url } of files) assert.equal((await world.anonymous.get(new URL(url).pathname)).status, 200)
  await leaving.client.post(`/api/v1/statuses/${mine.id}/favourite`)
  await leaving.client.post(`/api/v1/statuses/${mine.id}/reblog`)
  await post(leaving, { status: 'an answer', in_reply_to_id: mine.id })
  await staying.client.post(`/api/v1/statuses/${theirs.id}/reblog`)
  await leaving.client.post(`/api/v1/accounts/${staying.accountId}/follow`)
  await staying.client.post(`/api/v1/accounts/${leaving.accountId}/follow`)
  await world.settle()
  await remove(leaving)
  await world.settle()

  const { body } = await staying.client.get<Status>(`/api/v1/statuses/${mine.id}`)
  assert.deepEqual([body.favourites_count, body.reblogs_count, body.replies_count], [0, 0, 0])
  const { body: me } = await staying.client.get('/api/v1/accounts/verify_credentials')
  assert.deepEqual([me.statuses_count, me.followers_count, me.following_count], [1, 0, 0])
  assert.deepEqual((await staying.client.get('/api/v1/notifications')).body, [])
  assert.deepEqual(await findTraces(leaving.accountId), [])
  for (const { url } of files) assert.equal((await world.anonymous.get(new URL(url).pathname)).status, 404)
  for (const again of [deliverActorDelete, purgeAccount, purgeAccount]) {
    await again(ctx, { accountId: leaving.accountId })
  }
  await resumeDeletions(ctx)
  await world.settle()
  assert.deepEqual((await staying.client.get<Status>(`/api/v1/statuses/${mine.id}`)).body, body)
})
