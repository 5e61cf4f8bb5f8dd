import { type Static, Type } from 'typebox'
import { nullable } from '../../schema/nullable.ts'

export const AdminThumbnail = Type.Object(
  {
    url: nullable(Type.String(), {
      description: 'At most 1200 × 630 pixels. Null: the server has no image of its own.',
    }),
    large_url: nullable(Type.String(), {
      description: '2400 × 1260 pixels. Null: the uploaded image is smaller.',
    }),
    blurhash: nullable(Type.String()),
    description: Type.String({ description: 'The alternative text.' }),
  },
  { $id: 'AdminThumbnail', description: 'The image that represents the server in apps and link previews.' },
)
export type AdminThumbnail = Static<typeof AdminThumbnail>
