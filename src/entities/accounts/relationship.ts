import { type Static, Type } from 'typebox'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { DateTime } from '../schema/time.ts'

export const Relationship = Type.Object(
  {
    id: Type.With(Id, { description: 'Id of the other account.' }),
    following: Type.Boolean(),
    showing_reblogs: Type.Boolean({ description: 'Option of the follow or the pending follow request.' }),
    notifying: Type.Boolean({ description: 'Option of the follow or the pending follow request.' }),
    languages: nullable(Type.Array(Type.String()), { description: 'Null: all languages.' }),
    followed_by: Type.Boolean(),
    blocking: Type.Boolean(),
    blocked_by: Type.Boolean(),
    muting: Type.Boolean(),
    muting_notifications: Type.Boolean(),
    muting_expires_at: nullable(DateTime),
    requested: Type.Boolean({ description: 'The caller sent a follow request that is pending.' }),
    requested_by: Type.Boolean({ description: 'The other account sent a follow request that is pending.' }),
    domain_blocking: Type.Boolean(),
    endorsed: Type.Boolean(),
    note: Type.String({ description: "The caller's private note." }),
  },
  { $id: 'Relationship' },
)
export type Relationship = Static<typeof Relationship>

/** The three fields that are objects with `relationship_format=object`. */
const objectForm = {
  following: Type.Union([Type.Literal(false), Type.Object({ reblogs: Type.Boolean(), notify: Type.Boolean() })]),
  requested: Type.Union([Type.Literal(false), Type.Object({ reblogs: Type.Boolean() })]),
  muting: Type.Union([Type.Literal(false), Type.Object({ notifications: Type.Boolean() })]),
}

export const RelationshipWithObjects = Type.Object(
  { ...Relationship.properties, ...objectForm },
  { $id: 'RelationshipWithObjects', description: 'The form of a relationship with `relationship_format=object`.' },
)
export type RelationshipWithObjects = Static<typeof RelationshipWithObjects>
