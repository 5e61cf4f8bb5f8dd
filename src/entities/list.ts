import { type Static, Type } from 'typebox'
import { Id } from './id.ts'
import { oneOf } from './one-of.ts'

export const List = Type.Object(
  {
    id: Id,
    title: Type.String(),
    replies_policy: oneOf(['list', 'followed', 'none'], { description: 'To whom shown replies may be addressed.' }),
    exclusive: Type.Boolean({ description: 'Posts of its members stay out of the home timeline.' }),
  },
  { $id: 'List' },
)
export type List = Static<typeof List>
