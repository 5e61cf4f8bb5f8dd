import { type Static, Type } from 'typebox'
import { CustomEmoji } from './emoji.ts'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { ref } from './ref.ts'
import { DateTime } from './time.ts'

export const Poll = Type.Object(
  {
    id: Id,
    expires_at: nullable(DateTime),
    expired: Type.Boolean(),
    multiple: Type.Boolean(),
    votes_count: Type.Integer(),
    voters_count: nullable(Type.Integer(), { description: 'Null when the origin does not tell.' }),
    options: Type.Array(
      Type.Object({
        title: Type.String(),
        votes_count: nullable(Type.Integer(), { description: 'Null while totals are hidden.' }),
      }),
    ),
    emojis: Type.Array(ref(CustomEmoji)),
    voted: Type.Optional(Type.Boolean({ description: 'Only with a user token; true for the author.' })),
    own_votes: Type.Optional(
      Type.Array(Type.Integer(), { description: 'Positions of the chosen options, from 0. Only with a user token.' }),
    ),
  },
  { $id: 'Poll' },
)
export type Poll = Static<typeof Poll>
