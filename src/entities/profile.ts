import { type Static, Type } from 'typebox'
import { Field } from './account.ts'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { ref } from './ref.ts'
import { FeaturedTag } from './tag.ts'

export const Profile = Type.Object(
  {
    id: Id,
    display_name: Type.String(),
    note: Type.String({ description: 'The biography as typed.' }),
    fields: Type.Array(ref(Field), { description: 'As typed.' }),
    formatted_note: Type.String({ description: 'The biography as HTML.' }),
    formatted_fields: Type.Array(ref(Field), { description: 'With HTML values.' }),
    avatar: nullable(Type.String(), { description: 'Null when unset.' }),
    avatar_static: nullable(Type.String()),
    avatar_description: Type.String(),
    header: nullable(Type.String(), { description: 'Null when unset.' }),
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
  { $id: 'Profile', description: "The caller's own profile, for editing." },
)
export type Profile = Static<typeof Profile>
