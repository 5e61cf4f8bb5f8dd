// Slow: inserts 12,000 accounts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { compareIds } from '../../../lib/ids.ts'
import type { Page } from '../../../lib/page.ts'
import { filterAccounts } from './filter-accounts.ts'
import type { AccountFilters } from './filter-accounts.ts'

/** More than are sorted: each filter that most accounts match is answered by a scan. */
const ACCOUNTS = 12_000

const ANY: AccountFilters = {
  origin: null,
  status: null,
  domain: null,
  username: null,
  displayName: null,
  email: null,
  ip: null,
  roleIds: null,
  invitedBy: null,
}

interface Row {
  id: string
  username: string
  display_name: string
  domain: string | null
  suspended: boolean
  silenced: boolean
  sensitized: boolean
  email: string | null
  sign_up_ip: string | null
  session_ip: string | null
  role_id: string | null
  approved: boolean | null
  disabled: boolean | null
}

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
let rows: Row[] = []

// Every second account is remote. Every thousandth has a rare name, domain, role, address and state.
before(async () => {
  await sql`drop index accounts_search`.execute(ctx.db)
  await sql`insert into accounts (username, domain, uri, url, display_name, silenced_at, suspended_at, sensitized_at)
    select case when n % 1000 < 2 then 'Rare' else 'common' end || n,
      case when n % 2 = 0 then case when n % 1000 = 0 then 'rare.test' else 'common.test' end end,
      'https://x.test/' || n, '', case when n % 1000 < 2 then 'Rare ' else 'Common ' end || n,
      case when n % 1000 in (2, 3) then now() end, case when n % 1000 in (4, 5) then now() end,
      case when n % 1000 in (6, 7) then now() end
    from generate_series(1, ${ACCOUNTS}::int) n`.execute(ctx.db)
  await sql`insert into users (account_id, email, role_id, approved, disabled_at, sign_up_ip)
    select id, lower(username) || '@mail.test', case when username like 'Rare%' then 1 else -99 end,
      id % 1000 not in (8, 9), case when id % 1000 in (10, 11) then now() end,
      case when username like 'Rare%' then '192.0.2.1'::inet else '10.0.0.0'::inet + id end
    from accounts where domain is null`.execute(ctx.db)
  await sql`insert into sessions (id_hash, user_id, ip, expires_at)
    select sha256(convert_to(id || '-' || n, 'UTF8')), id, '2001:db8::'::inet + id % 100, now() from users, generate_series(1, 2) n`.execute(
    ctx.db,
  )
  await sql`analyze accounts, users, sessions`.execute(ctx.db)
  const found =
    await sql<Row>`select a.id, a.username, a.display_name, a.domain, a.suspended_at is not null as suspended,
      a.silenced_at is not null as silenced, a.sensitized_at is not null as sensitized, u.email,
      host(u.sign_up_ip) as sign_up_ip, u.role_id, u.approved, u.disabled_at is not null as disabled,
      (select host(min(s.ip)) from sessions s where s.user_id = u.id) as session_ip
    from accounts a left join users u on u.account_id = a.id`.execute(ctx.db)
  rows = found.rows.toSorted((a, b) => compareIds(b.id, a.id))
})

