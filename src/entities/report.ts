import { type Static, Type } from 'typebox'
import { Account } from './account.ts'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { oneOf } from './one-of.ts'
import { ref } from './ref.ts'
import { DateTime } from './time.ts'

export const Report = Type.Object(
  {
    id: Id,
    action_taken: Type.Boolean(),
    action_taken_at: nullable(DateTime),
    category: oneOf(['spam', 'legal', 'violation', 'other']),
    comment: Type.String(),
    forwarded: nullable(Type.Boolean(), { description: "Also sent to the account's own server." }),
    created_at: DateTime,
    status_ids: nullable(Type.Array(Id)),
    rule_ids: nullable(Type.Array(Id)),
    collection_ids: Type.Array(Id),
    target_account: ref(Account),
  },
  { $id: 'Report' },
)
export type Report = Static<typeof Report>
