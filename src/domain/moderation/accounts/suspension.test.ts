import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { suspend, unsuspend } from '../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { multipart } from '../../../../test/http/client.ts'
import { uploadFile } from '../../../../test/http/upload-file.ts'
import { createImage } from '../../../../test/media/images.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Notification } from '../../../entities/notifications/notification.ts'
import { findCanonicalEmailBlocks } from '../../email-blocks/canonical-email-blocks.ts'
import { recordRemoteFollow } from '../../relationships/follows/record-remote-follow.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
after(fediverse.close)
const { testServer, peer, deliver, uriOf, followEachOther } = fediverse
const { ctx, waitForJobs } = testServer
const { db } = ctx
const remoteHost = peer.host('remote.test')

async function relationship({ client }: TestUser, id: string) {
  return (await client.get('/api/v1/accounts/relationships', { id, with_suspended: 'true' })).body[0]
}

const countRows = async (table: 'severed_follows' | 'account_purges', column: string, id: string) =>
  (
    await db
      .selectFrom(table)
      .select('account_id')
      .where(column as 'account_id', '=', id)
      .execute()
  ).length

suite('the end of a suspension', () => {
  test('requests the follows again that a remote server rejected meanwhile, with their options and lists', async () => {
    const user = await testServer.createUser()
    const [actor, second] = [await remoteHost.createActor('friend'), await remoteHost.createActor('second')]
    const id = await followEachOther(user, actor)
    const secondId = await followEachOther(user, second)
    await user.client.post(`/api/v1/accounts/${id}/follow`, { reblogs: false, languages: ['en'] })
    const { body: list } = await user.client.post('/api/v1/lists', { title: 'Friends' })
    await user.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [id] })
    await suspend(ctx, user)
    await waitForJobs()
    const follows = () => actor.inbox.all('Follow').filter((one) => one.actor === uriOf(user))
    const [follow] = follows()
    await deliver(actor, actor.activity('Reject', follow!))
    assert.equal(await countRows('severed_follows', 'account_id', user.accountId), 1)
    await unsuspend(ctx, user)
    await waitForJobs()
    assert.equal(follows().length, 2)
    await deliver(actor, actor.activity('Accept', follows()[1]!))
    const { following, showing_reblogs: reblogs, languages } = await relationship(user, id)
    assert.deepEqual([following, reblogs, languages], [true, false, ['en']])
    const { body: members } = await user.client.get<{ id: string }[]>(`/api/v1/lists/${list.id}/accounts`)
    assert.deepEqual(
      members.map((member) => member.id),
      [id],
    )
    // A follow that no server ended stays as it is.
    assert.equal((await relationship(user, secondId)).following, true)
    assert.equal(second.inbox.all('Follow').length, 1)
    assert.equal(await countRows('severed_follows', 'account_id', user.accountId), 0)
  })

  test('does not follow an account again that rejects the follow of a user who is not suspended', async () => {
    const user = await testServer.createUser()
    const actor = await remoteHost.createActor('unwilling')
    const id = await followEachOther(user, actor)
    await deliver(actor, actor.activity('Reject', actor.inbox.all('Follow')[0]!))
    await suspend(ctx, user)
    await unsuspend(ctx, user)
    await waitForJobs()
    assert.deepEqual([(await relationship(user, id)).following, actor.inbox.all('Follow').length], [false, 1])
  })

  test('fetches the profile of a remote account again', async () => {
    const user = await testServer.createUser()
    const actor = await remoteHost.createActor('renamed')
    const accountId = await followEachOther(user, actor)
    await suspend(ctx, { accountId })
    actor.document.name = 'A new name'
    await unsuspend(ctx, { accountId })
    await waitForJobs()
    assert.equal((await testServer.anonymous.get(`/api/v1/accounts/${accountId}`)).body.display_name, 'A new name')
  })

  test('publishes the statuses whose scheduled time has come meanwhile', async () => {
    const user = await testServer.createUser()
    const at = new Date(Date.now() + 600_000).toISOString()
    await user.client.post('/api/v1/statuses', { status: 'Later', scheduled_at: at })
    const { id } = await db
      .updateTable('scheduled_statuses')
      .set({ scheduled_at: new Date(Date.now() - 3_600_000) })
      .where('account_id', '=', user.accountId)
      .returning('id')
      .executeTakeFirstOrThrow()
    const publish = async () => {
      await ctx.write(async (tx) => tx.emit('status.due', { scheduledId: id }))
      await waitForJobs()
      return (await user.client.get(`/api/v1/accounts/${user.accountId}/statuses`)).body.length
    }
    await suspend(ctx, user)
    await publish()
    assert.equal((await db.selectFrom('scheduled_statuses').select('id').where('id', '=', id).execute()).length, 1)
    await unsuspend(ctx, user)
    assert.equal(await publish(), 1)
  })
})

