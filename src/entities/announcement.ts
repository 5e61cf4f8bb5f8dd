import { type Static, Type } from 'typebox'
import { CustomEmoji } from './emoji.ts'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { ref } from './ref.ts'
import { Status, StatusMention } from './status.ts'
import { ShallowTag } from './tag.ts'
import { DateTime } from './time.ts'

export const Reaction = Type.Object(
  {
    name: Type.String({ description: 'An emoji, or the shortcode of a custom one.' }),
    count: Type.Integer(),
    me: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
    url: Type.Optional(Type.String({ description: 'Only of custom emojis.' })),
    static_url: Type.Optional(Type.String({ description: 'Only of custom emojis.' })),
  },
  { $id: 'Reaction' },
)
export type Reaction = Static<typeof Reaction>

export const Announcement = Type.Object(
  {
    id: Id,
    content: Type.String({ description: 'HTML.' }),
    starts_at: nullable(DateTime),
    ends_at: nullable(DateTime),
    all_day: Type.Boolean({ description: 'Only the days of `starts_at` and `ends_at` count.' }),
    published_at: DateTime,
    updated_at: DateTime,
    read: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
    mentions: Type.Array(ref(StatusMention)),
    statuses: Type.Array(ref(Status), { description: 'Posts that the text links to.' }),
    tags: Type.Array(ref(ShallowTag)),
    emojis: Type.Array(ref(CustomEmoji)),
    reactions: Type.Array(ref(Reaction)),
  },
  { $id: 'Announcement' },
)
export type Announcement = Static<typeof Announcement>
