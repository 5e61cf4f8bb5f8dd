import { type Static, Type } from 'typebox'
import { Id } from './id.ts'
import { DateTime } from './time.ts'

export const Marker = Type.Object(
  {
    last_read_id: Id,
    version: Type.Integer({ description: 'Rises by one with each write.' }),
    updated_at: DateTime,
  },
  { $id: 'Marker' },
)
export type Marker = Static<typeof Marker>