test('files of a suspended account are not served until its suspension ends', async () => {
  const user = await testServer.createUser()
  const { body: media } = await uploadFile(user, await createImage('png'))
  await user.client.post('/api/v1/statuses', { status: 'A picture', media_ids: [media.id] })
  const bytes = await createImage('png')
  const form = await multipart({ avatar: { filename: 'a.png', type: 'image/png', bytes } })
  const { body } = await user.client.send({
    method: 'PATCH',
    url: '/api/v1/accounts/update_credentials',
    payload: form.payload,
    headers: form.headers,
  })
  const urls = [media.url!, media.preview_url!, body.avatar as string].map((url) => new URL(url).pathname)
  const statuses = async () =>
    Promise.all(urls.map(async (url) => (await testServer.server.inject({ url })).statusCode))
  assert.deepEqual(await statuses(), [200, 200, 200])
  await suspend(ctx, user)
  assert.deepEqual(await statuses(), [404, 404, 404])
  await unsuspend(ctx, user)
  assert.deepEqual(await statuses(), [200, 200, 200])
})

test('the address of a suspended user is blocked for new users until the suspension ends', async () => {
  const user = await testServer.createUser()
  const isBlocked = async () =>
    (await findCanonicalEmailBlocks(ctx, { email: user.email.replace('@', '+again@') })).length > 0
  await suspend(ctx, user)
  await suspend(ctx, user)
  assert.equal(await isBlocked(), true)
  await unsuspend(ctx, user)
  assert.equal(await isBlocked(), false)
})

suite('a suspension that is repeated or concurrent', () => {
  test('sends one Update, and its end another one', async () => {
    const user = await testServer.createUser()
    const actor = await remoteHost.createActor('follower')
    await deliver(actor, actor.activity('Follow', uriOf(user)))
    const updates = () => actor.inbox.all('Update').length
    await Promise.all([suspend(ctx, user), suspend(ctx, user)])
    await waitForJobs()
    assert.deepEqual([updates(), await countRows('account_purges', 'account_id', user.accountId)], [1, 1])
    await Promise.all([unsuspend(ctx, user), unsuspend(ctx, user), unsuspend(ctx, user)])
    await waitForJobs()
    assert.deepEqual([updates(), await countRows('account_purges', 'account_id', user.accountId)], [2, 0])
  })

  test('of a remote account notifies a user each time of the follower that the user loses', async () => {
    const user = await testServer.createUser()
    const actor = await remoteHost.createActor('returning')
    const accountId = await followEachOther(user, actor)
    for (let round = 0; round < 2; round += 1) {
      await deliver(actor, actor.activity('Follow', uriOf(user)))
      await suspend(ctx, { accountId })
      await waitForJobs()
      await unsuspend(ctx, { accountId })
      await waitForJobs()
    }
    const { body } = await user.client.get<Notification[]>('/api/v1/notifications', {
      types: ['severed_relationships'],
    })
    assert.deepEqual(
      body.map(({ event }) => event!.followers_count),
      [1, 1],
    )
  })

  test('leaves no follow by a remote account that follows at the same time', async () => {
    const actor = await remoteHost.createActor('racer')
    const first = await testServer.createUser()
    const accountId = await followEachOther(first, actor)
    for (let round = 0; round < 5; round += 1) {
      const user = await testServer.createUser()
      await unsuspend(ctx, { accountId })
      await Promise.all([
        ctx.write((tx) => recordRemoteFollow(tx, { accountId, targetAccountId: user.accountId, uri: null })),
        suspend(ctx, { accountId }),
      ])
      await waitForJobs()
      const { body } = await user.client.get(`/api/v1/accounts/${user.accountId}/followers`)
      assert.deepEqual(body, [])
      assert.equal((await relationship(user, accountId)).followed_by, false)
    }
  })
})
