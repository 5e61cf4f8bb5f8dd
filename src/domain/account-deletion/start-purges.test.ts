import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { blockDomainAsStaff, suspend, unblockDomainAsStaff, unsuspend } from '../../../test/features/moderation.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { ForbiddenError } from '../../lib/errors.ts'
import { endSuspension } from '../moderation/accounts/moderate-account.ts'
import { resumeDeletions } from './delete-account.ts'
import { requestDuePurges, startDuePurge } from './start-purges.ts'

const DAY_MS = 86_400_000
const PATH = '/api/v1/admin/accounts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'huge.test'] })
after(fediverse.close)
const { testServer, peer, deliver, uriOf, followEachOther } = fediverse
const { ctx, waitForJobs } = testServer
const { db } = ctx
const remoteHost = peer.host('remote.test')
const admin = await testServer.createUser({ role: 'admin', scopes: 'read write admin:read admin:write' })

/** Lets the tick see a later time, and waits for what follows. */
async function tickAfter(days: number): Promise<void> {
  const now = () => new Date(Date.now() + days * DAY_MS)
  const write: typeof ctx.write = (work) => ctx.write((tx) => work({ ...tx, now: now() }))
  const later = { ...ctx, now, write }
  const due: string[] = []
  await requestDuePurges({
    ...later,
    write: (work) =>
      write((tx) =>
        work({ ...tx, emit: (_name, payload) => void due.push((payload as { accountId: string }).accountId) }),
      ),
  })
  for (const accountId of due) await startDuePurge(later, { accountId })
  await waitForJobs()
}

const makeDue = (accountId: string) =>
  db
    .updateTable('account_purges')
    .set({ due_at: new Date(Date.now() - 1_000) })
    .where('account_id', '=', accountId)
    .execute()

const purgeOf = (accountId: string) =>
  db.selectFrom('account_purges').selectAll().where('account_id', '=', accountId).executeTakeFirst()

async function countData(accountId: string): Promise<number[]> {
  const count = async (table: 'statuses' | 'follows' | 'bookmarks' | 'users') =>
    (await db.selectFrom(table).select('account_id').where('account_id', '=', accountId).execute()).length
  return Promise.all([count('statuses'), count('follows'), count('bookmarks'), count('users')])
}

async function viewAsStaff(accountId: string) {
  return (await admin.client.get(`${PATH}/${accountId}`)).body
}

suite('the data of a suspended local account', () => {
  test('are deleted 30 days later, and the account stays suspended with its username and reports', async () => {
    const [user, other] = [await testServer.createUser(), await testServer.createUser()]
    const actor = await remoteHost.createActor('follower')
    await deliver(actor, actor.activity('Follow', uriOf(user)))
    await followEachOther(user, actor)
    const { body: status } = await user.client.post('/api/v1/statuses', { status: 'Something' })
    await user.client.post(`/api/v1/statuses/${status.id}/bookmark`)
    await other.client.post(`/api/v1/accounts/${user.accountId}/follow`)
    await other.client.post('/api/v1/reports', { account_id: user.accountId })
    await admin.client.post(`${PATH}/${user.accountId}/action`, { type: 'suspend' })
    const { purge_at: purgeAt } = await viewAsStaff(user.accountId)
    assert.ok(Math.abs(Date.parse(purgeAt) - Date.now() - 30 * DAY_MS) < 60_000)
    await tickAfter(29)
    assert.deepEqual(await countData(user.accountId), [1, 1, 1, 1])
    await tickAfter(31)
    assert.deepEqual(await countData(user.accountId), [0, 0, 0, 0])
    assert.equal(actor.inbox.all('Delete').length, 1)
    const seen = await viewAsStaff(user.accountId)
    assert.deepEqual([seen.suspended, seen.username, seen.purge_at], [true, user.username, undefined])
    assert.equal((await other.client.get(`/api/v1/accounts/${other.accountId}`)).body.following_count, 0)
    const { body: reports } = await admin.client.get('/api/v1/admin/reports', {
      target_account_id: user.accountId,
      resolved: true,
    })
    assert.equal(reports.length, 1)
    assert.equal((await admin.client.post(`${PATH}/${user.accountId}/unsuspend`)).status, 403)
    assert.equal((await admin.client.delete(`${PATH}/${user.accountId}`)).status, 403)
    assert.ok((await purgeOf(user.accountId))!.finished_at)
    // A finished purge is not repeated.
    await resumeDeletions(ctx)
    await waitForJobs()
    assert.equal(actor.inbox.all('Delete').length, 1)
  })

  test('stay if the suspension ends before, also in the same moment', async () => {
    for (let round = 0; round < 4; round += 1) {
      const user = await testServer.createUser()
      await user.client.post('/api/v1/statuses', { status: 'Something' })
      await suspend(ctx, user)
      await makeDue(user.accountId)
      const [, ended] = await Promise.allSettled([
        startDuePurge(ctx, user),
        ctx.write((tx) => endSuspension(tx, { accountId: user.accountId, by: null })),
      ])
      await waitForJobs()
      // Exactly one of both happens.
      if (ended.status === 'fulfilled') {
        assert.deepEqual(await countData(user.accountId), [1, 0, 0, 1])
        assert.equal(await purgeOf(user.accountId), undefined)
      } else {
        assert.ok(ended.reason instanceof ForbiddenError)
        assert.deepEqual(await countData(user.accountId), [0, 0, 0, 0])
      }
    }
    const user = await testServer.createUser()
    await suspend(ctx, user)
    await unsuspend(ctx, user)
    await suspend(ctx, user)
    await startDuePurge(ctx, user)
    assert.equal((await purgeOf(user.accountId))!.started_at, null)
  })
})

