import { type Static, Type } from 'typebox'
import { Account, Role } from '../../accounts/account.ts'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { ref } from '../../schema/ref.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminIp = Type.Object(
  { ip: Type.String(), used_at: DateTime },
  { $id: 'AdminIp', description: 'An address from which a user has signed up or logged in.' },
)
export type AdminIp = Static<typeof AdminIp>

export const AdminAccount = Type.Object(
  {
    id: Id,
    username: Type.String(),
    domain: nullable(Type.String()),
    created_at: DateTime,
    email: nullable(Type.String(), {
      description: 'Null for remote accounts, and for staff without the permission to manage users.',
    }),
    ip: nullable(Type.String(), { description: 'The latest address; null like `email`.' }),
    ips: Type.Array(ref(AdminIp), { description: 'Newest first.' }),
    locale: nullable(Type.String()),
    invite_request: nullable(Type.String(), { description: 'Why the user wants to join.' }),
    role: nullable(ref(Role), { description: 'Null for remote accounts.' }),
    confirmed: nullable(Type.Boolean(), { description: 'Null for remote accounts, like `approved` and `disabled`.' }),
    approved: nullable(Type.Boolean()),
    disabled: nullable(Type.Boolean()),
    sensitized: Type.Boolean(),
    silenced: Type.Boolean(),
    suspended: Type.Boolean(),
    manageable: Type.Boolean({
      description:
        'Whether your role has a higher position than that of the user, as actions against the account require.',
    }),
    account: ref(Account),
    created_by_application_id: Type.Optional(Id),
    purge_at: Type.Optional(
      Type.With(DateTime, {
        description: 'When the data of the suspended account are deleted. Absent once that has begun.',
      }),
    ),
    invited_by_account_id: Type.Optional(Id),
  },
  { $id: 'AdminAccount', description: 'An account as the staff see it (Admin::Account).' },
)
export type AdminAccount = Static<typeof AdminAccount>
