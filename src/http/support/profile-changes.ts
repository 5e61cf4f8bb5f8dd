import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { ProfileChanges, ProfileUploads } from '../../domain/accounts/update-profile.ts'
import { File } from './files.ts'

const text = Type.Optional(Type.String())
const flag = Type.Optional(Type.Boolean())

/** What both addresses for changing one's own profile take. */
export const PROFILE_CHANGES = {
  display_name: text,
  note: text,
  avatar: Type.Optional(File),
  header: Type.Optional(File),
  avatar_description: text,
  header_description: text,
  locked: flag,
  bot: flag,
  discoverable: flag,
  indexable: flag,
  hide_collections: flag,
  attribution_domains: Type.Optional(
    Type.Array(Type.String(), { description: 'Sites that may name me as an author, at most 100. Replaces them all.' }),
  ),
  fields_attributes: Type.Optional(
    Type.Array(Type.Object({ name: text, value: text }), { description: 'Four at most. Replaces them all.' }),
  ),
}

const Body = Type.Object(PROFILE_CHANGES)

/** The changes that such a body asks for. What it leaves out stays as it is. */
export function readProfileChanges(body: Static<typeof Body>): { changes: ProfileChanges; uploads: ProfileUploads } {
  return {
    changes: {
      displayName: body.display_name,
      note: body.note,
      avatarDescription: body.avatar_description,
      headerDescription: body.header_description,
      fields: body.fields_attributes?.map(({ name = '', value = '' }) => ({ name, value })),
      attributionDomains: body.attribution_domains,
      locked: body.locked,
      bot: body.bot,
      discoverable: body.discoverable,
      indexable: body.indexable,
      hideCollections: body.hide_collections,
    },
    uploads: { avatarPath: body.avatar?.path, headerPath: body.header?.path },
  }
}
