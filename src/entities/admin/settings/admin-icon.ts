import { type Static, Type } from 'typebox'
import { nullable } from '../../schema/nullable.ts'

export const AdminIcon = Type.Object(
  {
    url: nullable(Type.String(), {
      description: 'A PNG file of 512 × 512 pixels. Null: the server has no icon of its own.',
    }),
  },
  { $id: 'AdminIcon', description: 'The icon of the server in browser tabs, apps and the installed web client.' },
)
export type AdminIcon = Static<typeof AdminIcon>
