import { type Static, Type } from 'typebox'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'

export const AnnualReport = Type.Object(
  {
    year: Type.Integer(),
    data: Type.Object({
      archetype: oneOf(['lurker', 'booster', 'pollster', 'replier', 'oracle'], {
        description: "The user's posting style in that year.",
      }),
      time_series: Type.Array(
        Type.Object({ month: Type.Integer(), statuses: Type.Integer(), followers: Type.Integer() }),
        {
          description: 'One entry for the whole year: statuses published and current followers gained.',
        },
      ),
      top_hashtags: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() }), { maxItems: 1 }),
      top_statuses: Type.Object({ by_reblogs: nullable(Id), by_favourites: Type.Null(), by_replies: Type.Null() }),
    }),
    schema_version: Type.Integer({ description: 'Version of the format of `data`: 2.' }),
    share_url: nullable(Type.String()),
    account_id: Id,
  },
  { $id: 'AnnualReport' },
)
export type AnnualReport = Static<typeof AnnualReport>
