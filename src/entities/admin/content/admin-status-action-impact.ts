import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminStatusActionImpact = Type.Object(
  {
    account_id: Id,
    type: oneOf(['delete']),
    statuses_count: Type.Integer({ description: 'Statuses that the action would delete; others are left out.' }),
    replies_count: Type.Integer({ description: 'Replies, which lose their parent.' }),
    reblogs_count: Type.Integer({ description: 'Boosts. They end for good.' }),
    favourites_count: Type.Integer({ description: 'They end for good.' }),
    bookmarks_count: Type.Integer({ description: 'They end for good.' }),
    quotes_count: Type.Integer({ description: 'Pending and accepted quotes by other statuses.' }),
    media_files_count: Type.Integer({ description: 'Uploads; of a remote account, files in the remote media cache.' }),
    media_files_bytes: Type.Integer(),
    servers_count: Type.Integer({ description: 'Servers that receive a Delete.' }),
    counts_limit: Type.Integer({ description: 'Each count includes at most this number of rows.' }),
    reversible: Type.Boolean({ description: 'Whether all of the statuses would be retained.' }),
    reversible_until: nullable(DateTime, { description: 'Null: not reversible.' }),
  },
  {
    $id: 'AdminStatusActionImpact',
    description: 'What an action against statuses would affect (Admin::StatusActionImpact).',
  },
)
export type AdminStatusActionImpact = Static<typeof AdminStatusActionImpact>
