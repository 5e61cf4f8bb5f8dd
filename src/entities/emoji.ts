import { type Static, Type } from 'typebox'

export const CustomEmoji = Type.Object(
  {
    shortcode: Type.String({ description: 'Without the colons.' }),
    url: Type.String(),
    static_url: Type.String({ description: 'A still PNG of the same picture.' }),
    visible_in_picker: Type.Boolean(),
    category: Type.Optional(Type.String({ description: "Only in the server's list of emojis, and only when set." })),
    featured: Type.Optional(Type.Boolean({ description: 'Comes with `category`.' })),
  },
  { $id: 'CustomEmoji' },
)
export type CustomEmoji = Static<typeof CustomEmoji>
