import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countDeadlocks, untilLockWaits } from '../../../../test/features/lock-waits.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { deleteStatus, lockReferencedStatuses } from '../../statuses/write/delete-status.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

const moderator = await testServer.createUser({ role: 'moderator', scopes: 'read write admin:read admin:write' })
const author = await testServer.createUser()

const post = async ({ client }: TestUser, more: object = {}): Promise<string> =>
  (await client.post('/api/v1/statuses', { status: 'words', ...more })).body.id

for (const type of ['delete', 'mark_as_sensitive']) {
  test(`staff who take the action "${type}" wait for an author who has begun to delete one of the posts`, async () => {
    const deadlocks = await countDeadlocks(ctx.db)
    const parent = await post(moderator)
    const media = await sql<{ id: string }>`
      insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
      values (${author.accountId}, 'image', 'media/a.png', 'media/b.png', 'image/png', 1, '{}') returning id`.execute(
      ctx.db,
    )
    const kept = await post(author, { media_ids: [media.rows[0]!.id] })
    const deleted = await post(author, { in_reply_to_id: parent })
    let response: ReturnType<TestUser['client']['post']> | undefined
    await ctx.write(async (tx) => {
      await lockReferencedStatuses(tx.db, { statusId: deleted, accountId: author.accountId })
      await sql`select from statuses where id = ${deleted} for update`.execute(tx.db)
      const status_ids = [kept, deleted]
      response = moderator.client.post(`/api/v1/admin/accounts/${author.accountId}/statuses/action`, {
        type,
        status_ids,
      })
      await untilLockWaits(testServer, 1)
      await deleteStatus(tx, { accountId: author.accountId, statusId: deleted })
    })
    assert.equal((await response)?.status, 200)
    assert.equal(await countDeadlocks(ctx.db), deadlocks)
    const { status, body } = await author.client.get(`/api/v1/statuses/${kept}`)
    assert.deepEqual([status, body.sensitive], type === 'delete' ? [404, undefined] : [200, true])
  })
}
