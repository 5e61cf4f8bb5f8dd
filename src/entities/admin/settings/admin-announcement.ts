import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminAnnouncement = Type.Object(
  {
    id: Id,
    text: Type.String({ description: 'As typed.' }),
    content: Type.String({ description: 'HTML.' }),
    starts_at: nullable(DateTime),
    ends_at: nullable(DateTime),
    all_day: Type.Boolean({ description: '`starts_at` and `ends_at` are dates; their times have no meaning.' }),
    ended: Type.Boolean({ description: 'Users do not see the announcement any more.' }),
    published: Type.Boolean(),
    published_at: nullable(DateTime),
    scheduled_at: nullable(DateTime, { description: 'When a draft is published.' }),
    updated_at: DateTime,
  },
  { $id: 'AdminAnnouncement', description: 'An announcement or a draft of one as the staff see it.' },
)
export type AdminAnnouncement = Static<typeof AdminAnnouncement>
