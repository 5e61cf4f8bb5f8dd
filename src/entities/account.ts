import { type Static, Type } from 'typebox'
import { FeatureApproval, QuotePolicy } from './approval.ts'
import { CustomEmoji } from './emoji.ts'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { oneOf } from './one-of.ts'
import { ref, refTo } from './ref.ts'
import { DateTime, Day } from './time.ts'

export const Field = Type.Object(
  {
    name: Type.String(),
    value: Type.String({ description: 'HTML; in `source` and in the profile for editing, the text as typed.' }),
    verified_at: nullable(DateTime, { description: 'When the linked page was seen to link back.' }),
  },
  { $id: 'Field' },
)
export type Field = Static<typeof Field>

/** A role as a badge on an account, visible to all viewers. */
export const AccountRole = Type.Object(
  {
    id: Id,
    name: Type.String(),
    color: Type.String({ description: 'Empty or `#rrggbb`.' }),
  },
  { $id: 'AccountRole' },
)

export const Role = Type.Object(
  {
    id: Type.With(Id, { description: '`-99` is the role of everyone.' }),
    name: Type.String(),
    permissions: Type.String({ description: 'Bit mask as a decimal number, what everyone may do included.' }),
    color: Type.String({ description: 'Empty or `#rrggbb`.' }),
    highlighted: Type.Boolean({ description: 'Shown to all viewers as a badge.' }),
    collection_limit: Type.Integer({ description: 'How many collections its holder may own.' }),
  },
  { $id: 'Role' },
)
export type Role = Static<typeof Role>

/** Fields that are equal for all viewers and change only with the version of the account. */
export const AccountProfile = Type.Object({
  id: Id,
  username: Type.String(),
  acct: Type.String({ description: 'The username; of remote accounts `username@domain`.' }),
  url: Type.String({ description: 'The profile page.' }),
  uri: Type.String({ description: 'The ActivityPub id.' }),
  display_name: Type.String(),
  note: Type.String({ description: 'The biography as HTML.' }),
  avatar: Type.String(),
  avatar_static: Type.String(),
  avatar_description: Type.String(),
  header: Type.String(),
  header_static: Type.String(),
  header_description: Type.String(),
  locked: Type.Boolean({ description: 'Follow requests are answered by hand.' }),
  bot: Type.Boolean(),
  group: Type.Boolean(),
  discoverable: nullable(Type.Boolean(), { description: 'Null when never chosen.' }),
  indexable: Type.Boolean({ description: 'Public posts may be found by full-text search.' }),
  hide_collections: nullable(Type.Boolean(), { description: 'Followers and follows are not listed.' }),
  created_at: DateTime,
  show_media: Type.Boolean({ description: 'The profile has a media tab.' }),
  show_media_replies: Type.Boolean({ description: 'The media tab includes replies.' }),
  show_featured: Type.Boolean({ description: 'The profile has a tab for featured accounts, tags and collections.' }),
  fields: Type.Array(ref(Field)),
  roles: Type.Optional(Type.Array(ref(AccountRole), { description: 'Only of local accounts.' })),
  noindex: Type.Optional(Type.Boolean({ description: 'Only of local accounts.' })),
  memorial: Type.Optional(Type.Literal(true)),
  suspended: Type.Optional(Type.Literal(true)),
  limited: Type.Optional(Type.Literal(true, { description: 'Limited by the staff of this server.' })),
  email_subscriptions: Type.Optional(
    Type.Boolean({ description: 'Posts can be had by e-mail. Only where the server offers it.' }),
  ),
  invalid_handle: Type.Optional(
    Type.Literal(true, { description: 'The handle could not be confirmed; `username` holds the id instead.' }),
  ),
})
export type AccountProfile = Static<typeof AccountProfile>

/** Fields that are equal for all viewers and change while the version stays. */
export const AccountCounters = Type.Object({
  last_status_at: nullable(Day),
  statuses_count: Type.Integer({ description: 'Direct posts are not counted.' }),
  followers_count: Type.Integer(),
  following_count: Type.Integer(),
  emojis: Type.Array(ref(CustomEmoji)),
})
export type AccountCounters = Static<typeof AccountCounters>

export type AccountShared = AccountProfile & AccountCounters

/** Fields that differ between viewers, and nested entities that have such fields. */
export const AccountForViewer = Type.Object({
  feature_approval: ref(FeatureApproval),
  moved: Type.Optional(
    nullable(refTo<Account>('Account'), { description: 'The new account, without a `moved` of its own.' }),
  ),
})
export type AccountForViewer = Static<typeof AccountForViewer>

export const Account = Type.Object(
  { ...AccountProfile.properties, ...AccountCounters.properties, ...AccountForViewer.properties },
  { $id: 'Account' },
)
export interface Account extends Static<typeof Account> {}

export const Source = Type.Object(
  {
    privacy: oneOf(['public', 'unlisted', 'private'], { description: 'Visibility of new posts.' }),
    sensitive: Type.Boolean({ description: 'New posts are marked as sensitive.' }),
    language: nullable(Type.String(), { description: 'Language of new posts; null is that of the interface.' }),
    note: Type.String({ description: 'The biography as typed.' }),
    raw_note: Type.String({ description: 'The same as `note`.' }),
    fields: Type.Array(ref(Field)),
    follow_requests_count: Type.Integer({ description: 'Counted up to 40.' }),
    hide_collections: nullable(Type.Boolean()),
    discoverable: nullable(Type.Boolean()),
    indexable: nullable(Type.Boolean()),
    attribution_domains: Type.Array(Type.String(), { description: 'Sites that may name this account as an author.' }),
    quote_policy: QuotePolicy,
  },
  { $id: 'Source', description: 'What a user typed and chose, for editing.' },
)
export type Source = Static<typeof Source>

export const CredentialAccount = Type.Object(
  { ...Account.properties, source: ref(Source), role: ref(Role) },
  { $id: 'CredentialAccount', description: "The caller's own account." },
)
export type CredentialAccount = Static<typeof CredentialAccount>

export const MutedAccount = Type.Object(
  { ...Account.properties, mute_expires_at: nullable(DateTime, { description: 'Null when the mute has no end.' }) },
  { $id: 'MutedAccount' },
)
export type MutedAccount = Static<typeof MutedAccount>

/** As much of an account as a row of avatars needs. */
export const PartialAccountWithAvatar = Type.Object(
  {
    id: Id,
    acct: Type.String(),
    locked: Type.Boolean(),
    bot: Type.Boolean(),
    url: Type.String(),
    avatar: Type.String(),
    avatar_static: Type.String(),
    avatar_description: Type.String(),
  },
  { $id: 'PartialAccountWithAvatar' },
)
export type PartialAccountWithAvatar = Static<typeof PartialAccountWithAvatar>

export const FamiliarFollowers = Type.Object(
  {
    id: Id,
    accounts: Type.Array(ref(Account), { description: 'Followers of that account whom the caller follows.' }),
  },
  { $id: 'FamiliarFollowers' },
)
export type FamiliarFollowers = Static<typeof FamiliarFollowers>

export const Suggestion = Type.Object(
  {
    source: oneOf(['staff', 'global', 'past_interactions'], { deprecated: true }),
    sources: Type.Array(
      oneOf([
        'featured',
        'most_followed',
        'most_interactions',
        'similar_to_recently_followed',
        'friends_of_friends',
        'fasp',
      ]),
    ),
    account: ref(Account),
  },
  { $id: 'Suggestion' },
)
export type Suggestion = Static<typeof Suggestion>
