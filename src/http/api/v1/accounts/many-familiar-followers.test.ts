// In a process of its own: measures how long the event loop is blocked, also by collecting the garbage of other files.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { measureEventLoopBlock } from '../../../../../test/performance/measure-event-loop-block.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { Account, FamiliarFollowers } from '../../../../entities/accounts/account.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

/** Measured: 14 ms. All at once: 70 ms. */
const MAX_STALL_MS = 40

async function createRemoteAccounts(prefix: string, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with created as (
      insert into accounts (username, domain, uri, url, note)
      select ${prefix} || n, 'far.test', 'https://far.test/' || ${prefix} || n, 'https://far.test/' || n, repeat('x', 1000)
      from generate_series(1, ${count}::int) n returning id
    ), counted as (insert into account_stats (account_id) select id from created)
    select id from created order by id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

async function follow(followers: readonly string[], targets: readonly string[]): Promise<void> {
  // Without triggers, this takes a fraction of the time.
  await ctx.db.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into follows (account_id, target_account_id)
      select f, t from unnest(${followers}::bigint[]) f, unnest(${targets}::bigint[]) t`.execute(tx)
  })
}

/** The most characters that a part of a response may contain; complete, each of them has more than a million. */
const MAX_PART_LENGTH = 400_000

test('BI15 lists of all accounts that a user follows are sent in parts', async () => {
  const user = await testServer.createUser()
  const [target] = await createRemoteAccounts('popular', 1)
  const followed = await createRemoteAccounts('friend', 1_000)
  await follow([user.accountId], followed)
  await follow(followed, [target!])
  const { body: list } = await user.client.post('/api/v1/lists', { title: 'All' })
  await sql`
    insert into list_accounts (list_id, account_id, follow_id)
    select ${list.id}, target_account_id, id from follows where account_id = ${user.accountId} order by id`.execute(
    ctx.db,
  )
  await sql`
    insert into endorsements (account_id, target_account_id)
    select account_id, target_account_id from follows where account_id = ${user.accountId} order by id`.execute(ctx.db)
  const readParts = async (url: string): Promise<string[]> => {
    const parts: string[] = []
    const headers = { authorization: `Bearer ${user.token}` }
    const response = await testServer.server.inject({ url, headers, payloadAsStream: true })
    for await (const part of response.stream()) parts.push(String(part))
    return parts
  }
  const latestFirst = followed.toReversed()
  for (const [url, accountsOf] of [
    ['/api/v1/accounts/familiar_followers?id[]=' + target, ([entry]) => (entry as FamiliarFollowers).accounts],
    [`/api/v1/lists/${list.id}/accounts?limit=0`, (accounts) => accounts as Account[]],
    ['/api/v1/endorsements?limit=0', (accounts) => accounts as Account[]],
  ] satisfies [string, (body: unknown[]) => Account[]][]) {
    const parts = await readParts(url)
    const accounts = accountsOf(JSON.parse(parts.join('')))
    assert.deepEqual(
      accounts.map(({ id }) => id),
      latestFirst,
      url,
    )
    for (const { length } of parts) assert.ok(length < MAX_PART_LENGTH, `${url}: ${length} characters`)
  }
})

test('BI15 the familiar followers of hundreds of popular accounts do not delay other requests', async () => {
  const user = await testServer.createUser()
  const [followed, targets] = [await createRemoteAccounts('followed', 150), await createRemoteAccounts('target', 300)]
  await follow([user.accountId], followed)
  await follow(followed, targets)
  const query = [...targets, targets[0]!].map((id) => `id[]=${id}`).join('&')
  const url = `${await testServer.listen()}/api/v1/accounts/familiar_followers?${query}`
  let stallMs = Infinity
  // Twice at most, because a garbage collection may be part of one.
  for (let n = 0; n < 2 && stallMs >= MAX_STALL_MS; n += 1) {
    const chunks: Uint8Array[] = []
    stallMs = await measureEventLoopBlock(async () => {
      const { body } = await fetch(url, { headers: { authorization: `Bearer ${user.token}` } })
      for await (const chunk of body!) chunks.push(chunk)
    })
    const entries = JSON.parse(Buffer.concat(chunks).toString()) as FamiliarFollowers[]
    assert.deepEqual(
      entries.map(({ id }) => id),
      targets,
    )
    for (const { accounts } of entries) assert.equal(accounts.length, followed.length)
  }
  assert.ok(stallMs < MAX_STALL_MS, `${stallMs} ms`)
})
