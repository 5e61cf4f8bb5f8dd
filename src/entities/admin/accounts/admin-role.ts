import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'

export const AdminRole = Type.Object(
  {
    id: Type.With(Id, { description: '`-99` is the base role of all users.' }),
    name: Type.String({ description: 'Empty for the base role.' }),
    permissions: Type.String({
      description:
        'Bit mask as a decimal number. Contains only the bits of the role itself, not those of the base role.',
    }),
    color: Type.String({ description: 'Empty or `#rrggbb`.' }),
    position: Type.Integer({ description: 'Users can manage roles, and users with roles, of a lower position.' }),
    highlighted: Type.Boolean({ description: 'Displayed as a badge to all viewers.' }),
    collection_limit: Type.Integer({ description: 'How many collections an account with this role may own.' }),
    require_2fa: Type.Boolean({
      description: 'Whether users with this role must have a second factor. Of the base role: all users.',
    }),
  },
  { $id: 'AdminRole', description: 'A role as the staff see it.' },
)
export type AdminRole = Static<typeof AdminRole>
