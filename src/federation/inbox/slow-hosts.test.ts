import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import { answer, hang } from '../../../test/peer/behaviour.ts'
import { FetchFailed } from '../../platform/fetch/refusals.ts'
import { RemoteBusy } from '../remote/refusals.ts'
import { handleActivity } from './handle.ts'

const HANDS = 8
const fediverse = await openFediverse({
  hosts: ['remote.test', 'other.test', 'slow.test', 'failing.test'],
  env: { NETWORK_CONCURRENCY: String(HANDS) },
})
const { world, peer, uriOf } = fediverse
after(fediverse.close)

const { ctx } = world
const slow = peer.host('slow.test')
const bob = await peer.host('remote.test').createActor('bob')
const carol = await peer.host('other.test').createActor('carol', { keys: bob.keys })
const eve = await slow.createActor('eve', { keys: bob.keys })
const dave = await peer.host('failing.test').createActor('dave', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })
const mine = (await alice.client.post('/api/v1/statuses', { status: 'hello' })).body

test('F12 a host that does not answer leaves hands for what comes from others', async () => {
  await carol.send(carol.activity('Like', mine.uri))
  await world.settle()
  slow.behave(/.*/, hang)
  // Each of them makes us look for what it answers.
  const replies = Array.from({ length: HANDS * 3 }, () =>
    bob.activity('Create', bob.note({ cc: [uriOf(alice)], inReplyTo: eve.note()['id'] })),
  )
  await Promise.all(replies.map(async (reply) => assert.equal((await bob.send(reply)).status, 202)))
  const began = performance.now()
  await carol.send(carol.activity('Follow', uriOf(alice)))
  await carol.inbox.next(({ type }) => type === 'Accept')
  const waited = performance.now() - began
  assert.ok(waited < 5_000, `${waited} ms`)
  assert.ok(slow.requests.length <= 4)
  slow.recover()
})

test('what another server has to be asked for is tried again for hours, and then left', async () => {
  const boost = carol.activity('Announce', dave.note()['id'])
  const befriend = await alice.client.get('/api/v1/accounts/search', { q: `@${carol.handle}`, resolve: true })
  await sql`insert into follows (account_id, target_account_id) values (${alice.accountId}, ${befriend.body[0].id})`.execute(
    ctx.db,
  )
  peer.host('failing.test').behave(/.*/, answer(503))
  assert.equal((await carol.send(boost)).status, 202)
  const find = async () =>
    (
      await sql<{ id: string; handled: boolean }>`
      select id, handled_at is not null as handled from received_activities where actor_uri = ${carol.id} order by id desc limit 1`.execute(
        ctx.db,
      )
    ).rows[0]!
  const { id: activityId } = await find()
  await assert.rejects(
    handleActivity(ctx, { activityId }),
    (err) => err instanceof RemoteBusy || err instanceof FetchFailed,
  )
  assert.equal((await find()).handled, false)
  await sql`update received_activities set received_at = now() - interval '4 hours' where id = ${activityId}`.execute(
    ctx.db,
  )
  await handleActivity(ctx, { activityId })
  assert.equal((await find()).handled, true)
})
