import { type Static, Type } from 'typebox'
import { FeatureApproval, QuotePolicy } from '../statuses/approval.ts'
import { CustomEmoji } from '../statuses/emoji.ts'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'
import { ref, refTo } from '../schema/ref.ts'
import { DateTime, Day } from '../schema/time.ts'

export const Field = Type.Object(
  {
    name: Type.String(),
    value: Type.String({ description: 'HTML. In `source` and in `Profile.fields`: the text as typed.' }),
    verified_at: nullable(DateTime, { description: 'When the server verified that the linked page links back.' }),
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
  { $id: 'AccountRole', description: 'A role that is displayed as a badge on the account.' },
)

export const Role = Type.Object(
  {
    id: Type.With(Id, { description: '`-99` is the default role of all users.' }),
    name: Type.String(),
    permissions: Type.String({ description: 'Bit mask as a decimal number. Includes the default role.' }),
    color: Type.String({ description: 'Empty or `#rrggbb`.' }),
    highlighted: Type.Boolean({ description: 'Displayed as a badge to all viewers.' }),
    collection_limit: Type.Integer({ description: 'How many collections an account with this role may own.' }),
  },
  { $id: 'Role' },
)
export type Role = Static<typeof Role>

/** Fields that are equal for all viewers and change only with the version of the account. */
export const AccountProfile = Type.Object({
  id: Id,
  username: Type.String(),
  acct: Type.String({ description: '`username` for local accounts, `username@domain` for remote ones.' }),
  url: Type.String({ description: 'URL of the profile page.' }),
  uri: Type.String({ description: 'The ActivityPub id.' }),
  display_name: Type.String(),
  note: Type.String({ description: 'The biography as HTML.' }),
  avatar: Type.String(),
  avatar_static: Type.String(),
  avatar_description: Type.String(),
  header: Type.String(),
  header_static: Type.String(),
  header_description: Type.String(),
  locked: Type.Boolean({ description: 'The account approves follow requests manually.' }),
  bot: Type.Boolean(),
  group: Type.Boolean(),
  discoverable: nullable(Type.Boolean(), { description: 'Null if the user never chose.' }),
  indexable: Type.Boolean({ description: 'Public statuses appear in full-text search.' }),
  hide_collections: nullable(Type.Boolean(), { description: 'Followers and followed accounts are hidden.' }),
  created_at: DateTime,
  show_media: Type.Boolean({ description: 'The profile has a media tab.' }),
  show_media_replies: Type.Boolean({ description: 'The media tab includes replies.' }),
  show_featured: Type.Boolean({ description: 'The profile has a tab for featured accounts, tags and collections.' }),
  fields: Type.Array(ref(Field)),
  roles: Type.Optional(Type.Array(ref(AccountRole), { description: 'Only for local accounts.' })),
  noindex: Type.Optional(Type.Boolean({ description: 'Only for local accounts.' })),
  memorial: Type.Optional(Type.Literal(true)),
  suspended: Type.Optional(Type.Literal(true)),
  limited: Type.Optional(Type.Literal(true, { description: 'Limited by the moderators of this server.' })),
  email_subscriptions: Type.Optional(
    Type.Boolean({ description: 'Visitors can subscribe to posts by e-mail. Only if the server offers this.' }),
  ),
  invalid_handle: Type.Optional(
    Type.Literal(true, { description: 'The handle could not be verified; `username` contains the id instead.' }),
  ),
})
export type AccountProfile = Static<typeof AccountProfile>

/** Fields that are equal for all viewers and change without a new version of the account. */
export const AccountCounters = Type.Object({
  last_status_at: nullable(Day),
  statuses_count: Type.Integer({ description: 'Without direct statuses.' }),
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
    nullable(refTo<Account>('Account'), { description: 'The account that this account moved to; without `moved`.' }),
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
    privacy: oneOf(['public', 'unlisted', 'private'], { description: 'Default visibility of new statuses.' }),
    sensitive: Type.Boolean({ description: 'New statuses are marked as sensitive by default.' }),
    language: nullable(Type.String(), {
      description: 'Default language of new statuses. Null: the interface language.',
    }),
    note: Type.String({ description: 'The biography as typed.' }),
    raw_note: Type.String({ description: 'The same as `note`.' }),
    fields: Type.Array(ref(Field)),
    follow_requests_count: Type.Integer({ description: 'The count stops at 40.' }),
    hide_collections: nullable(Type.Boolean()),
    discoverable: nullable(Type.Boolean()),
    indexable: nullable(Type.Boolean()),
    attribution_domains: Type.Array(Type.String(), {
      description: 'Websites that may credit this account as an author.',
    }),
    quote_policy: QuotePolicy,
  },
  { $id: 'Source', description: "The user's profile as typed and the defaults of new statuses, for editing." },
)
export type Source = Static<typeof Source>

export const CredentialAccount = Type.Object(
  { ...Account.properties, source: ref(Source), role: ref(Role) },
  { $id: 'CredentialAccount', description: 'The account of the access token.' },
)
export type CredentialAccount = Static<typeof CredentialAccount>

export const MutedAccount = Type.Object(
  { ...Account.properties, mute_expires_at: nullable(DateTime, { description: 'Null if the mute does not expire.' }) },
  { $id: 'MutedAccount' },
)
export type MutedAccount = Static<typeof MutedAccount>

/** The fields of an account that a row of avatars needs. */
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
    accounts: Type.Array(ref(Account), { description: 'Followers of the account that the caller follows.' }),
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
