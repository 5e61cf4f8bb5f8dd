import { type Static, Type } from 'typebox'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { oneOf } from './one-of.ts'

export const AnnualReport = Type.Object(
  {
    year: Type.Integer(),
    data: Type.Object({
      archetype: oneOf(['lurker', 'booster', 'pollster', 'replier', 'oracle'], {
        description: 'What kind of author the year shows.',
      }),
      time_series: Type.Array(
        Type.Object({ month: Type.Integer(), statuses: Type.Integer(), followers: Type.Integer() }),
        {
          description: 'One entry, for the whole year: what was posted, and followers of now who came in it.',
        },
      ),
      top_hashtags: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() }), { maxItems: 1 }),
      top_statuses: Type.Object({ by_reblogs: nullable(Id), by_favourites: Type.Null(), by_replies: Type.Null() }),
    }),
    schema_version: Type.Integer({ description: 'Which form `data` has: 2.' }),
    share_url: nullable(Type.String()),
    account_id: Id,
  },
  { $id: 'AnnualReport' },
)
export type AnnualReport = Static<typeof AnnualReport>
