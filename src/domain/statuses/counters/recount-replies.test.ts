import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countReadRowsOfWrites } from '../../../../test/performance/count-read-rows.ts'
import { createUsers } from '../../../../test/servers/create-users.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { deleteAccount } from '../../account-deletion/delete-account.ts'
import { purgeAccount } from '../../account-deletion/purge-account.ts'
import { recountReplies } from './recount-replies.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

/** Posts a reply by each account to a status of the author, and returns functions for both. */
async function createReplies() {
  const [author, replier, other] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const { body: parent } = await author.client.post('/api/v1/statuses', { status: 'words' })
  const answer = { status: 'an answer', in_reply_to_id: parent.id }
  const { body: reply } = await replier.client.post('/api/v1/statuses', answer)
  await other.client.post('/api/v1/statuses', answer)
  return {
    count: async () => (await author.client.get(`/api/v1/statuses/${parent.id}`)).body.replies_count,
    change: async (action: 'block' | 'unblock') =>
      author.client.post(`/api/v1/accounts/${replier.accountId}/${action}`),
    runEffect: async () =>
      recountReplies(testServer.ctx, { accountId: author.accountId, targetAccountId: replier.accountId }),
    deleteReply: async () => replier.client.delete(`/api/v1/statuses/${reply.id}`),
    deleteReplier: async () => {
      await testServer.ctx.write((tx) => deleteAccount(tx, replier))
      await purgeAccount(testServer.ctx, replier)
    },
  }
}

test('a reply that a blocked account deletes before the effect of the block is not counted any more', async () => {
  const { count, change, runEffect, deleteReply } = await createReplies()
  assert.equal(await count(), 2)
  await change('block')
  await deleteReply()
  assert.equal(await count(), 1)
  await runEffect()
  assert.equal(await count(), 1)
})

test('a reply that an unblocked account deletes before the effect of the unblock is not subtracted', async () => {
  const { count, change, runEffect, deleteReply } = await createReplies()
  await change('block')
  await runEffect()
  assert.equal(await count(), 1)
  await change('unblock')
  await deleteReply()
  assert.equal(await count(), 1)
  await runEffect()
  assert.equal(await count(), 1)
})

test('the replies of an account that is deleted between an unblock and its effect are not subtracted', async () => {
  const { count, change, runEffect, deleteReplier } = await createReplies()
  await change('block')
  await runEffect()
  await change('unblock')
  await deleteReplier()
  assert.equal(await count(), 1)
})

test('the replies of an account that is deleted between a block and its effect are not counted any more', async () => {
  const { count, change, deleteReplier } = await createReplies()
  await change('block')
  await deleteReplier()
  assert.equal(await count(), 1)
})

test('a block reads the parents of the replies of the blocked account, and no other posts or replies', async () => {
  const { ctx } = testServer
  const [author, replier] = [await testServer.createUser(), await testServer.createUser()]
  const others = await createUsers(ctx, { prefix: 'other', count: 500 })
  const insertPosts = async (accounts: readonly string[], parents: readonly (string | null)[]) => {
    const { rows } = await sql<{ id: string }>`
      insert into statuses (account_id, uri, url, visibility, in_reply_to_id, in_reply_to_account_id)
      select account, 'https://linnet.test/' || account || '/' || n || '/' || coalesce(parent, 0), '', 'public', parent,
        case when parent is not null then ${author.accountId}::bigint end
      from unnest(${accounts}::bigint[], ${parents}::bigint[]) with ordinality given (account, parent, n)
      returning id`.execute(ctx.db)
    const ids = rows.map(({ id }) => id)
    await sql`insert into status_stats (status_id) select unnest(${ids}::bigint[])`.execute(ctx.db)
    return ids
  }
  const nobody = others.map(() => null)
  const posts = await insertPosts(
    others.map(() => author.accountId),
    nobody,
  )
  await insertPosts(others, posts)
  await sql`analyze statuses`.execute(ctx.db)
  const change = { accountId: author.accountId, targetAccountId: replier.accountId }
  const { counting, rowsOfWrites } = countReadRowsOfWrites(ctx, { table: 'statuses' })
  await recountReplies(counting, change)
  await insertPosts([replier.accountId], [posts[0]!])
  await recountReplies(counting, change)
  assert.ok(rowsOfWrites.length === 2 && rowsOfWrites.every((rows) => rows < 50), rowsOfWrites.join())
  const { rows } = await sql<{ replies_count: number }>`
    select replies_count from status_stats where status_id = ${posts[0]}`.execute(ctx.db)
  assert.deepEqual(rows, [{ replies_count: 2 }])
})
