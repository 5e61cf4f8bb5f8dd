import { type Static, Type } from 'typebox'
import { Account } from '../../accounts/account.ts'
import { AppealState, WarningAction } from '../../notifications/notification.ts'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { ref } from '../../schema/ref.ts'
import { DateTime } from '../../schema/time.ts'
import { Status } from '../../statuses/status.ts'
import { AdminAccount } from './admin-account.ts'

export const AdminStrike = Type.Object(
  {
    id: Id,
    action: WarningAction,
    text: Type.String({ description: 'The message to the user.' }),
    status_ids: nullable(Type.Array(Id)),
    statuses: Type.Array(ref(Status), { description: 'Those of `status_ids` that are stored.' }),
    report_id: nullable(Id, { description: 'The report that led to the action.' }),
    target_account: ref(AdminAccount),
    account: nullable(ref(Account), {
      description: 'Who acted. Null for an administrator on the command line, and for deleted accounts.',
    }),
    created_at: DateTime,
    overruled_at: nullable(DateTime, { description: 'When an appeal was approved, which undid the action.' }),
    appeal: nullable(Type.Object({ id: Id, text: Type.String(), state: AppealState })),
  },
  { $id: 'AdminStrike', description: 'An action of the staff against an account or its statuses.' },
)
export type AdminStrike = Static<typeof AdminStrike>
