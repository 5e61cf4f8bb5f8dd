import { type Static, Type } from 'typebox'
import { Account } from '../../accounts/account.ts'
import { AppealState } from '../../notifications/notification.ts'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { ref } from '../../schema/ref.ts'
import { DateTime } from '../../schema/time.ts'
import { AdminStrike } from './admin-strike.ts'

export const AdminAppeal = Type.Object(
  {
    id: Id,
    text: Type.String(),
    state: AppealState,
    created_at: DateTime,
    decided_at: nullable(DateTime, { description: 'When it was approved or rejected.' }),
    decided_by_account: nullable(ref(Account), {
      description: 'Who approved or rejected it. Null also for deleted accounts.',
    }),
    strike: ref(AdminStrike),
  },
  { $id: 'AdminAppeal', description: 'The appeal of a user against a strike.' },
)
export type AdminAppeal = Static<typeof AdminAppeal>