const CASES: Record<string, { filters: Partial<AccountFilters>; matches(row: Row): boolean }> = {
  'no filter': { filters: {}, matches: () => true },
  'local accounts': { filters: { origin: 'local' }, matches: (row) => row.domain === null },
  'remote accounts': { filters: { origin: 'remote' }, matches: (row) => row.domain !== null },
  'a common domain': { filters: { domain: 'common.test' }, matches: (row) => row.domain === 'common.test' },
  'a rare domain': { filters: { domain: 'rare.test' }, matches: (row) => row.domain === 'rare.test' },
  'a common username': { filters: { username: 'COM' }, matches: (row) => row.username.startsWith('com') },
  'a rare username': { filters: { username: 'rare' }, matches: (row) => row.username.startsWith('Rare') },
  'a common name': { filters: { displayName: 'common' }, matches: (row) => row.display_name.startsWith('Common') },
  'a rare name': { filters: { displayName: 'RARE 1' }, matches: (row) => row.display_name.startsWith('Rare 1') },
  'a common address': { filters: { email: 'C' }, matches: (row) => row.email?.startsWith('c') === true },
  'a rare address': { filters: { email: 'rare' }, matches: (row) => row.email?.startsWith('rare') === true },
  'a common sign-up range': {
    filters: { ip: { first: '10.0.0.0', last: '10.255.255.255' } },
    matches: (row) => row.sign_up_ip?.startsWith('10.') === true,
  },
  'a rare sign-up address': {
    filters: { ip: { first: '192.0.2.1', last: '192.0.2.1' } },
    matches: (row) => row.sign_up_ip === '192.0.2.1',
  },
  'a common session range': {
    filters: { ip: { first: '2001:db8::', last: '2001:db8::ffff' } },
    matches: (row) => row.session_ip !== null,
  },
  'a rare session address': {
    filters: { ip: { first: '2001:db8::7', last: '2001:db8::7' } },
    matches: (row) => row.session_ip === '2001:db8::7',
  },
  'the common role': { filters: { roleIds: ['-99'] }, matches: (row) => row.role_id === '-99' },
  'a rare role': { filters: { roleIds: ['1', '77'] }, matches: (row) => row.role_id === '1' },
  'remote accounts with an e-mail address': { filters: { origin: 'remote', email: 'a' }, matches: () => false },
  'remote accounts that are not approved': { filters: { origin: 'remote', status: 'pending' }, matches: () => false },
  'no role': { filters: { roleIds: [] }, matches: () => false },
  staff: { filters: { roleIds: 'staff' }, matches: (row) => row.role_id === '1' },
  pending: { filters: { status: 'pending' }, matches: (row) => row.approved === false },
  disabled: { filters: { status: 'disabled' }, matches: (row) => row.disabled === true && !row.suspended },
  'sensitized local accounts': {
    filters: { status: 'sensitized', origin: 'local' },
    matches: (row) => row.sensitized && row.domain === null,
  },
  'silenced local accounts': {
    filters: { status: 'silenced', origin: 'local' },
    matches: (row) => row.silenced && row.domain === null,
  },
  'suspended accounts': { filters: { status: 'suspended' }, matches: (row) => row.suspended },
  'active remote accounts with a common username': {
    filters: { status: 'active', origin: 'remote', username: 'common' },
    matches: (row) => !row.suspended && row.domain !== null && row.username.startsWith('common'),
  },
  'a rare and a common filter': {
    filters: { username: 'rare', domain: 'common.test', status: 'active' },
    matches: (row) => row.username.startsWith('Rare') && row.domain === 'common.test' && !row.suspended,
  },
  'two common filters without a common account': {
    filters: { email: 'common', displayName: 'Common', origin: 'remote' },
    matches: () => false,
  },
}

for (const [name, { filters, matches }] of Object.entries(CASES)) {
  test(`lists the accounts with ${name}, page by page in both directions`, async () => {
    const ids = rows.filter(matches).map((row) => row.id)
    const read = (page: Page) => filterAccounts(ctx, { filters: { ...ANY, ...filters }, page })
    assert.deepEqual(await read({ limit: 40 }), ids.slice(0, 40))
    assert.deepEqual(await read({ limit: 20_000 }), ids)
    const [middle] = ids.slice(ids.length / 2)
    if (middle === undefined) return
    const at = ids.indexOf(middle)
    assert.deepEqual(await read({ limit: 5, maxId: middle }), ids.slice(at + 1, at + 6))
    assert.deepEqual(await read({ limit: 5, sinceId: middle }), ids.slice(0, Math.min(at, 5)))
    assert.deepEqual(await read({ limit: 5, minId: middle }), ids.slice(Math.max(0, at - 5), at))
  })
}

test('reads a page of any filter by at most three statements', async () => {
  for (const [name, { filters }] of Object.entries(CASES)) {
    const read = () => filterAccounts(ctx, { filters: { ...ANY, ...filters }, page: { limit: 200 } })
    assert.ok((await countQueries(read)) <= 3, name)
  }
})
