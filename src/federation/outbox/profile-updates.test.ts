import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { suspend } from '../../../test/features/moderation.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { deleteAccount } from '../../domain/account-deletion/delete-account.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
after(fediverse.close)
const { testServer, peer, uriOf, deliver } = fediverse
const { ctx } = testServer
const remote = peer.host('remote.test')

/** Returns a user with a remote follower, and the documents of the user's profile that its server has received. */
async function createFollowed(name: string) {
  const user = await testServer.createUser()
  const follower = await remote.createActor(name)
  await deliver(follower, follower.activity('Follow', uriOf(user)))
  const received = async () => {
    await testServer.waitForJobs()
    return follower.inbox.all('Update').map(({ object }) => object)
  }
  return { user, follower, received }
}

const change = async ({ client }: TestUser, fields: object) => {
  const { status } = await client.patch('/api/v1/accounts/update_credentials', fields)
  assert.equal(status, 200)
}

test('changes of a profile within seconds are sent together, as the last one left it', async () => {
  const { user, received } = await createFollowed('one')
  await change(user, { display_name: 'First' })
  await change(user, { note: 'about me' })
  await change(user, { display_name: 'Last' })
  assert.deepEqual(await received(), [])
  await makeJobsDue(ctx, 'deliverProfile')
  const [update, ...others] = await received()
  assert.deepEqual([update!.name, update!.summary, others], ['Last', '<p>about me</p>', []])
  await change(user, { display_name: 'Later' })
  await makeJobsDue(ctx, 'deliverProfile')
  assert.deepEqual(
    (await received()).map(({ name }) => name),
    ['Last', 'Later'],
  )
})

test('a changed profile is sent a few seconds later', async () => {
  const { user } = await createFollowed('two')
  await change(user, { display_name: 'Soon' })
  const jobs = await ctx.db
    .selectFrom('jobs')
    .select(['run_at', 'created_at'])
    .where('name', '=', 'deliverProfile')
    .execute()
  assert.deepEqual(
    jobs.map(({ run_at: at, created_at: since }) => Math.round((at.getTime() - since.getTime()) / 1000)),
    [5],
  )
  await makeJobsDue(ctx, 'deliverProfile')
  await testServer.waitForJobs()
})

test('suspensions and deletions are sent at once, and replace a change that waits', async () => {
  const { user, received } = await createFollowed('three')
  await change(user, { display_name: 'Secret' })
  await suspend(ctx, user)
  const [update, ...others] = await received()
  assert.deepEqual([update!.suspended, JSON.stringify(update).includes('Secret'), others], [true, false, []])
  await makeJobsDue(ctx, 'deliverProfile')
  assert.equal((await received()).length, 1)

  const { user: leaving, follower, received: receivedOfLeaving } = await createFollowed('four')
  await change(leaving, { display_name: 'Secret' })
  await ctx.write((tx) => deleteAccount(tx, { accountId: leaving.accountId }))
  await follower.inbox.next(({ type }) => type === 'Delete')
  await makeJobsDue(ctx, 'deliverProfile')
  assert.deepEqual(await receivedOfLeaving(), [])
})
