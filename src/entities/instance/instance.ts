import { type Static, Type } from 'typebox'
import { Account } from '../accounts/account.ts'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'
import { ref } from '../schema/ref.ts'
import { DateTime, Day } from '../schema/time.ts'

export const Rule = Type.Object(
  {
    id: Id,
    text: Type.String(),
    hint: Type.String({ description: 'A longer explanation.' }),
    translations: Type.Record(Type.String(), Type.Object({ text: Type.String(), hint: Type.String() }), {
      description: 'Keyed by language.',
    }),
  },
  { $id: 'Rule' },
)
export type Rule = Static<typeof Rule>

const StatusLimits = Type.Object({
  max_characters: Type.Integer(),
  max_media_attachments: Type.Integer(),
  characters_reserved_per_url: Type.Integer(),
})

const V1MediaLimits = Type.Object({
  supported_mime_types: Type.Array(Type.String()),
  image_size_limit: Type.Integer({ description: 'Bytes.' }),
  image_matrix_limit: Type.Integer({ description: 'Pixels.' }),
  video_size_limit: Type.Integer({ description: 'Bytes.' }),
  video_frame_rate_limit: Type.Integer({ description: 'Frames per second.' }),
  video_matrix_limit: Type.Integer({ description: 'Pixels.' }),
})

const MediaLimits = Type.Object({
  description_limit: Type.Integer({ description: 'Characters.' }),
  ...V1MediaLimits.properties,
})

const PollLimits = Type.Object({
  max_options: Type.Integer(),
  max_characters_per_option: Type.Integer(),
  min_expiration: Type.Integer({ description: 'Seconds.' }),
  max_expiration: Type.Integer({ description: 'Seconds.' }),
})

const AccountLimits = Type.Object({
  max_featured_tags: Type.Integer(),
  max_pinned_statuses: Type.Integer(),
  max_display_name_length: Type.Integer(),
  max_note_length: Type.Integer(),
  max_avatar_description_length: Type.Integer(),
  max_header_description_length: Type.Integer(),
  max_profile_fields: Type.Integer(),
  profile_field_name_limit: Type.Integer({ description: 'Characters.' }),
  profile_field_value_limit: Type.Integer({ description: 'Characters.' }),
})

const FeedAccess = Type.Object({
  local: oneOf(['public', 'authenticated', 'disabled']),
  remote: oneOf(['public', 'authenticated', 'disabled']),
})

const Configuration = Type.Object({
  urls: Type.Object({
    streaming: Type.String({ description: 'Base URL of the WebSocket: `wss://HOST`.' }),
    status: nullable(Type.String(), { description: "The server's status page." }),
    about: Type.String(),
    privacy_policy: Type.String(),
    terms_of_service: nullable(Type.String()),
  }),
  vapid: Type.Object({ public_key: Type.String() }),
  accounts: AccountLimits,
  statuses: StatusLimits,
  media_attachments: MediaLimits,
  polls: PollLimits,
  translation: Type.Object({ enabled: Type.Boolean() }),
  timelines_access: Type.Object({
    live_feeds: FeedAccess,
    hashtag_feeds: FeedAccess,
    trending_link_feeds: FeedAccess,
  }),
  limited_federation: Type.Boolean({ description: 'The server federates only with servers on its allowlist.' }),
})

const Thumbnail = Type.Object({
  url: Type.String(),
  blurhash: nullable(Type.String()),
  versions: nullable(Type.Object({ '@1x': Type.String(), '@2x': Type.String() })),
  description: Type.String({ description: 'The alternative text.' }),
})

const Registrations = Type.Object({
  enabled: Type.Boolean(),
  approval_required: Type.Boolean(),
  reason_required: Type.Boolean(),
  message: nullable(Type.String(), { description: 'HTML. Only while registrations are closed.' }),
  min_age: nullable(Type.Integer(), { description: 'Years.' }),
  url: nullable(Type.String(), { description: 'External sign-up page.' }),
})

export const Instance = Type.Object(
  {
    domain: Type.String(),
    title: Type.String(),
    version: Type.String(),
    source_url: Type.String(),
    description: Type.String(),
    usage: Type.Object({
      users: Type.Object({
        active_month: Type.Integer({ description: 'Users who were active in the last four weeks.' }),
      }),
    }),
    thumbnail: Thumbnail,
    icon: Type.Array(Type.Object({ src: Type.String(), size: Type.String({ description: 'For example `36x36`.' }) })),
    languages: Type.Array(Type.String()),
    configuration: Configuration,
    registrations: Registrations,
    api_versions: Type.Object({ mastodon: Type.Integer() }),
    contact: Type.Object({ email: Type.String(), account: nullable(ref(Account)) }),
    rules: Type.Array(ref(Rule)),
    wrapstodon: nullable(Type.Integer(), {
      description: 'The year of the annual reports that are currently available.',
    }),
  },
  { $id: 'Instance' },
)
export type Instance = Static<typeof Instance>

export const V1Instance = Type.Object(
  {
    uri: Type.String({ description: 'The domain.' }),
    title: Type.String(),
    short_description: Type.String(),
    description: Type.String(),
    email: Type.String(),
    version: Type.String(),
    urls: Type.Object({ streaming_api: Type.String() }),
    stats: Type.Object({
      user_count: Type.Integer(),
      status_count: Type.Integer(),
      domain_count: Type.Integer({ description: 'Number of known servers.' }),
    }),
    thumbnail: Type.String(),
    languages: Type.Array(Type.String()),
    registrations: Type.Boolean(),
    approval_required: Type.Boolean(),
    invites_enabled: Type.Boolean(),
    configuration: Type.Object({
      accounts: Type.Object({ max_featured_tags: Type.Integer() }),
      statuses: StatusLimits,
      media_attachments: V1MediaLimits,
      polls: PollLimits,
    }),
    contact_account: nullable(ref(Account)),
    rules: Type.Array(ref(Rule)),
  },
  { $id: 'V1Instance', deprecated: true },
)
export type V1Instance = Static<typeof V1Instance>

export const DomainBlock = Type.Object(
  {
    domain: Type.String({ description: 'Characters can be obfuscated by `*`.' }),
    digest: Type.String({ description: 'SHA-256 of the complete domain, hexadecimal.' }),
    severity: oneOf(['silence', 'suspend']),
    comment: nullable(Type.String()),
  },
  { $id: 'DomainBlock' },
)
export type DomainBlock = Static<typeof DomainBlock>

export const ExtendedDescription = Type.Object(
  { updated_at: nullable(DateTime), content: Type.String({ description: 'HTML.' }) },
  { $id: 'ExtendedDescription' },
)
export type ExtendedDescription = Static<typeof ExtendedDescription>

export const PrivacyPolicy = Type.Object(
  { updated_at: nullable(DateTime), content: Type.String({ description: 'HTML.' }) },
  { $id: 'PrivacyPolicy' },
)
export type PrivacyPolicy = Static<typeof PrivacyPolicy>

export const TermsOfService = Type.Object(
  {
    effective_date: Day,
    effective: Type.Boolean({ description: 'This version is in effect.' }),
    content: Type.String({ description: 'HTML.' }),
    succeeded_by: nullable(Day, { description: 'Effective date of the next version.' }),
  },
  { $id: 'TermsOfService' },
)
export type TermsOfService = Static<typeof TermsOfService>
