import { type Static, Type } from 'typebox'
import { Field } from './account.ts'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { ref } from '../schema/ref.ts'
import { FeaturedTag } from '../statuses/tag.ts'

export const Profile = Type.Object(
  {
    id: Id,
    display_name: Type.String(),
    note: Type.String({ description: 'The biography as typed.' }),
    fields: Type.Array(ref(Field), { description: 'Values as typed.' }),
    formatted_note: Type.String({ description: 'The biography as HTML.' }),
    formatted_fields: Type.Array(ref(Field), { description: 'Values as HTML.' }),
    avatar: nullable(Type.String(), { description: 'Null if unset.' }),
    avatar_static: nullable(Type.String()),
    avatar_description: Type.String(),
    header: nullable(Type.String(), { description: 'Null if unset.' }),
    header_static: nullable(Type.String()),
    header_description: Type.String(),
    locked: Type.Boolean(),
    bot: Type.Boolean(),
    hide_collections: nullable(Type.Boolean()),
    discoverable: nullable(Type.Boolean()),
    indexable: Type.Boolean(),
    show_media: Type.Boolean(),
    show_media_replies: Type.Boolean(),
    show_featured: Type.Boolean(),
    attribution_domains: Type.Array(Type.String()),
    featured_tags: Type.Array(ref(FeaturedTag)),
  },
  { $id: 'Profile', description: "The caller's profile, for editing." },
)
export type Profile = Static<typeof Profile>
