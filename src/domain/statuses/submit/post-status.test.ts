import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { countQueries } from '../../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { db } = testServer.ctx

const COUNT = 16

type Headers = Record<string, string>
const post = async ({ client }: TestUser, body: object, headers: Headers = {}) =>
  client.post('/api/v1/statuses', body, headers)
const createUsers = async (count: number) =>
  Promise.all(Array.from({ length: count }, async () => testServer.createUser()))
const textsOf = async ({ client, accountId }: TestUser): Promise<string[]> =>
  (await client.get(`/api/v1/accounts/${accountId}/statuses`)).body.map(({ content }: { content: string }) => content)
const statusesCountOf = async ({ client, accountId }: TestUser): Promise<number> =>
  (await client.get(`/api/v1/accounts/${accountId}`)).body.statuses_count
const insertMedia = async ({ accountId }: TestUser) => {
  const file = { type: 'image', file_key: 'media/a.png', preview_key: 'media/b.png', content_type: 'image/png' }
  return db
    .insertInto('media_attachments')
    .values({ ...file, account_id: accountId, byte_size: '1', meta: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
}

test('statuses that are posted at the same time share their statements', async () => {
  const users = await createUsers(COUNT)
  const parent = (await post(users[0]!, { status: 'parent' })).body.id
  // The first requests of a user also record the use of the token, and read it and the profile.
  for (const user of users) await post(user, { status: '#shared' })
  const postAll = async (bodyOf: (n: number) => object) => {
    const responses = await Promise.all(users.map(async (user, n) => post(user, bodyOf(n))))
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  }
  const plain = await countQueries(async () => postAll((n) => ({ status: `plain ${n}` })))
  const mixed = await countQueries(async () =>
    postAll((n) => ({
      status: `@${users[(n + 1) % COUNT]!.username} #shared :cat: https://example.org/${n}`,
      in_reply_to_id: parent,
    })),
  )
  // A single one needs 8, and 11 more for mentions, hashtags, emojis, links and a parent. They form two or three sets,
  // because those that arrive first do not wait for the others.
  assert.ok(plain <= 3 * 8 && mixed <= 3 * 19, `${plain} and ${mixed} statements`)
})

test('a refused status has its own error and affects no other one', async () => {
  const [good, bad] = [await createUsers(8), await createUsers(6)]
  const { id: ownMedia } = await insertMedia(good[0]!)
  const mention = `@${good[0]!.username}`
  const [refused, accepted] = await Promise.all([
    Promise.all(
      [
        { status: ' ' },
        { status: 'reply', in_reply_to_id: '1' },
        { status: 'reply', in_reply_to_id: 'x' },
        { status: mention, allowed_mentions: [] },
        { status: 'another user’s upload', media_ids: [ownMedia] },
        { status: 'poll', poll: { options: ['one'], expires_in: 600 } },
      ].map(async (body, n) => post(bad[n]!, body)),
    ),
    Promise.all(good.map(async (user, n) => post(user, { status: `${mention} good ${n}` }))),
  ])
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.error]),
    [
      [422, "Validation failed: Text can't be blank"],
      [404, 'The post you are trying to reply to does not appear to exist.'],
      [404, 'The post you are trying to reply to does not appear to exist.'],
      [422, 'Post would be sent to unexpected accounts'],
      [422, `Media ${ownMedia} not found or already attached to another post`],
      [422, 'Validation failed: Options must have more than one item'],
    ],
  )
  assert.equal(refused[3]!.body.unexpected_accounts[0].id, good[0]!.accountId)
  assert.deepEqual([...new Set(accepted.map(({ status }) => status))], [200])
  assert.deepEqual(await Promise.all(bad.map(statusesCountOf)), [0, 0, 0, 0, 0, 0])
  assert.deepEqual(await Promise.all(good.map(statusesCountOf)), [1, 1, 1, 1, 1, 1, 1, 1])
})

