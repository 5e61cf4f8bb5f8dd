import { type Static, Type } from 'typebox'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'

const Value = Type.Union([Type.String(), Type.Boolean(), Type.Integer()], {
  description: 'A boolean or an integer for settings of these types, a text for the others.',
})

export const AdminSetting = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    type: oneOf(['boolean', 'choice', 'integer', 'line', 'text'], { description: 'A `line` has no line breaks.' }),
    value: Value,
    default: Value,
    allowed_values: nullable(Type.Array(Type.String()), { description: 'Only for the type `choice`.' }),
    max_characters: nullable(Type.Integer(), { description: 'Only for the types `line` and `text`.' }),
  },
  { $id: 'AdminSetting', description: 'A setting of the server.' },
)
export type AdminSetting = Static<typeof AdminSetting>
