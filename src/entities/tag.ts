import { type Static, Type } from 'typebox'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { ref } from './ref.ts'
import { Day } from './time.ts'

/** One day of a tag's or a link's history. Numbers are decimal strings. */
export const DailyUse = Type.Object(
  {
    day: Type.String({ description: 'Midnight UTC in Unix seconds.' }),
    accounts: Type.String(),
    uses: Type.String(),
  },
  { $id: 'DailyUse' },
)
export type DailyUse = Static<typeof DailyUse>

/** A tag as it hangs on a post. */
export const ShallowTag = Type.Object({ name: Type.String(), url: Type.String() }, { $id: 'ShallowTag' })

export const Tag = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Without the `#`, in the spelling for display.' }),
    url: Type.String(),
    history: Type.Array(ref(DailyUse), { description: 'Seven days, newest first.' }),
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
    url: Type.String({ description: "The owner's posts with this tag." }),
    statuses_count: Type.String({ description: 'A decimal number.' }),
    last_status_at: nullable(Day),
  },
  { $id: 'FeaturedTag' },
)
export type FeaturedTag = Static<typeof FeaturedTag>
