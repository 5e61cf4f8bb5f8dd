import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../test/federation/peer/actor.ts'
import { suspend, unsuspend } from '../../../test/features/moderation.ts'

const fediverse = await openFediverse({ hosts: ['contact.test', 'reporter.test'] })
after(fediverse.close)
const { testServer, peer } = fediverse
const { ctx } = testServer
const DAY_MS = 86_400_000

test('the end of a suspension is sent to all accounts that got the suspension, also days later', async () => {
  const user = await testServer.createUser()
  const [contact, reporter] = [
    await peer.host('contact.test').createActor('contact'),
    await peer.host('reporter.test').createActor('reporter'),
  ]
  const idOf = async ({ handle }: PeerActor): Promise<string> =>
    (await user.client.get('/api/v1/accounts/search', { q: `@${handle}`, resolve: true })).body[0].id
  await idOf(contact)
  const { body: status } = await user.client.post('/api/v1/statuses', { status: `hi @${contact.handle}` })
  const [suspendedAt, postedAt] = [new Date(Date.now() - 9 * DAY_MS), new Date(Date.now() - 10 * DAY_MS)]
  await ctx.db.updateTable('statuses').set({ created_at: postedAt }).where('id', '=', status.id).execute()
  await ctx.db
    .insertInto('reports')
    .values({ account_id: await idOf(reporter), target_account_id: user.accountId })
    .execute()
  const states = async () => {
    await testServer.waitForJobs()
    return [contact, reporter].map(({ inbox }) => inbox.all('Update').map(({ object }) => object.suspended ?? false))
  }
  await suspend(ctx, user, { at: suspendedAt })
  assert.deepEqual(await states(), [[true], [true]])
  await unsuspend(ctx, user)
  assert.deepEqual(await states(), [
    [true, false],
    [true, false],
  ])
})
