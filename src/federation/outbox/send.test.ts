import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../test/count-queries.ts'
import { forgetJobs } from '../../../test/jobs.ts'
import { openWorld } from '../../../test/world.ts'
import { everyJob } from '../../../test/every-job.ts'
import { writeLike } from '../objects/write-activities.ts'
import { sendActivity } from './send.ts'
import type { Outgoing } from './send.ts'
import { deliverCreate } from './statuses.ts'

const world = await openWorld({ env: { DB_POOL: '10' }, effects: false })
after(world.close)
const { ctx } = world
const alice = await world.createPerson({ username: 'alice' })

beforeEach(async () => {
  await sql`delete from sent_activities`.execute(ctx.db)
  await forgetJobs(ctx)
  await sql`delete from accounts where domain is not null`.execute(ctx.db)
  await sql`delete from hosts`.execute(ctx.db)
  await sql`delete from domain_blocks`.execute(ctx.db)
})

/** `count` people of one host who follow Alice, with one inbox for all unless it is said otherwise. */
async function bringFans(
  domain: string,
  { count = 1, shared = true, suspended = false }: { count?: number; shared?: boolean; suspended?: boolean } = {},
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into accounts (username, domain, uri, url, inbox_url, shared_inbox_url, suspended_at)
      select 'fan' || n, ${domain}, 'https://' || ${domain}::text || '/users/' || n, '',
        'https://' || ${domain}::text || '/users/' || n || '/inbox',
        case when ${shared} then 'https://' || ${domain}::text || '/inbox' end, case when ${suspended} then now() end
      from generate_series(1, ${count}::int) n returning id
    )
    insert into follows (account_id, target_account_id) select id, ${alice.accountId} from made returning account_id as id
  `.execute(ctx.db)
  return rows.map((row) => row.id)
}

let made = 0

async function send(outgoing: Partial<Outgoing> = {}): Promise<void> {
  made += 1
  const activity = writeLike({ actor: 'https://linnet.test/ap/users/1', object: 'https://x.test/1', id: String(made) })
  await ctx.write((tx) =>
    sendActivity(tx, { activity, accountId: alice.accountId, to: { followersOf: [alice.accountId] }, ...outgoing }),
  )
}

async function readInboxes(): Promise<string[]> {
  const rows = await ctx.db.selectFrom('deliveries').select('inbox_url').orderBy('inbox_url').execute()
  return rows.map((row) => row.inbox_url)
}

async function readReminders(): Promise<{ key: string; later: boolean }[]> {
  const { rows } = await sql<{ key: string; later: boolean }>`
    select key, run_at > now() + interval '1 minute' as later from ${everyJob} j order by key`.execute(ctx.db)
  return rows
}

test('a hundred followers of one server are one delivery, and one reminder for each server', async () => {
  await bringFans('big.test', { count: 100 })
  await bringFans('small.test', { count: 2, shared: false })
  await send()
  assert.deepEqual(await readInboxes(), [
    'https://big.test/inbox',
    'https://small.test/users/1/inbox',
    'https://small.test/users/2/inbox',
  ])
  assert.deepEqual(await readReminders(), [
    { key: 'host:big.test', later: false },
    { key: 'host:small.test', later: false },
  ])
})

test('what is meant for one person goes to their own inbox', async () => {
  const [fan] = await bringFans('big.test', { count: 2 })
  await send({ to: { accountIds: [fan!] }, personally: true })
  assert.deepEqual(await readInboxes(), ['https://big.test/users/1/inbox'])
})

test('an effect that runs again adds nothing, also at the same time', async () => {
  await bringFans('big.test', { count: 3, shared: false })
  const { body } = await alice.client.post('/api/v1/statuses', { status: 'once' })
  await Promise.all(Array.from({ length: 4 }, () => deliverCreate(ctx, { statusId: body.id })))
  assert.equal((await readInboxes()).length, 3)
  await bringFans('late.test')
  await deliverCreate(ctx, { statusId: body.id })
  assert.equal((await readInboxes()).length, 3)
  const { rows } = await sql`select from sent_activities`.execute(ctx.db)
  assert.equal(rows.length, 1)
})

test('an answer that is asked for again is sent again, though not twice at once', async () => {
  await bringFans('big.test')
  const again = { activity: writeLike({ actor: 'a', object: 'b', id: '1' }), again: true }
  await send(again)
  await send(again)
  assert.deepEqual(await readInboxes(), ['https://big.test/inbox'])
  await ctx.db.updateTable('deliveries').set({ state: 'delivered', attempts: 3 }).execute()
  await send(again)
  const rows = await ctx.db.selectFrom('deliveries').select(['state', 'attempts']).execute()
  assert.deepEqual(rows, [{ state: 'waiting', attempts: 0 }])
})

test('nothing goes to people who are suspended, nor to blocked domains and what lies below them', async () => {
  await bringFans('suspended.test', { suspended: true })
  await bringFans('blocked.test')
  await bringFans('deep.below.blocked.test')
  await bringFans('spared.below.blocked.test')
  await bringFans('quiet.test')
  await bringFans('notblocked.test')
  const blocks = [
    { domain: 'blocked.test', severity: 'suspend' },
    { domain: 'spared.below.blocked.test', severity: 'silence' },
    { domain: 'quiet.test', severity: 'silence' },
  ]
  await ctx.db.insertInto('domain_blocks').values(blocks).execute()
  await send()
  assert.deepEqual(await readInboxes(), [
    'https://notblocked.test/inbox',
    'https://quiet.test/inbox',
    'https://spared.below.blocked.test/inbox',
  ])
})

test('a host that was given up gets nothing but what would show that it is back', async () => {
  const [fan] = await bringFans('dead.test')
  await ctx.db.insertInto('hosts').values({ domain: 'dead.test', unavailable_since: ctx.now() }).execute()
  await send()
  assert.deepEqual(await readInboxes(), [])
  assert.deepEqual(await ctx.db.selectFrom('sent_activities').select('id').execute(), [])
  await send({ to: { accountIds: [fan!] }, evenIfUnavailable: true })
  assert.deepEqual(await readInboxes(), ['https://dead.test/inbox'])
})

test('the reminder of a host that rests waits until it has rested', async () => {
  await bringFans('tired.test')
  await bringFans('awake.test')
  const hosts = [
    { domain: 'tired.test', retry_after: new Date(Date.now() + 3_600_000) },
    { domain: 'awake.test', retry_after: new Date(Date.now() - 1_000) },
  ]
  await ctx.db.insertInto('hosts').values(hosts).execute()
  await send()
  assert.deepEqual(await readReminders(), [
    { key: 'host:awake.test', later: false },
    { key: 'host:tired.test later', later: true },
  ])
})

test('addresses that can not be hosts are passed over', async () => {
  const [fan] = await bringFans('odd.test')
  const fans = [fan!, ...(await bringFans('even.test'))]
  for (const url of ['https://a@odd.test/inbox', 'http://odd.test/inbox', 'https:///inbox', '', null]) {
    await ctx.db
      .updateTable('accounts')
      .set({ shared_inbox_url: null, inbox_url: url })
      .where('id', '=', fan!)
      .execute()
    await send({ to: { accountIds: fans } })
  }
  assert.deepEqual(new Set(await readInboxes()), new Set(['https://even.test/inbox']))
})

test('of whom a limited author mentions, only those get it who follow or ask to', async () => {
  const [follower] = await bringFans('one.test')
  const [asker] = await bringFans('two.test')
  const [stranger] = await bringFans('three.test')
  await ctx.db.deleteFrom('follows').where('account_id', 'in', [asker!, stranger!]).execute()
  await ctx.db
    .insertInto('follow_requests')
    .values({ account_id: asker!, target_account_id: alice.accountId })
    .execute()
  const { body } = await alice.client.post('/api/v1/statuses', { status: 'hello', visibility: 'direct' })
  const mentions = [follower!, asker!, stranger!].map((id) => ({ status_id: body.id, account_id: id }))
  await ctx.db.insertInto('mentions').values(mentions).execute()
  await ctx.db.updateTable('accounts').set({ silenced_at: ctx.now() }).where('id', '=', alice.accountId).execute()
  await send({ to: { mentionedIn: body.id } })
  await ctx.db.updateTable('accounts').set({ silenced_at: null }).where('id', '=', alice.accountId).execute()
  assert.deepEqual(await readInboxes(), ['https://one.test/inbox', 'https://two.test/inbox'])
})

test('ten thousand followers on five hundred hosts are one statement', async () => {
  for (let n = 0; n < 500; n += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => bringFans(`host${n + i}.test`, { count: 20 })))
  }
  // Beside it: the beginning, the lock and the jobs of the queue, the end.
  assert.ok((await countQueries(() => send())) <= 5)
  assert.equal((await readInboxes()).length, 500)
  assert.equal((await readReminders()).length, 500)
})
