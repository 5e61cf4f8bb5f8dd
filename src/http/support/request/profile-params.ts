import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { ProfileChanges, ProfileUploads } from '../../../domain/accounts/profile/update-profile.ts'
import { FileParam } from '../uploads/uploaded-file.ts'

const OptionalString = Type.Optional(Type.String())
const OptionalBoolean = Type.Optional(Type.Boolean())

/** The parameters of PATCH /api/v1/accounts/update_credentials and PATCH /api/v1/profile. */
export const PROFILE_PARAMS = {
  display_name: OptionalString,
  note: OptionalString,
  avatar: Type.Optional(FileParam),
  header: Type.Optional(FileParam),
  avatar_description: OptionalString,
  header_description: OptionalString,
  locked: OptionalBoolean,
  bot: OptionalBoolean,
  discoverable: OptionalBoolean,
  indexable: OptionalBoolean,
  hide_collections: OptionalBoolean,
  attribution_domains: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Domains of sites that may name you as an author, at most 100. Replaces the list.',
    }),
  ),
  fields_attributes: Type.Optional(
    Type.Array(Type.Object({ name: OptionalString, value: OptionalString }), {
      description: 'At most four. Replaces the list.',
    }),
  ),
}

const ProfileBody = Type.Object(PROFILE_PARAMS)

/** Returns the changes and uploads of a body. Parameters that it omits stay unchanged. */
export function readProfileParams(body: Static<typeof ProfileBody>): {
  changes: ProfileChanges
  uploads: ProfileUploads
} {
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
