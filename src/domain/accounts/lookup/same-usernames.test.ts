import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countReadRows } from '../../../../test/performance/count-read-rows.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { findLogin } from '../../auth/find-login.ts'
import type { CachedRead, Tx } from '../../context.ts'
import { findUnknownMentions } from '../../text/find-unknown-mentions.ts'
import { claimHandle } from '../remote/claim-handle.ts'
import { findCachedAccount } from './find-account.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

/** Three groups of 2,000 accounts: with the same username, with the same domain, and without a domain. */
const GROUPS = [`'admin', 'host' || n || '.test'`, `'visitor' || n, 'host1.test'`, `'resident' || n, null`].map(
  (handle) => `select ${handle} from generate_series(1, 2000) n`,
)

test('an account is found by its handle without reading others with its username or its domain', async () => {
  const { accountId, userId } = await testServer.createUser({ username: 'admin' })
  await sql`insert into accounts (username, domain, uri, url)
    select username, domain, 'https://' || coalesce(domain, 'local.test') || '/' || username, ''
    from (${sql.raw(GROUPS.join(' union all '))}) handle (username, domain)`.execute(ctx.db)
  await sql`analyze accounts`.execute(ctx.db)

  const handle = { username: 'Admin', domain: 'host1.test' }
  const claim = { uri: 'https://host1.test/admin', handle, isProven: true, isNew: false }
  const lookups: Record<string, (tx: CachedRead & Tx) => Promise<void>> = {
    profile: async (tx) => assert.equal((await findCachedAccount(tx, { username: 'Admin' }))?.id, accountId),
    'log-in': async (tx) => assert.equal((await findLogin(tx, { login: '@Admin' })).user?.userId, userId),
    mention: async (tx) =>
      assert.deepEqual(await findUnknownMentions(tx, { text: '@admin@host1.test @admin@new.test', limit: 5 }), [
        { username: 'admin', domain: 'new.test' },
      ]),
    'claim of a handle': async (tx) => {
      await claimHandle(tx, claim)
    },
  }
  for (const [name, work] of Object.entries(lookups)) {
    const rows = await ctx.read(
      (read: CachedRead) =>
        ctx.write((tx) => countReadRows(tx, { table: 'accounts', work: () => work({ ...read, ...tx }) })),
      {},
    )
    assert.ok(rows < 20, `${name}: ${rows} rows`)
  }
})
