// Slow: posts random statuses twice, and runs two servers.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestServer, TestUser } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
const { connection, ctx } = testServer
const database = sql.id(connection.database!)
// The other server recognises a deadlock before its statements give up waiting for a lock.
await sql`alter database ${database} set deadlock_timeout = '20ms'`.execute(ctx.db)
const other = await openTestServer({ effects: false, database: { connection, drop: async () => {} } })
after(async () => {
  await other.close()
  await sql`alter database ${database} reset deadlock_timeout`.execute(ctx.db)
  await testServer.close()
})

const USERS = 5
const ROUNDS = 12

/** Users with relationships, and statuses that drafts refer to. The names of users and hashtags begin with its name. */
interface World {
  name: string
  users: TestUser[]
  parents: string[]
}

async function createWorld(name: string): Promise<World> {
  const users: TestUser[] = []
  for (let n = 0; n < USERS; n += 1) {
    users.push(await testServer.createUser({ username: `${name}user${n}`, locked: n === 3 }))
  }
  const follow = async (from: number, to: number) =>
    users[from]!.client.post(`/api/v1/accounts/${users[to]!.accountId}/follow`)
  for (const [from, to] of [
    [1, 0],
    [2, 0],
    [0, 1],
    [4, 2],
  ] as const)
    await follow(from, to)
  await users[2]!.client.post(`/api/v1/accounts/${users[1]!.accountId}/block`)
  // The notification of a follow depends on the state of the follower.
  await testServer.waitForJobs()
  await ctx.db.updateTable('accounts').set({ silenced_at: new Date() }).where('id', '=', users[4]!.accountId).execute()
  const parents: string[] = []
  // One of the hashtags exists already: the order and the spelling of new ones depend on the status that comes first.
  for (const [n, visibility] of (['public', 'unlisted', 'private', 'direct'] as const).entries()) {
    parents.push(
      (await users[n]!.client.post('/api/v1/statuses', { status: `parent ${n} #${name}one`, visibility })).body.id,
    )
  }
  return { name, users, parents }
}

interface Draft {
  author: number
  words: string[]
  visibility: string | null
  warning: string
  /** Refers to one of the parents. */
  parent: number | null
  quoted: number | null
  hasPoll: boolean
  hasMedia: boolean
  localOnly: boolean
  allowsNoMentions: boolean
}

const word = fc.constantFrom(
  'word',
  '#one',
  '#One',
  '#two',
  '@0',
  '@1',
  '@3',
  ':cat:',
  ':dog:',
  'https://example.org/x',
)
const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 3 })
const seldom = fc.nat({ max: 9 }).map((n) => n === 0)
const drafts = fc.array(
  fc.record<Draft>({
    author: fc.nat({ max: USERS - 1 }),
    words: fc.array(word, { maxLength: 4 }),
    visibility: fc.constantFrom(null, 'public', 'public', 'unlisted', 'private', 'direct'),
    warning: fc.constantFrom('', '', 'careful :cat:'),
    parent: fc.option(fc.nat({ max: 3 }), { freq: 1 }),
    quoted: rarely(fc.nat({ max: 1 })),
    hasPoll: seldom,
    hasMedia: seldom,
    localOnly: seldom,
    allowsNoMentions: seldom,
  }),
  { minLength: 12, maxLength: 20 },
)

async function post({ name, users, parents }: World, draft: Draft) {
  const { accountId, client } = users[draft.author]!
  const media = draft.hasMedia
    ? await sql<{ id: string }>`insert into media_attachments (account_id, type, file_key, preview_key, content_type,
        byte_size, meta) values (${accountId}, 'image', 'media/a.png', 'media/b.png', 'image/png', 1, '{}')
        returning id`.execute(ctx.db)
    : { rows: [] }
  const text = draft.words.map((one) => one.replace('#', `#${name}`).replace(/^@/, `@${name}user`)).join(' ')
  return client.post('/api/v1/statuses', {
    status: text,
    spoiler_text: draft.warning,
    ...(draft.visibility !== null && { visibility: draft.visibility }),
    ...(draft.parent !== null && { in_reply_to_id: parents[draft.parent] }),
    ...(draft.quoted !== null && { quoted_status_id: parents[draft.quoted] }),
    ...(draft.hasPoll && { poll: { options: ['a :dog:', 'b'], expires_in: 600 } }),
    media_ids: media.rows.map(({ id }) => id),
    ...(draft.localOnly && { local_only: true }),
    ...(draft.allowsNoMentions && { allowed_mentions: [] }),
  })
}

/** Returns JSON with the same ids and names in both worlds, and without times. `known`: the statuses in their order. */
function normalize({ name, users, parents }: World, known: readonly string[], value: unknown): unknown {
  const ids = new Map([
    ...users.map(({ accountId }, n) => [accountId, `user ${n}`] as const),
    ...parents.map((id, n) => [id, `parent ${n}`] as const),
    ...known.map((id, n) => [id, `status ${n}`] as const),
  ])
  const visit = (one: unknown, key = ''): unknown => {
    if (Array.isArray(one)) return one.map((item) => visit(item))
    if (key.endsWith('_at') || key === 'group_key') return null
    // The short ids of accounts may also be those of uploads, polls and notifications.
    if (key === 'id' && String(one).length < 10) return null
    if (key === 'id' || key.endsWith('_id')) return ids.get(String(one)) ?? null
    if (typeof one === 'string') {
      return one
        .replaceAll(/\/users\/\d+/g, '/users/id')
        .replaceAll(/\d{5,}/g, (id) => ids.get(id) ?? 'id')
        .replaceAll(name, 'world')
    }
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([field, of]) => [field, visit(of, field)]))
  }
  return visit(value)
}

