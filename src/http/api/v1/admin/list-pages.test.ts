import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { walkPages } from '../../../../../test/http/walk-pages.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { db } = testServer.ctx
const { client, accountId } = await testServer.createUser({ role: 'owner', scopes: 'admin:read' })

const NUMBERS = [1, 2, 3, 4, 5, 6]
const DOMAINS = NUMBERS.map((n) => ({ domain: `host-${n}.test` }))
const created_at = new Date()

/** The path of each list after /api/v1/admin/, and statements that insert six rows and return their ids. */
const LISTS = {
  domain_allows: db.insertInto('domain_allows').values(DOMAINS).returning('id'),
  domain_blocks: db.insertInto('domain_blocks').values(DOMAINS).returning('id'),
  email_domain_blocks: db
    .insertInto('email_domain_blocks')
    .values(DOMAINS.map((row) => ({ ...row, allow_with_approval: false, created_at })))
    .returning('id'),
  ip_blocks: db
    .insertInto('ip_blocks')
    .values(NUMBERS.map((n) => ({ ip: `192.0.2.${n}`, severity: 'sign_up_block', comment: '', created_at })))
    .returning('id'),
  canonical_email_blocks: db
    .insertInto('canonical_email_blocks')
    .values(NUMBERS.map((n) => ({ email_hash: Buffer.alloc(32, n), created_at })))
    .returning('id'),
  reports: db
    .insertInto('reports')
    .values(NUMBERS.map(() => ({ account_id: accountId, target_account_id: accountId })))
    .returning('id'),
  tags: db
    .insertInto('tags')
    .values(NUMBERS.map((n) => ({ name: `tag${n}`, display_name: `tag${n}` })))
    .returning('id'),
  'trends/links/publishers': db.insertInto('preview_card_providers').values(DOMAINS).returning('id'),
}

for (const [path, insertRows] of Object.entries(LISTS)) {
  test(`the previous page of the list ${path} is the one next above, so no row is skipped`, async () => {
    const rows = await insertRows.execute()
    const [one, two, three, four, five, six] = rows.map(({ id }) => id)
    const oldest = `/api/v1/admin/${path}?limit=2&max_id=${three}`
    assert.deepEqual(await walkPages(client, oldest, 'prev'), [
      [two, one],
      [four, three],
      [six, five],
    ])
  })
}
