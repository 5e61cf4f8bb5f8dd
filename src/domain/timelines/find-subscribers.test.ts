import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { createRemoteAccount, createRemoteStatus, uniqueName } from '../../../test/federation/remote-records.ts'
import { statement } from '../../platform/db/statement.ts'
import { findPublicSubscribers } from './find-subscribers.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer

const countMentionsRead = statement<{ row: { rows: number }; notNull: 'rows' }>(
  `select (seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_xact_user_tables where relname = 'mentions'`,
)

test('a status with many mentions is compared with the blocks and mutes of all readers of public streams at once', async () => {
  const COUNT = 20
  const users = await Promise.all(Array.from({ length: COUNT }, () => testServer.createUser()))
  const accountIds = users.map((user) => user.accountId)
  const mentionedIds: string[] = []
  for (const _ of users) {
    const username = uniqueName('mentioned')
    const uri = `https://many.test/users/${username}`
    mentionedIds.push(await createRemoteAccount(ctx, { handle: { username, domain: 'many.test' }, uri }))
  }
  const statusId = await createRemoteStatus(ctx, { accountId: mentionedIds[0]!, mentionedIds })
  await testServer.waitForJobs()
  await ctx.write(async (tx) => {
    const subscribers = await findPublicSubscribers({ ...ctx, db: tx.db }, { statusId, accountIds })
    assert.equal(subscribers?.accountIds.length, COUNT)
    const [read] = await countMentionsRead(tx.db)
    assert.ok(read!.rows <= 3 * COUNT, `${read!.rows} rows`)
  })
})
