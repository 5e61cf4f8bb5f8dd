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
  stateMask: number
  states: number
  domain: string | null
  username: string | null
  displayName: string | null
  email: string | null
  firstIp: string | null
  lastIp: string | null
  roleIds: readonly string[] | null
  invitedBy: string | null
}

/** The bits of `account_filter_fields.states`. */
const STATE = { local: 1, silenced: 2, suspended: 4, sensitized: 8, pending: 16, disabled: 32 } as const

const STATES_OF_STATUS: Record<(typeof ACCOUNT_STATUSES)[number], { mask: number; states: number }> = {
  active: { mask: STATE.suspended, states: 0 },
  pending: { mask: STATE.pending, states: STATE.pending },
  disabled: { mask: STATE.disabled | STATE.suspended, states: STATE.disabled },
  sensitized: { mask: STATE.sensitized, states: STATE.sensitized },
  silenced: { mask: STATE.silenced, states: STATE.silenced },
  suspended: { mask: STATE.suspended, states: STATE.suspended },
}

/**
 * The accounts that match a filter are read by its index, and sorted, if they are fewer than this. Otherwise, the rows of
 * `account_filter_fields` are read in the order of the ids until the page is full.
 */
const MAX_SORTED = 500

/** The length of `account_filter_fields.display_name`. */
const DISPLAY_NAME_LENGTH = 60

/** In the order of `~<~`, a text followed by this character comes after every text with this prefix. */
const LAST_CHARACTER = 'chr(1114111)'

// PostgreSQL evaluates a scalar subquery once, and other expressions of parameters for each row.
const hasPrefix = (column: string, prefix: string) =>
  `${column} ~>=~ (select ${prefix}) and ${column} ~<~ (select ${prefix} || ${LAST_CHARACTER})`
const DISPLAY_NAME = `left(lower($displayName), ${DISPLAY_NAME_LENGTH})`

const hasState = (state: keyof typeof STATE) => `$stateMask::integer & $states & ${STATE[state]} <> 0`

// A branch whose parameter is null is not executed. A user may have many sessions with addresses of the range, so rows
// are counted and not accounts: fewer rows than the limit are all rows.
const MATCHES = {
  ip: `(select account_id as id from users where sign_up_ip between $firstIp::inet and $lastIp::inet limit ${MAX_SORTED})
    union all (select (select account_id from users where id = user_id) from sessions
      where ip between $firstIp::inet and $lastIp::inet limit ${MAX_SORTED})`,
  email: `select account_id as id from users where ${hasPrefix('lower(email)', 'lower($email)')} limit ${MAX_SORTED}`,
  username: `select id from accounts where ${hasPrefix('lower(username)', 'lower($username)')} limit ${MAX_SORTED}`,
  displayName: `select id from accounts where display_name <> ''
    and ${hasPrefix(`left(lower(display_name), ${DISPLAY_NAME_LENGTH})`, DISPLAY_NAME)} limit ${MAX_SORTED}`,
  role: `select account_id as id from users where role_id = any($roleIds::bigint[]) and role_id <> ${EVERYONE_ROLE_ID}
    limit ${MAX_SORTED}`,
  domain: `select id from accounts where domain = $domain limit ${MAX_SORTED}`,
  invitedBy: `select (select account_id from users where id = x.user_id) as id
    from invite_uses x join invites i on i.id = x.invite_id join users inviter on inviter.id = i.user_id
    where inviter.account_id = $invitedBy limit ${MAX_SORTED}`,
  local: `select id from accounts where domain is null and ${hasState('local')} limit ${MAX_SORTED}`,
  pending: `select account_id as id from users where not approved and ${hasState('pending')} limit ${MAX_SORTED}`,
  disabled: `select account_id as id from users where disabled_at is not null and ${hasState('disabled')} limit ${MAX_SORTED}`,
  sensitized: `select id from accounts where sensitized_at is not null and ${hasState('sensitized')} limit ${MAX_SORTED}`,
  silenced: `select id from accounts where silenced_at is not null and ${hasState('silenced')} limit ${MAX_SORTED}`,
  suspended: `select id from accounts where suspended_at is not null and ${hasState('suspended')} limit ${MAX_SORTED}`,
} as const