test('requests with one idempotency key that arrive together yield one status, even if the first of them is refused', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const key = { 'idempotency-key': 'together' }
  const [refused, ...responses] = await Promise.all([
    post(alice, { status: ' ' }, key),
    post(alice, { status: 'once' }, key),
    post(alice, { status: 'twice' }, key),
    post(bob, { status: 'of another user' }, key),
    post(alice, { status: 'without a key' }),
  ])
  assert.equal(refused.status, 422)
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.content]),
    ['once', 'once', 'of another user', 'without a key'].map((text) => [200, `<p>${text}</p>`]),
  )
  assert.equal(responses[0].body.id, responses[1].body.id)
  assert.equal((await post(alice, { status: 'later' }, key)).body.id, responses[0].body.id)
  assert.deepEqual((await textsOf(alice)).toSorted(), ['<p>once</p>', '<p>without a key</p>'])
})

test('a refused request does not use up its idempotency key', async () => {
  const alice = await testServer.createUser()
  const key = { 'idempotency-key': 'k' }
  assert.equal((await post(alice, { status: ' ' }, key)).status, 422)
  const rows = await db.selectFrom('idempotency_keys').select('key').where('account_id', '=', alice.accountId).execute()
  assert.deepEqual(rows, [])
  assert.equal((await post(alice, { status: 'valid' }, key)).status, 200)
})

test('the statuses of one author are counted together', async () => {
  const alice = await testServer.createUser()
  await Promise.all(
    Array.from({ length: COUNT }, async (_, n) =>
      post(alice, { status: `${n}`, visibility: n % 4 === 0 ? 'direct' : 'public' }),
    ),
  )
  assert.equal(await statusesCountOf(alice), 12)
  assert.equal(new Set(await textsOf(alice)).size, COUNT)
})

test('a user who is disabled meanwhile cannot post, and others can', async () => {
  const [disabled, ...others] = await createUsers(6)
  await post(disabled!, { status: 'before' })
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled!.userId).execute()
  const responses = await Promise.all([disabled!, ...others].map(async (user) => post(user, { status: 'now' })))
  assert.deepEqual(
    responses.map(({ status }) => status),
    [403, 200, 200, 200, 200, 200],
  )
})

test('a status that has to wait for a lock does not delay the others', async () => {
  const [waiting, ...others] = await createUsers(4)
  const release = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holder = db.transaction(async (tx) => {
    await tx.query('select from account_stats where account_id = $1 for update', [waiting!.accountId])
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const late = post(waiting!, { status: 'late' })
  const responses = await Promise.all(others.map(async (user) => post(user, { status: 'at once' })))
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  assert.equal(await statusesCountOf(waiting!), 0)
  release.resolve()
  await holder
  assert.equal((await late).status, 200)
  assert.equal(await statusesCountOf(waiting!), 1)
})

test('statuses are written once if a statement of their transaction fails, and if the answer to its commit is lost', async () => {
  const failures = {
    'insert into mentions': {
      before: true,
      error: Object.assign(new Error('unlucky'), { code: '57014' }),
      status: 200,
    },
    commit: { before: false, error: new Error('Connection terminated unexpectedly'), status: 503 },
  }
  for (const [prefix, failure] of Object.entries(failures)) {
    const users = await createUsers(4)
    for (const user of users) await post(user, { status: 'before' })
    const responses = await failOnce(prefix, failure, async () =>
      Promise.all(users.map(async (user) => post(user, { status: `@${users[0]!.username} ${prefix}` }))),
    )
    assert.ok(
      responses.some(({ status }) => status === failure.status),
      prefix,
    )
    assert.ok(
      responses.every(({ status }) => status === 200 || status === failure.status),
      prefix,
    )
    assert.deepEqual(await Promise.all(users.map(statusesCountOf)), [2, 2, 2, 2], prefix)
  }
})

/** Lets the first statement with this beginning fail, before or after PostgreSQL executes it. */
async function failOnce<T>(
  prefix: string,
  { before, error }: { before: boolean; error: Error },
  work: () => Promise<T>,
): Promise<T> {
  const { query } = pg.Client.prototype
  let isArmed = true
  pg.Client.prototype.query = function failing(this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text: string }]
    const isFailing = isArmed && (typeof statement === 'string' ? statement : statement.text).startsWith(prefix)
    if (isFailing) isArmed = false
    if (isFailing && before) return Promise.reject(error)
    const result = Reflect.apply(query, this, args) as Promise<unknown>
    return isFailing ? result.then(() => Promise.reject(error)) : result
  } as typeof query
  try {
    return await work()
  } finally {
    pg.Client.prototype.query = query
    assert.equal(isArmed, false, prefix)
  }
}
