import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  adminKeys,
  accountKeys,
  accountOptions,
  relationshipKeys,
  cardKeys,
  statusKeys,
  statusOptions,
  applicationKeys,
  notificationOptions,
} from '../../test/http/entities/entity-keys.ts'
import type { Keys } from '../../test/http/entities/entity-keys.ts'
import {
  type EntityName,
  type JsonSchema,
  entityNames,
  entitySchemas,
} from '../../test/http/entities/entity-schemas.ts'

const keys: Record<EntityName, Keys> = {
  Account: [accountKeys, accountOptions],
  AccountRole: ['id name color'],
  AccountWarning: ['id action text status_ids target_account appeal created_at'],
  ...adminKeys,
  Announcement: [
    'id content starts_at ends_at all_day published_at updated_at mentions statuses tags emojis reactions',
    'read',
  ],
  AnnouncementReaction: ['name count announcement_id', 'url static_url'],
  AnnualReport: ['year data schema_version share_url account_id'],
  Application: [applicationKeys],
  AsyncRefresh: ['id status result_count'],
  Collection: [
    'id uri url account_id name description language local sensitive discoverable tag item_count items created_at ' +
      'updated_at',
  ],
  CollectionItem: ['id state created_at', 'account_id'],
  CollectionWithAccounts: ['collection accounts'],
  Context: ['ancestors descendants'],
  Conversation: ['id unread accounts last_status'],
  CredentialAccount: [`${accountKeys} source role`, accountOptions],
  CredentialApplication: [`${applicationKeys} client_id client_secret client_secret_expires_at`],
  CustomEmoji: ['shortcode url static_url visible_in_picker', 'category featured'],
  DailyUse: ['day accounts uses'],
  DomainBlock: ['domain digest severity comment'],
  CollectionError: ['error'],
  ErrorBody: ['error'],
  ExtendedDescription: ['updated_at content'],
  FamiliarFollowers: ['id accounts'],
  FeatureApproval: ['automatic manual current_user'],
  FeaturedTag: ['id name url statuses_count last_status_at'],
  Field: ['name value verified_at'],
  Filter: ['id title context expires_at filter_action', 'keywords statuses'],
  FilterKeyword: ['id keyword whole_word'],
  FilterResult: ['filter keyword_matches status_matches'],
  FilterStatus: ['id status_id'],
  GroupedNotificationsResults: ['accounts statuses notification_groups', 'partial_accounts'],
  Instance: [
    'domain title version source_url description usage thumbnail icon languages configuration registrations ' +
      'api_versions contact rules wrapstodon',
  ],
  Invite: ['id code url max_uses uses expires_at autofollow comment created_at'],
  InviteCode: ['invite_code instance_api_url'],
  List: ['id title replies_policy exclusive'],
  Marker: ['last_read_id version updated_at'],
  MediaAttachment: ['id type url preview_url remote_url preview_remote_url text_url meta description blurhash'],
  MutedAccount: [`${accountKeys} mute_expires_at`, accountOptions],
  Notification: ['id type group_key created_at account', `status filtered ${notificationOptions}`],
  NotificationFallback: ['title summary description'],
  NotificationGroup: [
    'group_key notifications_count type most_recent_notification_id sample_account_ids',
    `page_min_id page_max_id latest_page_notification_at status_id ${notificationOptions}`,
  ],
  NotificationPolicy: [
    'for_not_following for_not_followers for_new_accounts for_private_mentions for_limited_accounts for_bots summary',
  ],
  NotificationRequest: ['id created_at updated_at notifications_count account last_status'],
  OAuthError: ['error error_description'],
  OAuthMetadata: [
    'issuer service_documentation authorization_endpoint token_endpoint app_registration_endpoint ' +
      'revocation_endpoint userinfo_endpoint introspection_endpoint scopes_supported response_types_supported response_modes_supported ' +
      'token_endpoint_auth_methods_supported grant_types_supported code_challenge_methods_supported',
  ],
  OEmbed: ['type version title author_name author_url provider_name provider_url cache_age html width height'],
  PartialAccountWithAvatar: ['id acct locked bot url avatar avatar_static avatar_description'],
  Poll: ['id expires_at expired multiple votes_count voters_count options emojis', 'voted own_votes'],
  Preferences: [
    'posting:default:visibility posting:default:sensitive posting:default:language posting:default:quote_policy ' +
      'reading:expand:media reading:expand:spoilers reading:autoplay:gifs',
  ],
  PreviewCard: [cardKeys, 'missing_attribution'],
  PrivacyPolicy: ['updated_at content'],
  Profile: [
    'id display_name note fields formatted_note formatted_fields avatar avatar_static header header_static ' +
      'avatar_description header_description locked bot hide_collections discoverable indexable show_media ' +
      'show_media_replies show_featured attribution_domains featured_tags',
  ],
  Quote: ['state quoted_status'],
  QuoteApproval: ['automatic manual current_user'],
  Reaction: ['name count', 'me url static_url'],
  Relationship: [relationshipKeys],
  RelationshipSeveranceEvent: ['id type purged target_name followers_count following_count created_at'],
  RelationshipWithObjects: [relationshipKeys],
  Report: [
    'id action_taken action_taken_at category comment forwarded created_at status_ids rule_ids collection_ids ' +
      'target_account',
  ],
  Role: ['id name permissions color highlighted collection_limit'],
  Rule: ['id text hint translations'],
  ScheduledStatus: ['id scheduled_at media_attachments params'],
  Search: ['accounts statuses hashtags collections'],
  ShallowQuote: ['state quoted_status_id'],
  ShallowTag: ['name url'],
  Source: [
    'privacy sensitive language note raw_note fields follow_requests_count hide_collections discoverable indexable ' +
      'attribution_domains quote_policy',
  ],
  Status: [statusKeys, statusOptions],
  StatusEdit: ['content spoiler_text sensitive created_at account media_attachments emojis', 'poll quote'],
  StatusMention: ['id username url acct'],
  StatusSource: ['id text spoiler_text'],
  StreamError: ['error status'],
  StreamEvent: ['stream event', 'payload'],
  Suggestion: ['source sources account'],
  Tag: ['id name url history', 'following featuring'],
  TermsOfService: ['effective_date effective content succeeded_by'],
  Token: ['access_token token_type scope created_at'],
  TokenInfo: ['resource_owner_id scope expires_in application created_at'],
  TokenIntrospection: ['active', 'scope client_id token_type iat'],
  Translation: ['content spoiler_text language detected_source_language provider media_attachments poll'],
  TrendsLink: [`${cardKeys} history`, 'missing_attribution'],
  UnexpectedMentionsError: ['error unexpected_accounts'],
  UserInfo: ['iss sub name preferred_username profile picture'],
  V1Filter: ['id phrase context whole_word expires_at irreversible'],
  V1Instance: [
    'uri title short_description description email version urls stats thumbnail languages registrations ' +
      'approval_required invites_enabled configuration contact_account rules',
  ],
  V1NotificationPolicy: [
    'filter_not_following filter_not_followers filter_new_accounts filter_private_mentions filter_bots summary',
  ],
  ValidationError: ['error details'],
  WebPushSubscription: ['id endpoint standard alerts server_key policy'],
}