type IndexedFilter = keyof typeof MATCHES

/** Conditions over a row `f` of `account_filter_fields`, the cheap ones first. `cast`: the type of the parameter. */
const CONDITIONS = {
  roleIds: { cast: 'bigint[]', sql: 'f.role_id = any($roleIds)' },
  invitedBy: { cast: 'bigint', sql: 'f.invited_by = $invitedBy' },
  domain: { cast: 'text', sql: 'f.domain = $domain' },
  username: { cast: 'text', sql: hasPrefix('f.username', 'lower($username)') },
  email: { cast: 'text', sql: hasPrefix('f.email', 'lower($email)') },
  displayName: {
    cast: 'text',
    sql: `${hasPrefix('f.display_name', DISPLAY_NAME)} and (length($displayName) <= ${DISPLAY_NAME_LENGTH} or exists (
      select from accounts a where a.id = f.account_id and starts_with(lower(a.display_name), lower($displayName))))`,
  },
  firstIp: { cast: 'inet', sql: `f.addresses && (select inet_range($firstIp, $lastIp::inet, '[]'))` },
} as const

type Condition = keyof typeof CONDITIONS
const ALL_CONDITIONS = Object.keys(CONDITIONS) as Condition[]

const param = (name: Condition) => `$${name}::${CONDITIONS[name].cast}`

/** Any combination of filters. */
const FILTERS = `f.states & $stateMask::integer = $states::integer${ALL_CONDITIONS.map(
  (name) => ` and (${param(name)} is null or (${CONDITIONS[name].sql}))`,
).join('')}`

/**
 * These filters and no others: testing seven parameters for null would take a third of the time of a scan. PostgreSQL
 * compares the absent ones once. `is true` lets it evaluate the conditions in the written order.
 */
function onlyFilters(names: readonly Condition[]): string {
  const absent = ALL_CONDITIONS.filter((name) => !names.includes(name)).map(param)
  const present = names.map((name) => ` and ${param(name)} is not null`).join('')
  const lastIp = names.includes('firstIp') ? [] : ['$lastIp::inet']
  const conditions = names.map((name) => ` and (${CONDITIONS[name].sql})`).join('')
  return `num_nonnulls(${[...absent, ...lastIp, 'null'].join()}) = 0${present}
    and (f.states & $stateMask::integer = $states::integer${conditions}) is true`
}

/** The combinations of filters that can match accounts. Accounts with a domain have no users. */
const COMBINATIONS = ALL_CONDITIONS.reduce<Condition[][]>(
  (sets, name) => [...sets, ...sets.map((set) => [...set, name])],
  [[]],
).filter((set) => !set.includes('domain') || set.every((name) => ['domain', 'username', 'displayName'].includes(name)))

interface PageStatement {
  params: FilterParameters & PageParameters
  row: { id: string }
}

/** Returns the statements that read a page in both orders. */
function inBothOrders(textFor: (direction: 'desc' | 'asc') => string) {
  return { descending: statement<PageStatement>(textFor('desc')), ascending: statement<PageStatement>(textFor('asc')) }
}

/** Returns the statements that read a page of the accounts that match an indexed filter. */
const pagesAmong = (filter: IndexedFilter) =>
  inBothOrders(
    (
      direction,
    ) => `select m.id from (select distinct id from (${MATCHES[filter]}) ids where ${keysetClause('id').where}) m
       cross join lateral (select * from account_filter_fields where account_id = m.id offset 0) f
     where ${FILTERS} order by m.id ${direction} limit $limit`,
  )
const PAGES_AMONG = Object.fromEntries(
  (Object.keys(MATCHES) as IndexedFilter[]).map((filter) => [filter, pagesAmong(filter)]),
) as Record<IndexedFilter, ReturnType<typeof pagesAmong>>

