import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

export const UsernameComparison = oneOf(['equals', 'contains'])

export const AdminUsernameBlock = Type.Object(
  {
    id: Id,
    username: Type.String(),
    normalized_username: Type.String({
      description: 'The form that is compared: in lower case, with one of the characters that look alike.',
    }),
    comparison: Type.With(UsernameComparison, {
      description: '`equals`: the block is for the whole username; `contains`: for each username that contains it.',
    }),
    allow_with_approval: Type.Boolean({ description: 'New users await approval; otherwise sign-ups are refused.' }),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { $id: 'AdminUsernameBlock', description: 'A username that new users cannot choose.' },
)
export type AdminUsernameBlock = Static<typeof AdminUsernameBlock>
