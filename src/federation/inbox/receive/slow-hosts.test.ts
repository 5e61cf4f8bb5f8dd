import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { respondWith, neverRespond } from '../../../../test/federation/peer/behaviour.ts'
import { FetchFailedError } from '../../../platform/fetch/fetch-errors.ts'
import { RemoteBusyError } from '../../remote/fetch/remote-errors.ts'
import { processActivity } from './process-activity.ts'

const WORKER_SLOTS = 8
const fediverse = await openFediverse({
  hosts: ['remote.test', 'other.test', 'slow.test', 'failing.test'],
  env: { NETWORK_CONCURRENCY: String(WORKER_SLOTS) },
})
const { testServer, peer, uriOf } = fediverse
after(fediverse.close)

const { ctx } = testServer
const slow = peer.host('slow.test')
const bob = await peer.host('remote.test').createActor('bob')
const carol = await peer.host('other.test').createActor('carol', { keys: bob.keys })
const eve = await slow.createActor('eve', { keys: bob.keys })
const dave = await peer.host('failing.test').createActor('dave', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
const localStatus = (await alice.client.post('/api/v1/statuses', { status: 'hello' })).body

test('F12 a host that does not respond leaves worker slots for other hosts', async () => {
  await carol.send(carol.activity('Like', localStatus.uri))
  await testServer.waitForJobs()
  slow.behave(/.*/, neverRespond)
  // Each of them causes a fetch of its parent.
  const replies = Array.from({ length: WORKER_SLOTS * 3 }, () =>
    bob.activity('Create', bob.note({ cc: [uriOf(alice)], inReplyTo: eve.note()['id'] })),
  )
  await Promise.all(replies.map(async (reply) => assert.equal((await bob.send(reply)).status, 202)))
  const startedAt = performance.now()
  await carol.send(carol.activity('Follow', uriOf(alice)))
  await carol.inbox.next(({ type }) => type === 'Accept')
  const waitedMs = performance.now() - startedAt
  assert.ok(waitedMs < 5_000, `${waitedMs} ms`)
  assert.ok(slow.requests.length <= 4)
  slow.recover()
})

test('an activity that needs a fetch from a failing server is retried for hours, and then abandoned', async () => {
  const announce = carol.activity('Announce', dave.note()['id'])
  const search = await alice.client.get('/api/v1/accounts/search', { q: `@${carol.handle}`, resolve: true })
  await sql`
    insert into follows (account_id, target_account_id) values (${alice.accountId}, ${search.body[0].id})`.execute(
    ctx.db,
  )
  peer.host('failing.test').behave(/.*/, respondWith(503))
  assert.equal((await carol.send(announce)).status, 202)
  const find = async () =>
    (
      await sql<{ id: string; processed: boolean }>`
      select id, processed_at is not null as processed from received_activities
      where actor_uri = ${carol.id} order by id desc limit 1`.execute(ctx.db)
    ).rows[0]!
  const { id: activityId } = await find()
  await assert.rejects(
    processActivity(ctx, { activityId }),
    (err) => err instanceof RemoteBusyError || err instanceof FetchFailedError,
  )
  assert.equal((await find()).processed, false)
  await sql`update received_activities set received_at = now() - interval '4 hours' where id = ${activityId}`.execute(
    ctx.db,
  )
  await processActivity(ctx, { activityId })
  assert.equal((await find()).processed, true)
})