/** Keys of the nested objects of entities, by path. */
const innerKeys: Record<string, Keys> = {
  'Instance.usage': ['users'],
  'Instance.usage.users': ['active_month'],
  'Instance.thumbnail': ['url blurhash versions description'],
  'Instance.thumbnail.versions': ['@1x @2x'],
  'Instance.icon': ['src size'],
  'Instance.configuration': [
    'urls vapid accounts statuses media_attachments polls translation timelines_access limited_federation',
  ],
  'Instance.configuration.urls': ['streaming status about privacy_policy terms_of_service'],
  'Instance.configuration.vapid': ['public_key'],
  'Instance.configuration.accounts': [
    'max_featured_tags max_pinned_statuses max_display_name_length max_note_length max_avatar_description_length ' +
      'max_header_description_length max_profile_fields profile_field_name_limit profile_field_value_limit',
  ],
  'Instance.configuration.statuses': ['max_characters max_media_attachments characters_reserved_per_url'],
  'Instance.configuration.media_attachments': [
    'supported_mime_types description_limit image_size_limit image_matrix_limit video_size_limit ' +
      'video_frame_rate_limit video_matrix_limit',
  ],
  'Instance.configuration.polls': ['max_options max_characters_per_option min_expiration max_expiration'],
  'Instance.configuration.translation': ['enabled'],
  'Instance.configuration.timelines_access': ['live_feeds hashtag_feeds trending_link_feeds'],
  'Instance.configuration.timelines_access.live_feeds': ['local remote'],
  'Instance.configuration.timelines_access.hashtag_feeds': ['local remote'],
  'Instance.configuration.timelines_access.trending_link_feeds': ['local remote'],
  'Instance.registrations': ['enabled approval_required reason_required message min_age url'],
  'Instance.api_versions': ['mastodon'],
  'Instance.contact': ['email account'],
  'V1Instance.urls': ['streaming_api'],
  'V1Instance.stats': ['user_count status_count domain_count'],
  'V1Instance.configuration': ['accounts statuses media_attachments polls'],
  'V1Instance.configuration.accounts': ['max_featured_tags'],
  'V1Instance.configuration.statuses': ['max_characters max_media_attachments characters_reserved_per_url'],
  'V1Instance.configuration.media_attachments': [
    'supported_mime_types image_size_limit image_matrix_limit video_size_limit video_frame_rate_limit ' +
      'video_matrix_limit',
  ],
  'V1Instance.configuration.polls': ['max_options max_characters_per_option min_expiration max_expiration'],
  'MediaAttachment.meta': ['', 'original small focus colors'],
  'MediaAttachment.meta.original': ['', 'width height size aspect frame_rate duration bitrate'],
  'MediaAttachment.meta.focus': ['x y'],
  'MediaAttachment.meta.colors': ['background foreground accent'],
  'ScheduledStatus.params': [
    'text media_ids sensitive spoiler_text visibility language scheduled_at poll idempotency with_rate_limit ' +
      'application_id in_reply_to_id quoted_status_id quote_approval_policy allowed_mentions',
  ],
  'ScheduledStatus.params.poll': ['options expires_in', 'multiple hide_totals'],
  'Status.application': ['name website'],
  'Poll.options': ['title votes_count'],
  'PreviewCard.authors': ['name url account'],
  'AdminCohort.data': ['date rate value'],
  'AdminDimension.data': ['key human_key value', 'unit human_value'],
  'AdminMeasure.data': ['date value'],
  'AdminStrike.appeal': ['id text state'],
  'AdminRetentionPolicy.areas': [
    'name rows rows_estimated bytes enabled running last_run_at last_pruned_count next_run_at',
  ],
  'AdminTrendsLink.authors': ['name url account'],
  'TrendsLink.authors': ['name url account'],
  'StatusEdit.poll': ['options'],
  'Translation.media_attachments': ['id description'],
  'Translation.poll': ['id options'],
  'AccountWarning.appeal': ['text state'],
  'Notification.annual_report': ['year'],
  'NotificationGroup.annual_report': ['year'],
  'NotificationPolicy.summary': ['pending_requests_count pending_notifications_count'],
  'V1NotificationPolicy.summary': ['pending_requests_count pending_notifications_count'],
}

function words(text = ''): string[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .toSorted()
}

function keysOf({ properties = {}, required = [] }: JsonSchema): { always: string[]; sometimes: string[] } {
  const all = Object.keys(properties)
  return {
    always: required.toSorted(),
    sometimes: all.filter((key) => !required.includes(key)).toSorted(),
  }
}

/** Returns the object schema at a path, through arrays and nullable types. */
function at(path: string): JsonSchema {
  const [name, ...steps] = path.split('.')
  let shape = entitySchemas[name as EntityName]
  for (const step of steps) {
    const next = shape.properties?.[step]
    assert.ok(next, path)
    const inner = next.items ?? next
    shape = inner.anyOf?.find((option) => option.properties) ?? inner
  }
  return shape
}

for (const name of entityNames) {
  test(`${name} has exactly the keys of the API`, () => {
    const [always, sometimes] = keys[name]
    assert.deepEqual(keysOf(entitySchemas[name]), { always: words(always), sometimes: words(sometimes) })
  })
}

test('nested objects of entities have exactly the keys of the API', () => {
  for (const [path, [always, sometimes]] of Object.entries(innerKeys)) {
    assert.deepEqual(keysOf(at(path)), { always: words(always), sometimes: words(sometimes) }, path)
  }
})
