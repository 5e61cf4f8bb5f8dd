import { EVERYONE_ROLE_ID, hasPermissionSql } from '../../access/permissions.ts'
import type { IpRange } from '../../../lib/http/parse-ip-range.ts'
import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'

export const ACCOUNT_STATUSES = ['active', 'pending', 'disabled', 'sensitized', 'silenced', 'suspended'] as const

/** The filters of a list of accounts; null: any. E-mail and IP addresses and roles are those of local users. */
export interface AccountFilters {
  origin: 'local' | 'remote' | null
  /** `active`: not suspended; `pending`: not approved; `disabled`: disabled and not suspended. */
  status: (typeof ACCOUNT_STATUSES)[number] | null
  /** A domain in its canonical form; none of its subdomains. */
  domain: string | null
  /** The beginning of the text, in any case. */
  username: string | null
  displayName: string | null
  email: string | null
  /** The address of the sign-up or of a session. */
  ip: IpRange | null
  /** `staff`: the roles that may manage reports. */
  roleIds: readonly string[] | 'staff' | null
  /** The account whose invite the user signed up with. */
  invitedBy: string | null
}

interface FilterParameters {
  origin: string | null
  status: string | null
  domain: string | null
  username: string | null
  displayName: string | null
  email: string | null
  firstIp: string | null
  lastIp: string | null
  roleIds: readonly string[] | null
  invitedBy: string | null
}

/** The users who signed up with an invite of the account $invitedBy. */
const INVITED = `invite_uses x join invites i on i.id = x.invite_id join users inviter on inviter.id = i.user_id
  where inviter.account_id = $invitedBy`

/**
 * The accounts that match a filter are read by its index, and sorted, if they are fewer than this. Otherwise, a scan in
 * the order of the ids finds a page of them soon.
 */
const MAX_SORTED = 5_000

/** In the order of `~<~`, a text followed by this character comes after every text with this prefix. */
const LAST_CHARACTER = 'chr(1114111)'

const hasPrefix = (column: string, parameter: string) =>
  `${column} ~>=~ ${parameter} and ${column} ~<~ (${parameter} || ${LAST_CHARACTER})`

// A branch whose parameter is null is not executed. A user may have many sessions with addresses of the range, so rows
// are counted and not accounts: fewer rows than the limit are all rows.
const MATCHES = {
  ip: `(select account_id as id from users where sign_up_ip between $firstIp::inet and $lastIp::inet limit ${MAX_SORTED})
    union all (select (select account_id from users where id = user_id) from sessions
      where ip between $firstIp::inet and $lastIp::inet limit ${MAX_SORTED})`,
  email: `select account_id as id from users where ${hasPrefix('lower(email)', 'lower($email)')} limit ${MAX_SORTED}`,
  username: `select id from accounts where ${hasPrefix('lower(username)', 'lower($username)')} limit ${MAX_SORTED}`,
  displayName: `select id from accounts where display_name <> ''
    and ${hasPrefix('left(lower(display_name), 60)', 'left(lower($displayName), 60)')} limit ${MAX_SORTED}`,
  role: `select account_id as id from users where role_id = any($roleIds::bigint[]) and role_id <> ${EVERYONE_ROLE_ID}
    limit ${MAX_SORTED}`,
  domain: `select id from accounts where domain = $domain limit ${MAX_SORTED}`,
  invitedBy: `select (select account_id from users where id = x.user_id) as id from ${INVITED} limit ${MAX_SORTED}`,
} as const

type IndexedFilter = keyof typeof MATCHES

/** Conditions over the aliases of `accounts` and of its left-joined row of `users`. */
const FILTERS = `($origin::text is null or ($origin = 'local') = (a.domain is null))
  and case $status
    when 'active' then a.suspended_at is null
    when 'pending' then not u.approved
    when 'disabled' then u.disabled_at is not null and a.suspended_at is null
    when 'sensitized' then a.sensitized_at is not null
    when 'silenced' then a.silenced_at is not null
    when 'suspended' then a.suspended_at is not null
    else true end
  and ($domain::text is null or a.domain = $domain)
  and ($username::text is null or starts_with(lower(a.username), lower($username)))
  and ($displayName::text is null or starts_with(lower(a.display_name), lower($displayName)))
  and ($email::text is null or starts_with(lower(u.email), lower($email)))
  and ($roleIds::bigint[] is null or u.role_id = any($roleIds))
  and ($invitedBy::bigint is null or exists (select from invite_uses x where x.user_id = u.id and x.invite_id = any(array(
    select i.id from invites i join users inviter on inviter.id = i.user_id where inviter.account_id = $invitedBy))))
  and ($firstIp::inet is null or u.sign_up_ip between $firstIp and $lastIp or exists (
    select from sessions s where s.user_id = u.id and s.ip between $firstIp and $lastIp))`

// `offset 0` makes the planner read the rows in the written order, whatever selectivity it estimates for the filters.
const OF_ACCOUNT = `left join lateral (select * from users where account_id = a.id offset 0) u on true`
const OF_USER = `cross join lateral (select * from accounts where id = u.account_id offset 0) a`

interface PageStatement {
  params: FilterParameters & PageParameters
  row: { id: string }
}

/**
 * Returns the statements that read a page of `from`, in the order of `id`. `from` gets the order in which it has to
 * return the rows of the page.
 */
