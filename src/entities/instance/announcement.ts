import { type Static, Type } from 'typebox'
import { CustomEmoji } from '../statuses/emoji.ts'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { ref } from '../schema/ref.ts'
import { Status, StatusMention } from '../statuses/status.ts'
import { ShallowTag } from '../statuses/tag.ts'
import { DateTime } from '../schema/time.ts'

export const Reaction = Type.Object(
  {
    name: Type.String({ description: 'A Unicode emoji or the shortcode of a custom emoji.' }),
    count: Type.Integer(),
    me: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
    url: Type.Optional(Type.String({ description: 'Only for custom emojis.' })),
    static_url: Type.Optional(Type.String({ description: 'Only for custom emojis.' })),
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
    all_day: Type.Boolean({ description: '`starts_at` and `ends_at` are dates; their times have no meaning.' }),
    published_at: DateTime,
    updated_at: DateTime,
    read: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
    mentions: Type.Array(ref(StatusMention)),
    statuses: Type.Array(ref(Status), { description: 'Statuses that the text links to.' }),
    tags: Type.Array(ref(ShallowTag)),
    emojis: Type.Array(ref(CustomEmoji)),
    reactions: Type.Array(ref(Reaction)),
  },
  { $id: 'Announcement' },
)
export type Announcement = Static<typeof Announcement>
