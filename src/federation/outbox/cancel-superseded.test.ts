import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { respondWith } from '../../../test/federation/peer/behaviour.ts'
import type { Activity } from '../../../test/federation/peer/inbox.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import { countReadRows } from '../../../test/performance/count-read-rows.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { deliverToHost } from '../delivery/deliver-to-host.ts'
import { cancelEarlierUndos } from './cancel-superseded.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
after(fediverse.close)
const { testServer, peer, uriOf, deliver, followEachOther, getStatus } = fediverse
const { ctx } = testServer
const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const [alice, carol] = [await testServer.createUser(), await testServer.createUser()]
const bobId = await followEachOther(alice, bob)
await followEachOther(carol, bob)
await deliver(bob, bob.activity('Follow', uriOf(alice)))

beforeEach(async () => {
  await testServer.waitForJobs()
  remote.inbox.clear()
})

/** Does something of which the remote server learns nothing, because it answers all deliveries with an error. */
async function whileFailing(work: () => Promise<unknown>): Promise<void> {
  await testServer.waitForJobs()
  remote.behave(/inbox/, respondWith(503))
  await work()
  await testServer.waitForJobs()
  remote.recover()
}

/** Returns what the remote server has received after the failed deliveries are attempted again. */
async function receivedAfterRetries(): Promise<Activity[]> {
  await testServer.waitForJobs()
  await sql`update deliveries set next_attempt_at = now() where state = 'pending'`.execute(ctx.db)
  await sql`update hosts set retry_after = null`.execute(ctx.db)
  await makeJobsDue(ctx, 'deliverToHost')
  await deliverToHost(ctx, { domain: 'remote.test' })
  await testServer.waitForJobs()
  return remote.inbox.received.map(({ activity }) => activity)
}

const act = (user: TestUser, action: string) => user.client.post(`/api/v1/accounts/${bobId}/${action}`)

test('an Update of a profile that failed does not follow a newer one', async () => {
  const rename = async (name: string) => {
    await alice.client.patch('/api/v1/accounts/update_credentials', { display_name: name })
    await makeJobsDue(ctx, 'deliverProfile')
  }
  await whileFailing(() => rename('First'))
  await rename('Second')
  const names = (await receivedAfterRetries()).map(({ type, object }) => [type, object.name])
  assert.deepEqual(names, [['Update', 'Second']])
})

test('a Create that failed has the present text after an edit', async () => {
  const post = async () => (await alice.client.post('/api/v1/statuses', { status: 'My password is swordfish' })).body.id
  let id = ''
  await whileFailing(async () => (id = await post()))
  await alice.client.put(`/api/v1/statuses/${id}`, { status: 'My password is secret' })
  const received = (await receivedAfterRetries()).map(({ type, object }) => [type, object.content])
  assert.deepEqual(received, [
    ['Update', '<p>My password is secret</p>'],
    ['Create', '<p>My password is secret</p>'],
  ])
})

test('an Update of a note without a time that failed does not follow a newer one', async () => {
  const { body } = await alice.client.post('/api/v1/statuses', { status: 'quote me' })
  const allow = (policy: string) =>
    alice.client.put(`/api/v1/statuses/${body.id}/interaction_policy`, { quote_approval_policy: policy })
  await whileFailing(() => allow('nobody'))
  remote.inbox.clear()
  await allow('followers')
  const policies = (await receivedAfterRetries()).map(({ type, object }) => [
    type,
    object.interactionPolicy.canQuote.automaticApproval,
  ])
  assert.deepEqual(policies, [['Update', [`${uriOf(alice)}/followers`]]])
})

test('a boost, a favourite and a pin that failed do not follow their Undo or Remove', async () => {
  const note = bob.note()
  await deliver(bob, bob.activity('Create', note, { to: note['to'] }))
  const { id } = await getStatus(note['id'])
  const { body: own } = await alice.client.post('/api/v1/statuses', { status: 'mine' })
  const each = async (prefix: string) => {
    for (const [statusId, action] of [
      [id, 'reblog'],
      [id, 'favourite'],
      [own.id, 'pin'],
    ])
      assert.equal((await alice.client.post(`/api/v1/statuses/${statusId}/${prefix}${action}`)).status, 200)
  }
  await whileFailing(() => each(''))
  remote.inbox.clear()
  await each('un')
  const types = (await receivedAfterRetries()).map(({ type }) => type)
  assert.deepEqual(types.map(String).toSorted(), ['Remove', 'Undo', 'Undo'])
})

test('the Undo of a follow that failed does not follow a new Follow, that of another account does', async () => {
  await whileFailing(() => Promise.all([act(alice, 'unfollow'), act(carol, 'unfollow')]))
  await act(alice, 'follow')
  const received = await receivedAfterRetries()
  assert.deepEqual(
    received.map(({ type, actor }) => [type, actor]),
    [
      ['Follow', uriOf(alice)],
      ['Undo', uriOf(carol)],
    ],
  )
})

test('the Undo of a block that failed does not follow a new Block', async () => {
  await act(carol, 'block')
  await whileFailing(() => act(carol, 'unblock'))
  remote.inbox.clear()
  await act(carol, 'block')
  const types = (await receivedAfterRetries()).map(({ type }) => type)
  assert.deepEqual(types, ['Block'])
})

test('the Reject of a follow that failed does not follow the Accept of a new one', async () => {
  await whileFailing(() => act(alice, 'remove_from_followers'))
  const follow = bob.activity('Follow', uriOf(alice))
  await deliver(bob, follow)
  const received = (await receivedAfterRetries()).map(({ type, object }) => [type, object.id])
  assert.deepEqual(received, [['Accept', follow['id']]])
})

test('a Follow to a host with many pending deliveries reads those that it may cancel', async () => {
  const uri = `${uriOf(alice)}#follows/1`
  await sql`with sent as (
      insert into sent_activities (uri, account_id, body)
      select case when n = 0 then ${uri} else ${uriOf(alice)} || '/statuses/' || n || '/activity' end, ${alice.accountId}::bigint,
        '{"type":"Follow"}'
      from generate_series(0, 2000) n returning id
    )
    insert into deliveries (activity_id, inbox_url, domain)
    select id, 'https://silent.test/inbox', 'silent.test' from sent`.execute(ctx.db)
  await sql`analyze sent_activities, deliveries`.execute(ctx.db)
  for (const table of ['deliveries', 'sent_activities']) {
    const rows = await ctx.write((tx) =>
      countReadRows(tx, { table, work: () => cancelEarlierUndos(tx, { uris: [uri] }) }),
    )
    assert.ok(rows < 50, `${table}: ${rows} rows`)
  }
  await sql`delete from sent_activities where account_id = ${alice.accountId}`.execute(ctx.db)
})
