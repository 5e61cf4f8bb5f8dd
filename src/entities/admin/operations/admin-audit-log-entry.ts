import { type Static, Type } from 'typebox'
import { Account } from '../../accounts/account.ts'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { ref } from '../../schema/ref.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminAuditLogEntry = Type.Object(
  {
    id: Id,
    created_at: DateTime,
    action: Type.String({ description: 'Such as `suspend`, `resolve` or `change_role`.' }),
    target_type: Type.String({ description: 'Such as `account` or `report`.' }),
    target_id: nullable(Id),
    label: Type.String({ description: 'The target at that time in words, such as a handle.' }),
    details: Type.Record(Type.String(), Type.Unknown(), { description: 'What changed.' }),
    account: nullable(ref(Account), {
      description: 'Who acted. Null for an administrator on the command line, and for deleted accounts.',
    }),
  },
  { $id: 'AdminAuditLogEntry', description: 'What a member of the staff did.' },
)
export type AdminAuditLogEntry = Static<typeof AdminAuditLogEntry>
