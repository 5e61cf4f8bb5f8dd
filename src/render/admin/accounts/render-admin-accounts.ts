import { hasPermission, isAbove } from '../../../domain/access/permissions.ts'
import type { StaffMember } from '../../../domain/access/permissions.ts'
import type { CachedRead } from '../../../domain/context.ts'
import type { AdminAccount, AdminIp } from '../../../entities/admin/accounts/admin-account.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { entity, entityJson } from '../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'
import { statement } from '../../../platform/db/statement.ts'
import { renderAccountMap } from '../../accounts/render-accounts.ts'
import { ROLE_COLUMNS, roleOf } from '../../accounts/role.ts'
import type { RoleColumns } from '../../accounts/role.ts'

interface AccountRow {
  id: string
  username: string
  domain: string | null
  created_at: Date
  sensitized_at: Date | null
  silenced_at: Date | null
  suspended_at: Date | null
  purge_at: Date | null
}

interface UserRow extends RoleColumns {
  role_position: number
  account_id: string
  id: string
  email: string
  locale: string
  sign_up_reason: string | null
  sign_up_application_id: string | null
  invited_by: string | null
  confirmed: boolean
  approved: boolean
  disabled: boolean
}

const findAccounts = statement<{ params: { ids: readonly string[] }; row: AccountRow }>(
  `select a.id, a.username, a.domain, a.created_at, a.sensitized_at, a.silenced_at, a.suspended_at,
     case when p.started_at is null then p.due_at end as purge_at
   from accounts a left join account_purges p on p.account_id = a.id and a.suspended_at is not null
   where a.id = any($ids::bigint[])`,
)
const findUsers = statement<{ params: { accountIds: readonly string[] }; row: UserRow }>(
  `select u.account_id, u.id, u.email, u.locale, u.sign_up_reason, u.sign_up_application_id,
     (select inviter.account_id from invite_uses x join invites i on i.id = x.invite_id
        join users inviter on inviter.id = i.user_id where x.user_id = u.id) as invited_by,
     u.confirmed_at is not null as confirmed, u.approved, u.disabled_at is not null as disabled,
     r.position as role_position, ${ROLE_COLUMNS}
   from users u join roles r on r.id = u.role_id join roles everyone on everyone.id = -99
   where u.account_id = any($accountIds::bigint[])`,
)
const findAddresses = statement<{
  params: { userIds: readonly string[] }
  row: { user_id: string; ip: string; used_at: Date }
}>(
  `select user_id, host(ip) as ip, max(used_at) as used_at from (
     select user_id, ip, last_used_at as used_at from sessions where user_id = any($userIds::bigint[])
     union all
     select id, sign_up_ip, created_at from users where id = any($userIds::bigint[])
   ) used where ip is not null group by user_id, ip order by used_at desc, ip`,
)

/**
 * Returns accounts by their ids as the staff see them; unknown ids have no entry. E-mail and IP addresses are only for
 * staff who may manage users.
 */
export async function renderAdminAccountMap(
  read: CachedRead,
  { ids, staff }: { ids: readonly string[]; staff: StaffMember },
): Promise<Map<string, EntityJson<AdminAccount>>> {
  if (ids.length === 0) return new Map()
  const seesAddresses = hasPermission(staff.permissions, 'manageUsers')
  const [accounts, users, rendered] = await Promise.all([
    findAccounts(read.db, { ids }),
    findUsers(read.db, { accountIds: ids }),
    renderAccountMap(read, { ids }),
  ])
  const addresses = seesAddresses ? await findAddresses(read.db, { userIds: users.map((user) => user.id) }) : []
  const userOf = new Map(users.map((user) => [user.account_id, user]))
  const entries = new Map<string, EntityJson<AdminAccount>>()
  for (const account of accounts) {
    const json = rendered.get(account.id)
    if (json === undefined) continue
    const user = userOf.get(account.id)
    const ips = addresses
      .filter((address) => address.user_id === user?.id)
      .map(({ ip, used_at }) => entity<AdminIp>({ ip, used_at: used_at.toISOString() }))
    entries.set(
      account.id,
      entityJson<AdminAccount>({
        id: account.id,
        username: account.username,
        domain: account.domain,
        created_at: account.created_at.toISOString(),
        email: seesAddresses ? (user?.email ?? null) : null,
        ip: ips[0]?.ip ?? null,
        ips,
        locale: user?.locale ?? null,
        invite_request: user?.sign_up_reason ?? null,
        role: user ? roleOf(user) : null,
        confirmed: user?.confirmed ?? null,
        approved: user?.approved ?? null,
        disabled: user?.disabled ?? null,
        sensitized: account.sensitized_at !== null,
        silenced: account.silenced_at !== null,
        suspended: account.suspended_at !== null,
        manageable: isAbove(staff, user?.role_position ?? null),
        account: json,
        created_by_application_id: user?.sign_up_application_id ?? undefined,
        purge_at: account.purge_at?.toISOString(),
        invited_by_account_id: user?.invited_by ?? undefined,
      }),
    )
  }
  return entries
}

/** Returns accounts in the order of the ids; unknown ids are omitted. */
export async function renderAdminAccounts(
  read: CachedRead,
  { ids, staff }: { ids: readonly string[]; staff: StaffMember },
): Promise<EntityJson<AdminAccount>[]> {
  const accounts = await renderAdminAccountMap(read, { ids, staff })
  return ids.map((id) => accounts.get(id)).filter((account) => account !== undefined)
}

/** Returns one account (Mastodon: GET /api/v1/admin/accounts/:id). @throws NotFoundError */
export async function renderAdminAccount(
  read: CachedRead,
  { id, staff }: { id: string; staff: StaffMember },
): Promise<EntityJson<AdminAccount>> {
  const [account] = isId(id) ? await renderAdminAccounts(read, { ids: [id], staff }) : []
  if (account === undefined) throw new NotFoundError()
  return account
}
