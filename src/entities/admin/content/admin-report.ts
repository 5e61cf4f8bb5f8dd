import { type Static, Type } from 'typebox'
import { Collection } from '../../accounts/collection.ts'
import { Rule } from '../../instance/instance.ts'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { ref } from '../../schema/ref.ts'
import { DateTime } from '../../schema/time.ts'
import { Status } from '../../statuses/status.ts'
import { AdminAccount } from '../accounts/admin-account.ts'

export const AdminReport = Type.Object(
  {
    id: Id,
    action_taken: Type.Boolean({ description: 'The report is resolved.' }),
    action_taken_at: nullable(DateTime),
    category: oneOf(['spam', 'legal', 'violation', 'other']),
    comment: Type.String(),
    forwarded: nullable(Type.Boolean()),
    created_at: DateTime,
    updated_at: DateTime,
    account: ref(AdminAccount),
    target_account: ref(AdminAccount),
    assigned_account: nullable(ref(AdminAccount)),
    action_taken_by_account: nullable(ref(AdminAccount)),
    statuses: Type.Array(ref(Status)),
    collections: Type.Array(ref(Collection), { description: 'Those that still exist. Not in Mastodon.' }),
    rules: Type.Array(ref(Rule)),
  },
  { $id: 'AdminReport', description: 'A report as the staff see it (Admin::Report).' },
)
export type AdminReport = Static<typeof AdminReport>
