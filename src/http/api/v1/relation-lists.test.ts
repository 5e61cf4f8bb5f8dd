import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import type { Client } from '../../../../test/client.ts'
import { createRandom } from '../../../../test/random.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'

const world = await openWorld({ effects: false })
after(world.close)

const act = async (from: Person, action: string, to: Person) => {
  const { status } = await from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)
  assert.equal(status, 200)
}

interface List {
  name: string
  path(owner: Person): string
  /** Puts somebody on the list. */
  add(owner: Person, other: Person): Promise<void>
}

const LISTS: List[] = [
  {
    name: 'followers',
    path: ({ accountId }) => `/api/v1/accounts/${accountId}/followers`,
    add: (owner, other) => act(other, 'follow', owner),
  },
  {
    name: 'following',
    path: ({ accountId }) => `/api/v1/accounts/${accountId}/following`,
    add: (owner, other) => act(owner, 'follow', other),
  },
  {
    name: 'requests to follow',
    path: () => '/api/v1/follow_requests',
    add: (owner, other) => act(other, 'follow', owner),
  },
  { name: 'blocks', path: () => '/api/v1/blocks', add: (owner, other) => act(owner, 'block', other) },
  { name: 'mutes', path: () => '/api/v1/mutes', add: (owner, other) => act(owner, 'mute', other) },
  { name: 'recommendations', path: () => '/api/v1/endorsements', add: endorse },
  {
    name: "somebody's recommendations",
    path: ({ accountId }) => `/api/v1/accounts/${accountId}/endorsements`,
    add: endorse,
  },
]

async function endorse(owner: Person, other: Person): Promise<void> {
  await act(owner, 'follow', other)
  await act(owner, 'endorse', other)
}

interface Got {
  rows: string[]
  next: string | undefined
  prev: string | undefined
}

/** A page, with its links checked for their form. */
async function read(client: Client, url: string): Promise<Got> {
  const { status, body, headers } = await client.get<({ id: string } | string)[]>(url)
  assert.equal(status, 200)
  const link = String(headers.link ?? '')
  const follow = (rel: string, cursor: string) => {
    const found = new RegExp(`<https://linnet\\.test(/api/v1/[^>]+)>; rel="${rel}"`).exec(link)?.[1]
    if (found !== undefined) {
      const query = new URL(found, 'https://linnet.test').searchParams
      const limit = new URL(url, 'https://linnet.test').searchParams.get('limit')
      assert.deepEqual([query.get('limit'), [...query.keys()].filter((key) => key !== 'limit')], [limit, [cursor]])
    }
    return found
  }
  const rows = body.map((one) => (typeof one === 'string' ? one : one.id))
  return { rows, next: follow('next', 'max_id'), prev: follow('prev', 'since_id') }
}

async function walk(client: Client, path: string, limit: number): Promise<string[]> {
  const seen: string[] = []
  for (let url: string | undefined = `${path}?limit=${limit}`; url !== undefined;) {
    const { rows, next, prev }: Got = await read(client, url)
    // A page that is full may be the last one; one that is not is.
    assert.equal(next !== undefined, rows.length === limit)
    assert.equal(prev !== undefined, rows.length > 0)
    assert.ok(rows.length <= limit)
    seen.push(...rows)
    url = next
  }
  return seen
}

/** Pages of every size have each row once, latest first; whatever comes later is behind the link to newer ones. */
async function check(client: Client, path: string, expected: string[], add: () => Promise<string>): Promise<void> {
  for (const limit of [1, 2, 3, expected.length, 80]) assert.deepEqual(await walk(client, path, limit), expected)
  const { prev } = await read(client, `${path}?limit=2`)
  assert.deepEqual(await read(client, prev!), { rows: [], next: undefined, prev: undefined })
  const newest = await add()
  assert.deepEqual((await read(client, prev!)).rows, [newest])
  for (const odd of [
    'limit=0&',
    'limit=-2&',
    'limit=x&',
    'max_id=abc&',
    'max_id=0&',
    'since_id=99999999999999999999&',
  ]) {
    assert.equal((await client.get(`${path}?${odd}`)).status, 200)
  }
}

suite('the pages of', () => {
  for (const { name, path, add } of LISTS) {
    test(`${name} have everybody once, latest first, by ids of their own`, async () => {
      const owner = await world.createPerson({ locked: name === 'requests to follow' })
      const people = await Promise.all(Array.from({ length: 9 }, () => world.createPerson()))
      // In another order than the accounts came to be, so that cursors of accounts would lose some.
      const order = createRandom(7).some(people, people.length)
      for (const other of order) await add(owner, other)
      // In the middle somebody is not to be seen, and a page is full all the same.
      const hidden = order[4]!
      await sql`update accounts set suspended_at = now() where id = ${hidden.accountId}`.execute(world.ctx.db)
      const expected = order.filter((one) => one !== hidden).map(({ accountId }) => accountId)
      await check(owner.client, path(owner), expected.toReversed(), async () => {
        const late = await world.createPerson()
        await add(owner, late)
        return late.accountId
      })
    })
  }

  test('blocked domains have each once, latest first, by ids of their own', async () => {
    const { client } = await world.createPerson()
    const names = ['m.test', 'a.test', 'z.test', 'b.test', 'q.test', 'c.test', 'k.test']
    const add = async (domain: string) => {
      assert.equal((await client.post('/api/v1/domain_blocks', { domain })).status, 200)
      return domain
    }
    for (const domain of names) await add(domain)
    await check(client, '/api/v1/domain_blocks', names.toReversed(), () => add('late.test'))
  })

  test('blocked domains have 100 of them, or 200 at most', async () => {
    const { accountId, client } = await world.createPerson()
    await sql`insert into account_domain_blocks (account_id, domain)
      select ${accountId}, n || '.test' from generate_series(1, 250) n`.execute(world.ctx.db)
    const count = async (query: string) => (await client.get(`/api/v1/domain_blocks${query}`)).body.length
    assert.deepEqual([await count(''), await count('?limit=1000'), await count('?limit=0')], [100, 200, 0])
    assert.equal(new Set(await walk(client, '/api/v1/domain_blocks', 100)).size, 250)
  })
})