suite('the data of a suspended remote account', () => {
  test('are deleted at once on request; it stays suspended, and its profile is fetched when the suspension ends', async () => {
    const [user, blocker] = [await testServer.createUser(), await testServer.createUser()]
    const actor = await remoteHost.createActor('noisy')
    const accountId = await followEachOther(user, actor)
    await deliver(actor, actor.activity('Create', actor.note({ cc: [uriOf(user)] })))
    await blocker.client.post(`/api/v1/accounts/${accountId}/block`)
    assert.equal((await admin.client.delete(`${PATH}/${accountId}`)).status, 403)
    await suspend(ctx, { accountId })
    assert.equal((await admin.client.delete(`${PATH}/${accountId}`)).status, 200)
    await waitForJobs()
    assert.deepEqual(await countData(accountId), [0, 0, 0, 0])
    // Its server has to know that its follower is gone.
    assert.equal(actor.inbox.all('Undo').at(-1)!['object'].type, 'Follow')
    assert.equal((await admin.client.delete(`${PATH}/${accountId}`)).status, 403)
    await fediverse.expectRejected(actor, actor.activity('Follow', uriOf(user)))
    assert.equal((await viewAsStaff(accountId)).suspended, true)
    actor.document.name = 'Restored'
    assert.equal((await admin.client.post(`${PATH}/${accountId}/unsuspend`)).status, 200)
    await waitForJobs()
    const { body } = await testServer.anonymous.get(`/api/v1/accounts/${accountId}`)
    assert.deepEqual([body.display_name, body.suspended], ['Restored', undefined])
    const { body: blocks } = await blocker.client.get('/api/v1/blocks')
    assert.equal(blocks.length, 1)
  })

  test('stay suspended when its own server deletes it, so that it cannot return', async () => {
    const user = await testServer.createUser()
    const actor = await remoteHost.createActor('returning')
    const accountId = await followEachOther(user, actor)
    await suspend(ctx, { accountId })
    await deliver(actor, actor.activity('Delete', actor.id))
    assert.equal((await viewAsStaff(accountId)).suspended, true)
    assert.ok((await purgeOf(accountId))!.finished_at)
  })

  test('are kept for 30 days after a block of the domain, and no longer scheduled when the block is removed', async () => {
    const user = await testServer.createUser()
    const actor = await peer.host('huge.test').createActor('many')
    const accountId = await followEachOther(user, actor)
    await blockDomainAsStaff(ctx, 'huge.test', { severity: 'suspend' })
    await waitForJobs()
    assert.equal((await purgeOf(accountId))!.started_at, null)
    await unblockDomainAsStaff(ctx, 'huge.test')
    await waitForJobs()
    assert.equal(await purgeOf(accountId), undefined)
    await blockDomainAsStaff(ctx, 'huge.test', { severity: 'suspend' })
    await waitForJobs()
    await tickAfter(31)
    const purge = (await purgeOf(accountId))!
    assert.ok(purge.started_at && purge.finished_at)
  })
})
