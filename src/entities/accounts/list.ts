import { type Static, Type } from 'typebox'
import { Id } from '../schema/id.ts'
import { oneOf } from '../schema/one-of.ts'

export const List = Type.Object(
  {
    id: Id,
    title: Type.String(),
    replies_policy: oneOf(['list', 'followed', 'none'], { description: 'Which replies the list shows.' }),
    exclusive: Type.Boolean({ description: 'Statuses of members are not in the home timeline.' }),
  },
  { $id: 'List' },
)
export type List = Static<typeof List>
