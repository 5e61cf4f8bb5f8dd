import { type Static, Type } from 'typebox'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { DateTime } from './time.ts'

export const Relationship = Type.Object(
  {
    id: Type.With(Id, { description: "The other account's id." }),
    following: Type.Boolean(),
    showing_reblogs: Type.Boolean({ description: 'Of the follow or of the pending request.' }),
    notifying: Type.Boolean({ description: 'Of the follow or of the pending request.' }),
    languages: nullable(Type.Array(Type.String()), { description: 'Null is all of them.' }),
    followed_by: Type.Boolean(),
    blocking: Type.Boolean(),
    blocked_by: Type.Boolean(),
    muting: Type.Boolean(),
    muting_notifications: Type.Boolean(),
    muting_expires_at: nullable(DateTime),
    requested: Type.Boolean({ description: 'The caller has asked to follow.' }),
    requested_by: Type.Boolean({ description: 'The other account has asked to follow.' }),
    domain_blocking: Type.Boolean(),
    endorsed: Type.Boolean(),
    note: Type.String({ description: "The caller's private note." }),
  },
  { $id: 'Relationship' },
)
export type Relationship = Static<typeof Relationship>

/** The three keys whose object form a caller gets with `relationship_format=object`. */
const objectForm = {
  following: Type.Union([Type.Literal(false), Type.Object({ reblogs: Type.Boolean(), notify: Type.Boolean() })]),
  requested: Type.Union([Type.Literal(false), Type.Object({ reblogs: Type.Boolean() })]),
  muting: Type.Union([Type.Literal(false), Type.Object({ notifications: Type.Boolean() })]),
}

export const RelationshipWithObjects = Type.Object(
  { ...Relationship.properties, ...objectForm },
  { $id: 'RelationshipWithObjects', description: 'What `relationship_format=object` gives.' },
)
export type RelationshipWithObjects = Static<typeof RelationshipWithObjects>
