import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { isOfDomain } from '../access/user-domain-blocks.ts'
import { findFewAccounts } from './find-few-accounts.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

const HOSTS = ['a.test', 'b.a.test', 'c.b.a.test', 'ba.test', 'a.tes', 'a-b.test', 'b.test', 'test', 'a.test.b.test']

test('the accounts of a domain are those with a handle or a URI of it or of its subdomains', async () => {
  const suffix = fc.constantFrom('', ':8443', '.', '.:8443')
  const host = fc.tuple(fc.constantFrom(...HOSTS), suffix).map((parts) => parts.join(''))
  const accounts = fc.array(fc.tuple(host, host), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(accounts, async (names) => {
      await sql`delete from accounts where domain is not null`.execute(ctx.db)
      for (const [n, [domain, uriHost]] of names.entries()) {
        await sql`insert into accounts (username, domain, uri, url)
          values (${`a${n}`}, ${domain}, ${`https://${uriHost.toUpperCase()}/${n}`}, '')`.execute(ctx.db)
      }
      for (const domain of HOSTS) {
        const { rows } = await sql<{ id: string }>`select id from accounts a
          where ${sql.raw(isOfDomain('a', `'${domain}'`))}`.execute(ctx.db)
        const expected = rows.map(({ id }) => id).toSorted()
        assert.deepEqual((await findFewAccounts(ctx, { domain, max: 12 }))?.toSorted(), expected, domain)
        if (expected.length > 0)
          assert.equal(await findFewAccounts(ctx, { domain, max: expected.length - 1 }), null, domain)
      }
    }),
    { numRuns: 20 },
  )
})
