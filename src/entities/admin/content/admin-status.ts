import { type Static, Type } from 'typebox'
import { nullable } from '../../schema/nullable.ts'
import { DateTime } from '../../schema/time.ts'
import { Status } from '../../statuses/status.ts'

export const AdminStatus = Type.Object(
  {
    ...Status.properties,
    deleted_at: nullable(DateTime, { description: 'Set for a deleted status that is retained for the staff only.' }),
    restorable_until: nullable(DateTime, {
      description: 'Until when the staff can restore it. Null: it is not deleted, or was not deleted by the staff.',
    }),
    reported: Type.Boolean({ description: 'It is in a report, open or resolved.' }),
  },
  { $id: 'AdminStatus', description: 'A status as the staff see it.' },
)
export type AdminStatus = Static<typeof AdminStatus>