function pagesOf(id: string, from: (order: string) => string) {
  const { where } = keysetClause(id)
  const textFor = (direction: 'desc' | 'asc') =>
    `select ${id} as id from ${from(`${where} order by ${id} ${direction} offset 0`)}
     where ${FILTERS} order by ${id} ${direction} limit $limit`
  return { descending: statement<PageStatement>(textFor('desc')), ascending: statement<PageStatement>(textFor('asc')) }
}
const accountsWith = (condition: string) =>
  pagesOf('a.id', (order) => `(select * from accounts a where ${condition} and ${order}) a ${OF_ACCOUNT}`)
const usersWith = (condition: string) =>
  pagesOf('u.account_id', (order) => `(select * from users u where ${condition} and ${order}) u ${OF_USER}`)
const accountsAmong = (filter: IndexedFilter) =>
  pagesOf(
    'm.id',
    (order) => `(select distinct m.id from (${MATCHES[filter]}) m where ${order}) m
      cross join lateral (select * from accounts where id = m.id offset 0) a ${OF_ACCOUNT}`,
  )

const PAGES = {
  ip: accountsAmong('ip'),
  email: accountsAmong('email'),
  username: accountsAmong('username'),
  displayName: accountsAmong('displayName'),
  role: accountsAmong('role'),
  domain: accountsAmong('domain'),
  invitedBy: accountsAmong('invitedBy'),
  pending: usersWith('not u.approved'),
  disabled: usersWith('u.disabled_at is not null'),
  sensitized: accountsWith('a.sensitized_at is not null'),
  silenced: accountsWith('a.silenced_at is not null'),
  suspended: accountsWith('a.suspended_at is not null'),
  // A block of a domain may suspend or limit most of all accounts. Lists of local accounts don't read those.
  localSilenced: accountsWith('a.silenced_at is not null and a.domain is null'),
  localSuspended: accountsWith('a.suspended_at is not null and a.domain is null'),
  local: accountsWith('a.domain is null'),
  // Every account with an e-mail address, an IP address or a role has a user.
  users: usersWith('true'),
  all: accountsWith('true'),
}

const matchCount = (filter: IndexedFilter) => `(select count(*) from (${MATCHES[filter]}) m)::integer`
const countMatches = statement<{
  params: Omit<FilterParameters, 'origin' | 'status'>
  row: Record<IndexedFilter, number>
}>(
  `select ${matchCount('ip')} as ip, ${matchCount('email')} as email, ${matchCount('username')} as username,
     ${matchCount('displayName')} as "displayName", ${matchCount('role')} as role, ${matchCount('domain')} as domain,
     ${matchCount('invitedBy')} as "invitedBy"`,
)
const findStaffRoles = statement<{ row: { id: string } }>(
  `select id from roles where ${hasPermissionSql('manageReports', 'roles')} order by id`,
)

/** Returns the ids of a page of accounts, newest first (Mastodon: GET /api/v2/admin/accounts). */
export async function filterAccounts(
  read: Read,
  { filters, page }: { filters: AccountFilters; page: Page },
): Promise<string[]> {
  const { ip, roleIds, ...others } = filters
  if (isContradictory(filters)) return []
  const params = {
    ...others,
    firstIp: ip?.first ?? null,
    lastIp: ip?.last ?? null,
    roleIds: roleIds === 'staff' ? (await findStaffRoles(read.db)).map((role) => role.id) : roleIds,
    ...pageParameters(page),
  }
  const { descending, ascending } = PAGES[(await findIndexedFilter(read, params)) ?? scanFor(filters)]
  const rows = await readKeysetPage(page, {
    descending: () => descending(read.db, params),
    ascending: () => ascending(read.db, params),
  })
  return rows.map((row) => row.id)
}

/** Returns whether the filters match no account: some match only local accounts, and others only remote ones. */
function isContradictory({ origin, status, domain, email, ip, roleIds, invitedBy }: AccountFilters): boolean {
  const isOfUsers = [email, ip, roleIds, invitedBy].some((filter) => filter !== null)
  const isLocal = origin === 'local' || isOfUsers || status === 'pending' || status === 'disabled'
  return isLocal && (origin === 'remote' || domain !== null)
}

/** Returns the filter with the fewest matches, or null if each has too many to sort them. */
async function findIndexedFilter(read: Read, params: FilterParameters): Promise<IndexedFilter | null> {
  const isSet: Record<IndexedFilter, boolean> = {
    ip: params.firstIp !== null,
    email: params.email !== null,
    username: params.username !== null,
    displayName: params.displayName !== null,
    // Only other roles have an index.
    role: params.roleIds !== null && !params.roleIds.includes(EVERYONE_ROLE_ID),
    domain: params.domain !== null,
    invitedBy: params.invitedBy !== null,
  }
  if (!Object.values(isSet).includes(true)) return null
  const [counts] = await countMatches(read.db, params)
  const found = Object.entries(counts ?? {}) as [IndexedFilter, number][]
  const [fewest] = found
    .filter(([filter, count]) => isSet[filter] && count < MAX_SORTED)
    .toSorted(([, a], [, b]) => a - b)
  return fewest?.[0] ?? null
}

/** Returns the scan that reads the fewest accounts that do not match. */
function scanFor({ origin, status, email, ip, roleIds, invitedBy }: AccountFilters): keyof typeof PAGES {
  if (origin === 'local' && status === 'silenced') return 'localSilenced'
  if (origin === 'local' && status === 'suspended') return 'localSuspended'
  if (status !== null && status !== 'active') return status
  if (email !== null || ip !== null || roleIds !== null || invitedBy !== null) return 'users'
  return origin === 'local' ? 'local' : 'all'
}
