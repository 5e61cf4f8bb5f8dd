import { type Static, Type } from 'typebox'
import { CustomEmoji } from './emoji.ts'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { ref } from './ref.ts'
import { DateTime } from './time.ts'

/** Fields that are equal for all viewers. */
const PollShared = Type.Object({
  id: Id,
  expires_at: nullable(DateTime),
  expired: Type.Boolean(),
  multiple: Type.Boolean(),
  votes_count: Type.Integer(),
  voters_count: nullable(Type.Integer(), { description: 'Null when the origin server does not publish it.' }),
  options: Type.Array(
    Type.Object({
      title: Type.String(),
      votes_count: nullable(Type.Integer(), { description: 'Null while totals are hidden.' }),
    }),
  ),
  emojis: Type.Array(ref(CustomEmoji)),
})

/** Fields that differ between viewers. */
export const PollForViewer = Type.Object({
  voted: Type.Optional(Type.Boolean({ description: 'Only with a user token; true for the author.' })),
  own_votes: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Positions of the chosen options, from 0. Only with a user token.' }),
  ),
})
export type PollForViewer = Static<typeof PollForViewer>

export const Poll = Type.Object({ ...PollShared.properties, ...PollForViewer.properties }, { $id: 'Poll' })
export type Poll = Static<typeof Poll>
