import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminCustomEmoji = Type.Object(
  {
    id: Id,
    shortcode: Type.String({ description: 'Without colons.' }),
    domain: nullable(Type.String(), { description: 'Null: a local emoji.' }),
    url: nullable(Type.String(), { description: 'The image of a disabled remote emoji is not served.' }),
    static_url: nullable(Type.String()),
    category: nullable(Type.String()),
    visible_in_picker: Type.Boolean(),
    disabled: Type.Boolean({ description: 'Texts show the shortcode in place of the emoji.' }),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { $id: 'AdminCustomEmoji', description: 'A local or remote custom emoji as the staff see it.' },
)
export type AdminCustomEmoji = Static<typeof AdminCustomEmoji>
