import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { deleteJobs } from '../../../test/jobs/delete-jobs.ts'
import { blockDomainAsStaff, limit, suspend, unblockDomainAsStaff, unlimit } from '../../../test/features/moderation.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { writeLike } from '../objects/write/write-activities.ts'
import { sendActivity } from './send-activity.ts'
import type { OutgoingActivity } from './send-activity.ts'
import { deliverCreates } from './deliver-statuses.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' }, effects: false })
after(testServer.close)
const { ctx } = testServer
const alice = await testServer.createUser({ username: 'alice' })

beforeEach(async () => {
  await sql`delete from sent_activities`.execute(ctx.db)
  await deleteJobs(ctx)
  await sql`delete from accounts where domain is not null`.execute(ctx.db)
  await sql`delete from hosts`.execute(ctx.db)
})

/** Creates `count` remote followers of Alice on one host, with a shared inbox unless `shared` is false. */
async function createFollowers(
  domain: string,
  { count = 1, shared = true, suspended = false }: { count?: number; shared?: boolean; suspended?: boolean } = {},
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with created as (
      insert into accounts (username, domain, uri, url, inbox_url, shared_inbox_url)
      select 'fan' || n, ${domain}, 'https://' || ${domain}::text || '/users/' || n, '',
        'https://' || ${domain}::text || '/users/' || n || '/inbox',
        case when ${shared} then 'https://' || ${domain}::text || '/inbox' end
      from generate_series(1, ${count}::int) n returning id
    )
    insert into follows (account_id, target_account_id)
    select id, ${alice.accountId} from created returning account_id as id
  `.execute(ctx.db)
  const ids = rows.map((row) => row.id)
  if (suspended) for (const accountId of ids) await suspend(ctx, { accountId })
  return ids
}

let activityCount = 0

async function send(outgoing: Partial<OutgoingActivity> = {}): Promise<void> {
  activityCount += 1
  const activity = writeLike({
    actor: 'https://linnet.test/ap/users/1',
    object: 'https://x.test/1',
    id: String(activityCount),
  })
  await ctx.write((tx) =>
    sendActivity(tx, { activity, accountId: alice.accountId, to: { followersOf: [alice.accountId] }, ...outgoing }),
  )
}

async function readInboxes(): Promise<string[]> {
  const rows = await ctx.db.selectFrom('deliveries').select('inbox_url').orderBy('inbox_url').execute()
  return rows.map((row) => row.inbox_url)
}

async function readDeliveryJobs(): Promise<{ key: string; later: boolean }[]> {
  const { rows } = await sql<{ key: string; later: boolean }>`
    select key, run_at > now() + interval '1 minute' as later from jobs j order by key`.execute(ctx.db)
  return rows
}

test('a hundred followers on one server cause one delivery, and each server gets one job', async () => {
  await createFollowers('big.test', { count: 100 })
  await createFollowers('small.test', { count: 2, shared: false })
  await send()
  assert.deepEqual(await readInboxes(), [
    'https://big.test/inbox',
    'https://small.test/users/1/inbox',
    'https://small.test/users/2/inbox',
  ])
  assert.deepEqual(await readDeliveryJobs(), [
    { key: 'delivery:big.test', later: false },
    { key: 'delivery:small.test', later: false },
  ])
})

test('an activity for one account is sent to its personal inbox', async () => {
  const [follower] = await createFollowers('big.test', { count: 2 })
  await send({ to: { accountIds: [follower!] }, toPersonalInboxes: true })
  assert.deepEqual(await readInboxes(), ['https://big.test/users/1/inbox'])
})

test('an effect that runs again, also concurrently, adds no deliveries', async () => {
  await createFollowers('big.test', { count: 3, shared: false })
  const { body } = await alice.client.post('/api/v1/statuses', { status: 'once' })
  await Promise.all(Array.from({ length: 4 }, () => deliverCreates(ctx, [{ statusId: body.id }])))
  assert.equal((await readInboxes()).length, 3)
  await createFollowers('late.test')
  await deliverCreates(ctx, [{ statusId: body.id }])
  assert.equal((await readInboxes()).length, 3)
  const { rows } = await sql`select from sent_activities`.execute(ctx.db)
  assert.equal(rows.length, 1)
})

test('an activity with `resend` is sent again, but not while its delivery is pending', async () => {
  await createFollowers('big.test')
  const outgoing = { activity: writeLike({ actor: 'a', object: 'b', id: '1' }), resend: true }
  await send(outgoing)
  await send(outgoing)
  assert.deepEqual(await readInboxes(), ['https://big.test/inbox'])
  await ctx.db.updateTable('deliveries').set({ state: 'delivered', attempts: 3 }).execute()
  await send(outgoing)
  const rows = await ctx.db.selectFrom('deliveries').select(['state', 'attempts']).execute()
  assert.deepEqual(rows, [{ state: 'pending', attempts: 0 }])
})

test('nothing is sent to suspended accounts, nor to suspended domains and their subdomains', async () => {
  await createFollowers('suspended.test', { suspended: true })
  await createFollowers('blocked.test')
  await createFollowers('deep.below.blocked.test')
  await createFollowers('spared.below.blocked.test')
  await createFollowers('quiet.test')
  await createFollowers('notblocked.test')
  const blocks = {
    'blocked.test': 'suspend',
    'spared.below.blocked.test': 'silence',
    'quiet.test': 'silence',
  } as const
  for (const [domain, severity] of Object.entries(blocks)) await blockDomainAsStaff(ctx, domain, { severity })
  await send()
  assert.deepEqual(await readInboxes(), [
    'https://notblocked.test/inbox',
    'https://quiet.test/inbox',
    'https://spared.below.blocked.test/inbox',
  ])
  for (const domain of Object.keys(blocks)) await unblockDomainAsStaff(ctx, domain)
})

test('an unavailable host gets no deliveries except with `evenIfUnavailable`', async () => {
  const [follower] = await createFollowers('dead.test')
  await ctx.db.insertInto('hosts').values({ domain: 'dead.test', unreachable_since: ctx.now() }).execute()
  await send()
  assert.deepEqual(await readInboxes(), [])
  assert.deepEqual(await ctx.db.selectFrom('sent_activities').select('id').execute(), [])
  await send({ to: { accountIds: [follower!] }, evenIfUnavailable: true })
  assert.deepEqual(await readInboxes(), ['https://dead.test/inbox'])
})

test('the job of a host that is backing off is scheduled for the end of the backoff', async () => {
  await createFollowers('tired.test')
  await createFollowers('awake.test')
  const hosts = [
    { domain: 'tired.test', retry_after: new Date(Date.now() + 3_600_000) },
    { domain: 'awake.test', retry_after: new Date(Date.now() - 1_000) },
  ]
  await ctx.db.insertInto('hosts').values(hosts).execute()
  await send()
  assert.deepEqual(await readDeliveryJobs(), [
    { key: 'delivery:awake.test', later: false },
    { key: 'delivery:tired.test delayed', later: true },
  ])
})

test('inbox URLs without a valid host are skipped', async () => {
  const [follower] = await createFollowers('odd.test')
  const followers = [follower!, ...(await createFollowers('even.test'))]
  for (const url of ['https://a@odd.test/inbox', 'http://odd.test/inbox', 'https:///inbox', '', null]) {
    await ctx.db
      .updateTable('accounts')
      .set({ shared_inbox_url: null, inbox_url: url })
      .where('id', '=', follower!)
      .execute()
    await send({ to: { accountIds: followers } })
  }
  assert.deepEqual(new Set(await readInboxes()), new Set(['https://even.test/inbox']))
})

test('mentions of a limited author are sent only to accounts that follow the author or requested to', async () => {
  const [follower] = await createFollowers('one.test')
  const [requester] = await createFollowers('two.test')
  const [unrelated] = await createFollowers('three.test')
  await ctx.db.deleteFrom('follows').where('account_id', 'in', [requester!, unrelated!]).execute()
  await ctx.db
    .insertInto('follow_requests')
    .values({ account_id: requester!, target_account_id: alice.accountId })
    .execute()
  const { body } = await alice.client.post('/api/v1/statuses', { status: 'hello', visibility: 'direct' })
  const mentions = [follower!, requester!, unrelated!].map((id) => ({ status_id: body.id, account_id: id }))
  await ctx.db.insertInto('mentions').values(mentions).execute()
  await limit(ctx, alice)
  await send({ to: { mentionedIn: body.id } })
  await unlimit(ctx, alice)
  assert.deepEqual(await readInboxes(), ['https://one.test/inbox', 'https://two.test/inbox'])
})

test('deliveries to ten thousand followers on five hundred hosts are inserted by one statement', async () => {
  for (let n = 0; n < 500; n += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => createFollowers(`host${n + i}.test`, { count: 20 })))
  }
  // The others: begin, the lock and the jobs of the queue, and commit.
  assert.ok((await countQueries(() => send())) <= 5)
  assert.equal((await readInboxes()).length, 500)
  assert.equal((await readDeliveryJobs()).length, 500)
})
