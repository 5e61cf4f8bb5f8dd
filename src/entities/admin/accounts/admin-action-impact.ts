import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminActionImpact = Type.Object(
  {
    account_id: Id,
    type: oneOf(['none', 'disable', 'sensitive', 'silence', 'suspend', 'delete']),
    statuses_count: Type.Integer({ description: 'Statuses that are hidden, limited or marked as sensitive.' }),
    local_followers_count: Type.Integer(),
    remote_followers_count: Type.Integer(),
    local_following_count: Type.Integer(),
    remote_following_count: Type.Integer(),
    lost_follows_count: Type.Integer({
      description: 'Follows of local users by a remote account. They end for good.',
    }),
    follow_requests_count: Type.Integer({ description: 'To and from the account.' }),
    lists_count: Type.Integer({ description: 'Lists of other users that contain the account.' }),
    collections_count: Type.Integer({ description: 'Collections of the account, and those that contain it.' }),
    open_reports_count: Type.Integer({ description: 'Reports about the account that are resolved.' }),
    sessions_count: Type.Integer({ description: 'Sessions of browsers.' }),
    applications_count: Type.Integer({ description: 'Applications whose access ends.' }),
    scheduled_statuses_count: Type.Integer({ description: 'Scheduled statuses that are not published.' }),
    media_files_count: Type.Integer({ description: 'Uploads; of a remote account, files in the remote media cache.' }),
    media_files_bytes: Type.Integer(),
    servers_count: Type.Integer({
      description:
        'Servers that receive an activity. A deletion also reaches servers that interacted with the account.',
    }),
    counts_limit: Type.Integer({ description: 'Each count includes at most this number of rows.' }),
    reversible: Type.Boolean(),
    reversible_until: nullable(DateTime, { description: 'Null: without a limit in time, or not reversible.' }),
  },
  {
    $id: 'AdminActionImpact',
    description:
      'What a moderation action would affect (Admin::ActionImpact). Counts of what it leaves unchanged are 0.',
  },
)
export type AdminActionImpact = Static<typeof AdminActionImpact>
