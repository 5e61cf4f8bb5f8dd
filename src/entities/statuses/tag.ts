import { type Static, Type } from 'typebox'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { ref } from '../schema/ref.ts'
import { Day } from '../schema/time.ts'

/** One day in the usage history of a tag or link. Numbers are decimal strings. */
export const DailyUse = Type.Object(
  {
    day: Type.String({ description: 'Midnight UTC of the day in Unix seconds.' }),
    accounts: Type.String(),
    uses: Type.String(),
  },
  { $id: 'DailyUse' },
)
export type DailyUse = Static<typeof DailyUse>

/** A tag of a status. */
export const ShallowTag = Type.Object({ name: Type.String(), url: Type.String() }, { $id: 'ShallowTag' })

export const Tag = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Without `#`, in the display spelling.' }),
    url: Type.String(),
    history: Type.Array(ref(DailyUse), { description: 'The last seven days, newest first.' }),
    following: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
    featuring: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
  },
  { $id: 'Tag' },
)
export type Tag = Static<typeof Tag>

export const FeaturedTag = Type.Object(
  {
    id: Id,
    name: Type.String(),
    url: Type.String({ description: "Page with the owner's statuses with this tag." }),
    statuses_count: Type.String({ description: 'A decimal number.' }),
    last_status_at: nullable(Day),
  },
  { $id: 'FeaturedTag' },
)
export type FeaturedTag = Static<typeof FeaturedTag>
