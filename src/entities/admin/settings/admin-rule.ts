import { type Static, Type } from 'typebox'
import { Rule } from '../../instance/instance.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminRule = Type.Object(
  {
    ...Rule.properties,
    priority: Type.Integer({ description: 'Lower ones come first.' }),
    created_at: DateTime,
  },
  { $id: 'AdminRule', description: 'A rule of the server as the staff see it.' },
)
export type AdminRule = Static<typeof AdminRule>