/** Returns what all users of a world see: the statuses, and what follows from them. */
async function observe(world: World, known: readonly string[]): Promise<unknown> {
  const observed: unknown[] = []
  const sorted = (list: unknown[]) => list.map((one) => JSON.stringify(one)).toSorted()
  for (const { client, accountId } of world.users) {
    const read = async (url: string) => normalize(world, known, (await client.get(url)).body)
    const list = async (url: string) => sorted((await read(url)) as unknown[])
    observed.push(
      await read(`/api/v1/accounts/${accountId}`),
      await Promise.all(known.map(async (id) => read(`/api/v1/statuses/${id}`))),
      await Promise.all(world.parents.map(async (id) => read(`/api/v1/statuses/${id}`))),
      await list('/api/v1/timelines/home?limit=40'),
      await list('/api/v1/notifications?limit=80'),
      await list('/api/v1/conversations?limit=40'),
      await list(`/api/v1/timelines/tag/${world.name}one?limit=40`),
      await Promise.all(['one', 'two'].map(async (tag) => read(`/api/v1/tags/${world.name}${tag}`))),
    )
  }
  return observed
}

test('statuses that are posted at the same time equal those that are posted one after the other, with all effects', async () => {
  await ctx.db
    .insertInto('custom_emojis')
    .values(['cat', 'dog'].map((shortcode) => ({ shortcode, image_key: `emojis/${shortcode}.png` })))
    .execute()
  let runs = 0
  await fc.assert(
    fc.asyncProperty(drafts, async (all) => {
      runs += 1
      const [together, single] = [await createWorld(`ta${runs}x`), await createWorld(`si${runs}x`)]
      const shared = await Promise.all(all.map(async (draft) => post(together, draft)))
      const alone: typeof shared = []
      for (const draft of all) alone.push(await post(single, draft))
      const idsOf = (responses: typeof shared) => responses.map(({ body }, n) => String(body.id ?? `refused ${n}`))
      // The rest of a response contains counters that grow while the statuses are posted.
      const resultsOf = (world: World, responses: typeof shared) =>
        responses.map(({ status, body: { error, content } }) =>
          normalize(world, idsOf(responses), { status, error, content }),
        )
      assert.deepEqual(resultsOf(together, shared), resultsOf(single, alone))
      await testServer.waitForJobs()
      const idsTogether = idsOf(shared).filter((id) => !id.startsWith('refused'))
      const idsAlone = idsOf(alone).filter((id) => !id.startsWith('refused'))
      assert.deepEqual(await observe(together, idsTogether), await observe(single, idsAlone))
    }),
    { numRuns: 6, endOnFailure: true },
  )
})

test('two processes that post with the same hashtags and parents in different orders do not deadlock, and count exactly', async () => {
  const world = await createWorld('crossed')
  const parents = world.parents.slice(0, 2)
  const errors = recordErrors()
  for (let round = 0; round < ROUNDS; round += 1) {
    // So many new hashtags that their rows are locked for a while.
    const tagsOf = (n: number) =>
      Array.from({ length: 80 }, (_, k) => `#${String.fromCharCode(97 + round)}${80 * n + k}`)
    const bodies = Array.from({ length: 6 }, (_, n) => ({
      status: tagsOf(n).join(' '),
      visibility: n % 2 === 0 ? 'public' : 'unlisted',
      in_reply_to_id: parents[n % 2],
    }))
    const send = async (server: TestServer, order: typeof bodies) =>
      Promise.all(
        order.map(async (body, n) => {
          const headers = { authorization: `Bearer ${world.users[n % 2]!.token}` }
          const response = await server.server.inject({
            method: 'POST',
            url: '/api/v1/statuses',
            headers,
            payload: body,
          })
          return response.statusCode
        }),
      )
    const statuses = await Promise.all([send(testServer, bodies), send(other, bodies.toReversed())])
    assert.deepEqual([...new Set(statuses.flat())], [200])
  }
  assert.deepEqual(
    errors.stop().filter((error) => error.includes('deadlock')),
    [],
  )
  const counts = await Promise.all(
    parents.map(async (id) => (await world.users[0]!.client.get(`/api/v1/statuses/${id}`)).body.replies_count),
  )
  assert.deepEqual(counts, [6 * ROUNDS, 6 * ROUNDS])
})

/** Records the errors of all statements, also of transactions that are repeated. */
function recordErrors(): { stop(): string[] } {
  const { query } = pg.Client.prototype
  const errors: string[] = []
  pg.Client.prototype.query = function recorded(this: pg.Client, ...args: unknown[]) {
    const result = Reflect.apply(query, this, args) as Promise<unknown>
    void Promise.resolve(result).catch((err: unknown) => errors.push(String(err)))
    return result
  } as typeof query
  return {
    stop() {
      pg.Client.prototype.query = query
      return errors
    },
  }
}