/** Returns the statements that read accounts in the order of their ids until the page is full. */
const pagesOfAll = (names: readonly Condition[]) =>
  inBothOrders(
    (direction) => `select f.account_id as id from account_filter_fields f
     where ${keysetClause('f.account_id').where} and ${onlyFilters(names)}
     order by f.account_id ${direction} limit $limit`,
  )
const PAGES_OF_ALL = new Map(COMBINATIONS.map((names) => [names.join(), pagesOfAll(names)]))

const matchCount = (filter: IndexedFilter) => `(select count(*) from (${MATCHES[filter]}) m)::integer as "${filter}"`
const countMatches = statement<{ params: FilterParameters; row: Record<IndexedFilter, number> }>(
  `select ${(Object.keys(MATCHES) as IndexedFilter[]).map(matchCount).join(', ')}`,
)
const findStaffRoles = statement<{ row: { id: string } }>(
  `select id from roles where ${hasPermissionSql('manageReports', 'roles')} order by id`,
)

/** Returns the ids of a page of accounts, newest first (Mastodon: GET /api/v2/admin/accounts). */
export async function filterAccounts(
  read: Read,
  { filters, page }: { filters: AccountFilters; page: Page },
): Promise<string[]> {
  if (isContradictory(filters)) return []
  const { ip, roleIds, ...others } = filters
  const params = {
    ...others,
    ...readStates(filters),
    firstIp: ip?.first ?? null,
    lastIp: ip?.last ?? null,
    roleIds: roleIds === 'staff' ? (await findStaffRoles(read.db)).map((role) => role.id) : roleIds,
    ...pageParameters(page),
  }
  const indexed = await findIndexedFilter(read, { filters, params })
  const isGiven = (name: Condition) => params[name] !== null
  const { descending, ascending } =
    indexed === null ? PAGES_OF_ALL.get(ALL_CONDITIONS.filter(isGiven).join())! : PAGES_AMONG[indexed]
  const rows = await readKeysetPage(page, {
    descending: () => descending(read.db, params),
    ascending: () => ascending(read.db, params),
  })
  return rows.map((row) => row.id)
}

/** Returns which bits of the states are compared, and with which values. */
function readStates({ origin, status }: AccountFilters): { stateMask: number; states: number } {
  const { mask, states } = status === null ? { mask: 0, states: 0 } : STATES_OF_STATUS[status]
  if (origin === null) return { stateMask: mask, states }
  return { stateMask: mask | STATE.local, states: origin === 'local' ? states | STATE.local : states }
}

/** Returns whether the filters match no account: some match only local accounts, and others only remote ones. */
function isContradictory({ origin, status, domain, email, ip, roleIds, invitedBy }: AccountFilters): boolean {
  const isOfUsers = [email, ip, roleIds, invitedBy].some((filter) => filter !== null)
  const isLocal = origin === 'local' || isOfUsers || status === 'pending' || status === 'disabled'
  return isLocal && (origin === 'remote' || domain !== null)
}

/** Returns the filter with the fewest matches, or null if each has too many to sort them. */
async function findIndexedFilter(
  read: Read,
  { filters: { origin, status }, params }: { filters: AccountFilters; params: FilterParameters },
): Promise<IndexedFilter | null> {
  const isSet: Record<IndexedFilter, boolean> = {
    ip: params.firstIp !== null,
    email: params.email !== null,
    username: params.username !== null,
    displayName: params.displayName !== null,
    // Only other roles have an index.
    role: params.roleIds !== null && !params.roleIds.includes(EVERYONE_ROLE_ID),
    domain: params.domain !== null,
    invitedBy: params.invitedBy !== null,
    local: origin === 'local',
    pending: status === 'pending',
    disabled: status === 'disabled',
    sensitized: status === 'sensitized',
    silenced: status === 'silenced',
    suspended: status === 'suspended',
  }
  if (!Object.values(isSet).includes(true)) return null
  const [counts] = await countMatches(read.db, params)
  const found = Object.entries(counts ?? {}) as [IndexedFilter, number][]
  const [fewest] = found
    .filter(([filter, count]) => isSet[filter] && count < MAX_SORTED)
    .toSorted(([, a], [, b]) => a - b)
  return fewest?.[0] ?? null
}
