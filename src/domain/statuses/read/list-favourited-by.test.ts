import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countReadRows } from '../../../../test/performance/count-read-rows.ts'
import { createUsers } from '../../../../test/servers/create-users.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { listFavouritedBy, listRebloggedBy } from './list-favourited-by.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

test('a page of the accounts that favourited or reblogged a status reads only these accounts', async () => {
  const author = await testServer.createUser()
  const fans = await createUsers(ctx, { prefix: 'fan', count: 100 })
  const { id, uri } = (await author.client.post<Status>('/api/v1/statuses', { status: 'Look' })).body
  await sql`
    insert into favourites (account_id, status_id) select fan, ${id} from unnest(${fans}::bigint[]) fan order by fan`.execute(
    ctx.db,
  )
  await sql`
    insert into statuses (account_id, uri, url, visibility, reblog_of_id)
    select fan, ${uri}::text || '/' || fan, ${uri}, 'public', ${id} from unnest(${fans}::bigint[]) fan order by fan`.execute(
    ctx.db,
  )
  const latest = fans.slice(-5).toReversed()
  for (const list of [listFavouritedBy, listRebloggedBy]) {
    await ctx.write(async (tx) => {
      let found: string[] = []
      const input = { statusId: id, viewerId: author.accountId, page: { limit: 5 } }
      const work = async () => (found = (await list(tx, input)).map((account) => account.id))
      const rows = await countReadRows(tx, { table: 'accounts', work })
      assert.deepEqual([found, rows < 60], [latest, true], `${list.name} reads ${rows} rows`)
    })
  }
})
