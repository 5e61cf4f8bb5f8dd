import { type Static, Type } from 'typebox'
import { Id } from '../schema/id.ts'
import { DateTime } from '../schema/time.ts'

export const Marker = Type.Object(
  {
    last_read_id: Id,
    version: Type.Integer({ description: 'Increases by one with each update.' }),
    updated_at: DateTime,
  },
  { $id: 'Marker' },
)
export type Marker = Static<typeof Marker>
