import { type Static, Type } from 'typebox'
import { CustomEmoji } from './emoji.ts'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { ref } from '../schema/ref.ts'
import { DateTime } from '../schema/time.ts'

/** Fields that are equal for all viewers. */
const PollShared = Type.Object({
  id: Id,
  expires_at: nullable(DateTime),
  expired: Type.Boolean(),
  multiple: Type.Boolean(),
  votes_count: Type.Integer(),
  voters_count: nullable(Type.Integer(), { description: 'Null if the origin server does not publish it.' }),
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
  voted: Type.Optional(Type.Boolean({ description: 'Only with a user token. True for the author.' })),
  own_votes: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Zero-based indexes of the chosen options. Only with a user token.' }),
  ),
})
export type PollForViewer = Static<typeof PollForViewer>

export const Poll = Type.Object({ ...PollShared.properties, ...PollForViewer.properties }, { $id: 'Poll' })
export type Poll = Static<typeof Poll>
