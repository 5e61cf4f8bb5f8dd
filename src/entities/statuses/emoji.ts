import { type Static, Type } from 'typebox'

export const CustomEmoji = Type.Object(
  {
    shortcode: Type.String({ description: 'Without colons.' }),
    url: Type.String(),
    static_url: Type.String({ description: 'A static PNG of the emoji.' }),
    visible_in_picker: Type.Boolean(),
    category: Type.Optional(Type.String({ description: "Only in the server's list of custom emojis, if set." })),
    featured: Type.Optional(Type.Boolean({ description: 'Present together with `category`.' })),
  },
  { $id: 'CustomEmoji' },
)
export type CustomEmoji = Static<typeof CustomEmoji>
