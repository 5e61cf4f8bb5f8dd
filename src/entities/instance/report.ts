import { type Static, Type } from 'typebox'
import { Account } from '../accounts/account.ts'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'
import { ref } from '../schema/ref.ts'
import { DateTime } from '../schema/time.ts'

export const Report = Type.Object(
  {
    id: Id,
    action_taken: Type.Boolean(),
    action_taken_at: nullable(DateTime),
    category: oneOf(['spam', 'legal', 'violation', 'other']),
    comment: Type.String(),
    forwarded: nullable(Type.Boolean(), { description: "The report was also sent to the account's server." }),
    created_at: DateTime,
    status_ids: nullable(Type.Array(Id)),
    rule_ids: nullable(Type.Array(Id)),
    collection_ids: Type.Array(Id),
    target_account: ref(Account),
  },
  { $id: 'Report' },
)
export type Report = Static<typeof Report>
