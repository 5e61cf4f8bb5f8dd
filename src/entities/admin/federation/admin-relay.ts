import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminRelay = Type.Object(
  {
    id: Id,
    inbox_url: Type.String(),
    state: oneOf(['idle', 'pending', 'accepted', 'rejected'], {
      description:
        'The answer of the relay. `idle`: stored by a version that did not subscribe to relays; delete it and add it again.',
    }),
    created_at: DateTime,
  },
  { $id: 'AdminRelay', description: 'A relay that the administrators chose.' },
)
export type AdminRelay = Static<typeof AdminRelay>
