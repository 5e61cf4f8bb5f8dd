import type { Generated, GeneratedAlways } from 'kysely'

// Written by `npm run tables` from the migrated schema. Change a migration, then run it again.

interface AccessTokensTable {
  id: GeneratedAlways<string>
  token_hash: Buffer
  application_id: string | null
  user_id: string | null
  scopes: string[]
  code_hash: Buffer | null
  created_at: Generated<Date>
  last_used_at: Date | null
  revoked_at: Date | null
  session_id: string | null
}

interface AccountArchivesTable {
  id: GeneratedAlways<string>
  account_id: string
  name: string
  requested_at: Date
  finished_at: Date | null
  byte_size: string | null
}

interface AccountConversationStatusesTable {
  account_conversation_id: string
  status_id: string
}

interface AccountConversationsTable {
  id: GeneratedAlways<string>
  account_id: string
  conversation_id: string
  participant_ids: string[]
  participants_digest: Buffer
  last_status_id: string
  unread: Generated<boolean>
  created_at: Generated<Date>
}

interface AccountDomainBlocksTable {
  id: GeneratedAlways<string>
  account_id: string
  domain: string
  created_at: Generated<Date>
}

interface AccountFilterFieldsTable {
  account_id: string
  states: Generated<number>
  role_id: string | null
  invited_by: string | null
  username: Generated<string>
  display_name: Generated<string>
  email: string | null
  domain: string | null
  addresses: string | null
}

interface AccountFilterSourcesTable {
  account_id: GeneratedAlways<string | null>
  states: GeneratedAlways<number | null>
  role_id: GeneratedAlways<string | null>
  invited_by: GeneratedAlways<string | null>
  username: GeneratedAlways<string | null>
  display_name: GeneratedAlways<string | null>
  email: GeneratedAlways<string | null>
  domain: GeneratedAlways<string | null>
  addresses: GeneratedAlways<string | null>
}

interface AccountImportRowsTable {
  id: GeneratedAlways<string>
  import_id: string
  key: string | null
  cells: string[]
  failed: Generated<boolean>
}

interface AccountImportsTable {
  id: GeneratedAlways<string>
  account_id: string
  type: string
  overwrite: boolean
  state: Generated<string>
  removed_until: string | null
  file_name: string
  total_items: number
  processed_items: Generated<number>
  imported_items: Generated<number>
  created_at: Date
  finished_at: Date | null
  file_key: string | null
  actor: string | null
  file_bytes_left: string | null
  undo_requested_at: Date | null
  undone_at: Date | null
}

interface AccountModerationNotesTable {
  id: GeneratedAlways<string>
  account_id: string | null
  target_account_id: string
  content: string
  created_at: Generated<Date>
}

interface AccountMovesTable {
  id: GeneratedAlways<string>
  account_id: string
  target_account_id: string
  followers_count: number
  created_at: Generated<Date>
}

interface AccountNotesTable {
  account_id: string
  target_account_id: string
  comment: string
}

interface AccountPurgesTable {
  account_id: string
  due_at: Date
  started_at: Date | null
  finished_at: Date | null
}

interface AccountStatsTable {
  account_id: string
  statuses_count: Generated<number>
  followers_count: Generated<number>
  following_count: Generated<number>
  last_status_at: Date | null
}

interface AccountWarningPresetsTable {
  id: GeneratedAlways<string>
  title: Generated<string>
  text: string
  created_at: Date
  updated_at: Date
}

interface AccountWarningsTable {
  id: GeneratedAlways<string>
  account_id: string | null
  target_account_id: string
  action: string
  text: Generated<string>
  status_ids: string[] | null
  report_id: string | null
  created_at: Generated<Date>
  overruled_at: Date | null
}

interface AccountsTable {
  id: GeneratedAlways<string>
  username: string
  domain: string | null
  uri: string
  url: string
  actor_type: Generated<string>
  display_name: Generated<string>
  note: Generated<string>
  fields: Generated<unknown>
  emoji_ids: Generated<string[]>
  avatar_key: string | null
  avatar_static_key: string | null
  avatar_description: Generated<string>
  header_key: string | null
  header_static_key: string | null
  header_description: Generated<string>
  avatar_remote_url: string | null
  header_remote_url: string | null
  locked: Generated<boolean>
  discoverable: boolean | null
  indexable: Generated<boolean>
  hide_collections: boolean | null
  show_media: Generated<boolean>
  show_media_replies: Generated<boolean>
  show_featured: Generated<boolean>
  attribution_domains: Generated<string[]>
  feature_automatic: string[] | null
  feature_manual: string[] | null
  also_known_as: Generated<string[]>
  moved_to_account_id: string | null
  memorial: Generated<boolean>
  silenced_at: Date | null
  suspended_at: Date | null
  suspended_by_origin: Generated<boolean>
  sensitized_at: Date | null
  inbox_url: string | null
  shared_inbox_url: string | null
  outbox_url: string | null
  followers_url: string | null
  following_url: string | null
  featured_url: string | null
  refreshed_at: Date | null
  version: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  silenced_by_domain_block: Generated<boolean>
  suspended_by_domain_block: Generated<boolean>
  exempt_from_domain_limit: Generated<boolean>
  exempt_from_domain_suspension: Generated<boolean>
  featured_tags_url: string | null
}

interface ActorKeysTable {
  id: GeneratedAlways<string>
  key_id: string
  owner_uri: string
  account_id: string | null
  public_key_pem: string
  private_key: Buffer | null
  fetched_at: Generated<Date>
  version: Generated<number>
}

interface AnnouncementDismissalsTable {
  account_id: string
  announcement_id: string
}

interface AnnouncementReactionsTable {
  id: GeneratedAlways<string>
  announcement_id: string
  account_id: string
  name: string
  emoji_id: string | null
  created_at: Generated<Date>
}

interface AnnouncementsTable {
  id: GeneratedAlways<string>
  text: string
  content: string
  starts_at: Date | null
  ends_at: Date | null
  all_day: Generated<boolean>
  mentioned_ids: Generated<string[]>
  status_ids: Generated<string[]>
  tags: Generated<string[]>
  emoji_ids: Generated<string[]>
  published_at: Date | null
  updated_at: Generated<Date>
  scheduled_at: Date | null
}

interface AnnualReportsTable {
  id: GeneratedAlways<string>
  account_id: string
  year: number
  refresh_id: Generated<string>
  requested_at: Date
  data: unknown
  read_at: Date | null
}

interface AppealsTable {
  id: GeneratedAlways<string>
  warning_id: string
  text: string
  state: Generated<string>
  decided_by_account_id: string | null
  decided_at: Date | null
  created_at: Date
}

interface ApplicationsTable {
  id: GeneratedAlways<string>
  name: string
  website: string | null
  redirect_uris: string[]
  scopes: string[]
  client_id: string
  client_secret_hash: Buffer | null
  created_at: Generated<Date>
  owner_user_id: string | null
}

interface ArchiveImportStatusesTable {
  status_id: string
  import_id: string
}

interface AuditLogEntriesTable {
  id: GeneratedAlways<string>
  account_id: string | null
  action: string
  target_type: string
  target_id: string | null
  label: string
  details: Generated<unknown>
  created_at: Date
}

interface AuthorizationCodesTable {
  code_hash: Buffer
  application_id: string
  user_id: string
  redirect_uri: string
  scopes: string[]
  code_challenge: string | null
  created_at: Generated<Date>
  expires_at: Date
  used_at: Date | null
  session_id: string | null
}

interface BlocksTable {
  id: GeneratedAlways<string>
  account_id: string
  target_account_id: string
  uri: string | null
  created_at: Generated<Date>
}

interface BookmarksTable {
  id: GeneratedAlways<string>
  account_id: string
  status_id: string
  created_at: Generated<Date>
}

interface CachedFilesTable {
  id: GeneratedAlways<string>
  media_id: string | null
  account_id: string | null
  emoji_id: string | null
  rendition: string
  remote_url: string
  file_key: string | null
  static_key: string | null
  byte_size: Generated<string>
  fetched_at: Date
  used_at: Date
  status: number | null
  failures: Generated<number>
  retry_at: Date | null
}

interface CanonicalEmailBlocksTable {
  id: GeneratedAlways<string>
  email_hash: Buffer
  created_at: Date
  account_id: string | null
}

interface CollectionItemsTable {
  id: GeneratedAlways<string>
  collection_id: string
  account_id: string | null
  state: Generated<string>
  uri: string | null
  activity_uri: string | null
  approval_uri: string | null
  created_at: Generated<Date>
}

interface CollectionsTable {
  id: GeneratedAlways<string>
  account_id: string
  uri: string | null
  url: string | null
  name: string
  description: Generated<string>
  language: string | null
  local: Generated<boolean>
  sensitive: Generated<boolean>
  discoverable: Generated<boolean>
  tag_id: string | null
  origin_item_count: number | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

interface ConversationMutesTable {
  account_id: string
  conversation_id: string
}

interface ConversationsTable {
  id: GeneratedAlways<string>
  uri: string | null
  created_at: Generated<Date>
}

interface CustomEmojisTable {
  id: GeneratedAlways<string>
  shortcode: string
  domain: string | null
  uri: string | null
  image_key: string | null
  static_image_key: string | null
  image_remote_url: string | null
  visible_in_picker: Generated<boolean>
  category: string | null
  disabled: Generated<boolean>
  updated_at: Generated<Date>
  created_at: Generated<Date>
}

interface DailyActiveUsersTable {
  day: Date
  previous_day: Date
  users: number
}

interface DailyTagUsesTable {
  tag_id: string
  day: Date
  domain: string
  uses: number
}

interface DailyTalliesTable {
  measure: string
  day: Date
  domain: Generated<string>
  value: string
}

interface DailyTallyProgressTable {
  only_row: Generated<boolean>
  tallied_before: Date | null
  uses_tallied_before: Date | null
}

interface DeletedUsernamesTable {
  username: string
  uri: string
  deleted_at: Generated<Date>
}

interface DeliveriesTable {
  id: GeneratedAlways<string>
  activity_id: string
  inbox_url: string
  domain: string
  state: Generated<string>
  attempts: Generated<number>
  last_status: number | null
  last_error: string | null
  created_at: Generated<Date>
  attempted_at: Date | null
  next_attempt_at: Generated<Date>
}

interface DomainAllowsTable {
  id: GeneratedAlways<string>
  domain: string
  created_at: Generated<Date>
}

interface DomainBlockImportRowsTable {
  id: GeneratedAlways<string>
  import_id: string
  line: number
  domain: string
  severity: string
  reject_media: boolean
  reject_reports: boolean
  public_comment: string
  obfuscate: boolean
  status: string
  weakens: boolean
  error: string | null
  accounts_count: number
  follows_count: number
  state: Generated<string>
}

interface DomainBlockImportsTable {
  id: GeneratedAlways<string>
  state: Generated<string>
  overwrite: Generated<boolean>
  created_at: Date
  finished_at: Date | null
}

interface DomainBlockRunsTable {
  domain: string
  examined_until: string
  started_at: Date
  finished_at: Date | null
}

interface DomainBlocksTable {
  id: GeneratedAlways<string>
  domain: string
  severity: Generated<string>
  reject_media: Generated<boolean>
  reject_reports: Generated<boolean>
  public_comment: Generated<string>
  private_comment: Generated<string>
  obfuscate: Generated<boolean>
  created_at: Generated<Date>
}

interface EmailDomainBlockAttemptsTable {
  block_id: string
  day: Date
  network: string
  attempts: Generated<number>
}

interface EmailDomainBlocksTable {
  id: GeneratedAlways<string>
  domain: string
  allow_with_approval: boolean
  created_at: Date
}

interface EndorsementsTable {
  id: GeneratedAlways<string>
  account_id: string
  target_account_id: string
  created_at: Generated<Date>
}

interface ExternalIdentitiesTable {
  id: GeneratedAlways<string>
  user_id: string
  provider: string
  uid: string
  created_at: Date
  last_used_at: Date | null
}

interface ExternalLoginAttemptsTable {
  state_hash: Buffer
  browser_hash: Buffer
  provider: string
  encrypted_secrets: Buffer
  next: string | null
  linking_user_id: string | null
  answered_at: Date | null
  encrypted_identity: Buffer | null
  expires_at: Date
}

interface FavouritesTable {
  id: GeneratedAlways<string>
  account_id: string
  status_id: string
  uris: Generated<string[]>
  created_at: Generated<Date>
}

interface FeaturedTagsTable {
  id: GeneratedAlways<string>
  account_id: string
  tag_id: string
  name: string
  created_at: Generated<Date>
}

interface FeedEntriesTable {
  account_id: string
  status_id: string
  original_id: string
}

interface FilterKeywordsTable {
  id: GeneratedAlways<string>
  filter_id: string
  keyword: string
  whole_word: Generated<boolean>
}

interface FilterStatusesTable {
  id: GeneratedAlways<string>
  filter_id: string
  status_id: string
}

interface FiltersTable {
  id: GeneratedAlways<string>
  account_id: string
  title: string
  contexts: string[]
  action: Generated<string>
  expires_at: Date | null
  created_at: Generated<Date>
}

interface FollowRequestsTable {
  id: GeneratedAlways<string>
  account_id: string
  target_account_id: string
  show_reblogs: Generated<boolean>
  notify: Generated<boolean>
  languages: string[] | null
  uri: string | null
  created_at: Generated<Date>
}

interface FollowsTable {
  id: GeneratedAlways<string>
  account_id: string
  target_account_id: string
  show_reblogs: Generated<boolean>
  notify: Generated<boolean>
  languages: string[] | null
  uri: string | null
  created_at: Generated<Date>
}

interface HostsTable {
  domain: string
  software: string | null
  signature_scheme: Generated<string>
  failing_days: Generated<Date[]>
  unreachable_since: Date | null
  retry_after: Date | null
  consecutive_failures: Generated<number>
  last_error: string | null
  last_delivered_at: Date | null
  last_seen_at: Date | null
  leased_until: Date | null
  created_at: Generated<Date>
}

interface IdempotencyKeysTable {
  account_id: string
  key: string
  status_id: string | null
  scheduled_status_id: string | null
  created_at: Generated<Date>
}

interface ImportedStatusesTable {
  account_id: string
  uri: string
  status_id: string
}

interface InstanceIconsTable {
  id: Generated<string>
  small_file_key: string
  medium_file_key: string
  large_file_key: string
  updated_at: Date
}

interface InstanceThumbnailsTable {
  id: Generated<string>
  file_key: string
  large_file_key: string | null
  blurhash: string
  description: Generated<string>
  updated_at: Date
}

interface InvalidationHorizonTable {
  pruned_until_xid: string
}

interface InvalidationsTable {
  xid: Generated<string>
  created_at: Generated<Date>
  kind: string
  subject_id: string
}

interface InviteUsesTable {
  user_id: string
  invite_id: string
  autofollow_pending: boolean
}

interface InvitesTable {
  id: GeneratedAlways<string>
  code: string
  user_id: string
  max_uses: number | null
  uses: Generated<number>
  expires_at: Date | null
  autofollow: boolean
  comment: string
  created_at: Date
}

interface IpBlocksTable {
  id: GeneratedAlways<string>
  ip: string
  severity: string
  comment: string
  expires_at: Date | null
  created_at: Date
}

interface JobsTable {
  id: GeneratedAlways<string>
  queue: string
  name: string
  payload: unknown
  attempts: Generated<number>
  max_attempts: number
  has_attempts: GeneratedAlways<boolean>
  run_at: Date
  created_at: Generated<Date>
  last_error: string | null
  key: string | null
  waiting_key: string | null
  locked_by: string | null
  locked_at: Date | null
}

interface ListAccountsTable {
  id: GeneratedAlways<string>
  list_id: string
  account_id: string
  follow_id: string | null
  follow_request_id: string | null
  created_at: Generated<Date>
}

interface ListEntriesTable {
  list_id: string
  status_id: string
  original_id: string
}

interface ListsTable {
  id: GeneratedAlways<string>
  account_id: string
  title: string
  replies_policy: Generated<string>
  exclusive: Generated<boolean>
  created_at: Generated<Date>
}

interface LoginActivitiesTable {
  id: GeneratedAlways<string>
  user_id: string
  method: string
  provider: string | null
  success: boolean
  failure_reason: string | null
  ip: string | null
  user_agent: Generated<string>
  created_at: Generated<Date>
}

interface MailsTable {
  id: GeneratedAlways<string>
  key: string
  recipient: string
  subject: string
  text: string
  html: string
  unsubscribe_url: string | null
  created_at: Generated<Date>
  sent_at: Date | null
}

interface MarkersTable {
  account_id: string
  timeline: string
  last_read_id: string
  version: Generated<number>
  updated_at: Generated<Date>
}

interface MediaAttachmentsTable {
  id: GeneratedAlways<string>
  account_id: string
  status_id: string | null
  scheduled_status_id: string | null
  position: Generated<number>
  type: string
  state: Generated<string>
  file_key: string | null
  preview_key: string | null
  remote_url: string | null
  preview_remote_url: string | null
  proxy_key: Generated<string>
  content_type: string
  byte_size: string
  meta: unknown
  blurhash: string | null
  description: string | null
  created_at: Generated<Date>
  detached_at: Generated<Date | null>
  withdrawn_at: Date | null
}

interface MediaCacheReservationsTable {
  id: GeneratedAlways<string>
  byte_size: string
  expires_at: Date
}

interface MediaCacheSizeTable {
  id: Generated<boolean>
  byte_size: string
}

interface MentionsTable {
  id: GeneratedAlways<string>
  status_id: string
  account_id: string
  silent: Generated<boolean>
}

interface MigrationsTable {
  name: string
  applied_at: Generated<Date>
}

interface MutesTable {
  id: GeneratedAlways<string>
  account_id: string
  target_account_id: string
  hide_notifications: Generated<boolean>
  expires_at: Date | null
  created_at: Generated<Date>
}

interface NotificationPermissionsTable {
  account_id: string
  from_account_id: string
  created_at: Generated<Date>
  merged_at: Date | null
}

interface NotificationPoliciesTable {
  account_id: string
  for_not_following: Generated<string>
  for_not_followers: Generated<string>
  for_new_accounts: Generated<string>
  for_private_mentions: Generated<string>
  for_limited_accounts: Generated<string>
  for_bots: Generated<string>
}

interface NotificationRequestsTable {
  id: GeneratedAlways<string>
  account_id: string
  from_account_id: string
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

interface NotificationsTable {
  id: GeneratedAlways<string>
  account_id: string
  from_account_id: string
  type: string
  status_id: string | null
  collection_id: string | null
  report_id: string | null
  severance_id: string | null
  warning_id: string | null
  annual_report_id: string | null
  group_key: string | null
  filtered: Generated<boolean>
  seen_at: Date | null
  created_at: Generated<Date>
}

interface PasskeysTable {
  id: GeneratedAlways<string>
  user_id: string
  credential_id: Buffer
  user_handle: Buffer
  public_key: Buffer
  sign_count: string
  transports: string[]
  nickname: string
  created_at: Date
  last_used_at: Date | null
}

interface PendingLoginsTable {
  id_hash: Buffer
  user_id: string
  method: string
  provider: string | null
  expires_at: Date
}

interface PollVotesTable {
  id: GeneratedAlways<string>
  poll_id: string
  account_id: string
  choice: number
  uri: string | null
  created_at: Generated<Date>
}

interface PollsTable {
  id: GeneratedAlways<string>
  status_id: string
  account_id: string
  options: string[]
  tallies: number[]
  multiple: Generated<boolean>
  hide_totals: Generated<boolean>
  votes_count: Generated<number>
  voters_count: number | null
  expires_at: Date | null
  ended_at: Date | null
  fetched_at: Date | null
  created_at: Generated<Date>
}

interface PreviewCardAuthorsTable {
  card_id: string
  position: number
  name: Generated<string>
  url: Generated<string>
  account_id: string | null
}

interface PreviewCardProvidersTable {
  id: GeneratedAlways<string>
  domain: string
  trendable: boolean | null
  reviewed_at: Date | null
  review_requested_at: Date | null
  created_at: Generated<Date>
}

interface PreviewCardsTable {
  id: GeneratedAlways<string>
  url: string
  type: string
  title: string
  description: Generated<string>
  language: string | null
  provider_name: Generated<string>
  provider_url: Generated<string>
  embed_url: Generated<string>
  player_element: string | null
  player_url: string | null
  width: Generated<number>
  height: Generated<number>
  image_url: string | null
  image_key: string | null
  image_width: Generated<number>
  image_height: Generated<number>
  image_description: Generated<string>
  blurhash: string | null
  trendable: boolean | null
  published_at: Date | null
  created_at: Generated<Date>
}

interface PreviewLinkUsesTable {
  link_id: string
  day: Date
  account_id: string
  uses: Generated<number>
}

interface PreviewLinksTable {
  id: GeneratedAlways<string>
  url: string
  card_id: string | null
  due_at: Date
  created_at: Generated<Date>
}

interface PushDeliveriesTable {
  notification_id: string
  subscription_id: string
  attempts: Generated<number>
  created_at: Generated<Date>
}

interface PushSubscriptionsTable {
  id: GeneratedAlways<string>
  access_token_id: string
  endpoint: string
  p256dh: Buffer
  auth: Buffer
  standard: boolean
  alerts: Generated<unknown>
  policy: Generated<string>
  encrypted_token: Buffer
  failures: Generated<number>
  retry_at: Date | null
  created_at: Generated<Date>
}

interface QuotesTable {
  id: GeneratedAlways<string>
  status_id: string
  account_id: string
  quoted_status_id: string | null
  quoted_account_id: string | null
  quoted_uri: string | null
  state: Generated<string>
  legacy: Generated<boolean>
  request_uri: string | null
  approval_uri: string | null
  authorization_key: Generated<string>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  state_before_deletion: string | null
}

interface ReceivedActivitiesTable {
  id: GeneratedAlways<string>
  actor_uri: string
  activity_id: string
  inbox_account_id: string | null
  body: unknown
  interaction_key: string | null
  relationship_key: string | null
  is_undo: Generated<boolean>
  was_applied: Generated<boolean>
  signed_at: Date | null
  received_at: Generated<Date>
  processed_at: Date | null
}

interface RecoveryCodesTable {
  user_id: string
  code_hash: Buffer
}

interface RelationshipSeveranceEventsTable {
  id: GeneratedAlways<string>
  account_id: string
  type: string
  target_name: string
  cause: string
  followers_count: Generated<number>
  following_count: Generated<number>
  created_at: Generated<Date>
}

interface RelaysTable {
  id: GeneratedAlways<string>
  inbox_url: string
  state: Generated<string>
  created_at: Date
}

interface ReportNotesTable {
  id: GeneratedAlways<string>
  account_id: string | null
  report_id: string
  content: string
  created_at: Generated<Date>
}

interface ReportsTable {
  id: GeneratedAlways<string>
  account_id: string
  target_account_id: string
  status_ids: Generated<string[]>
  collection_ids: Generated<string[]>
  rule_ids: Generated<string[]>
  comment: Generated<string>
  category: Generated<string>
  forwarded: Generated<boolean>
  uri: string | null
  assigned_account_id: string | null
  action_taken_at: Date | null
  action_taken_by_account_id: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

interface RestorableStatusesTable {
  status_id: string
  reply_ids: string[]
}

interface RolesTable {
  id: Generated<string>
  name: string
  color: Generated<string>
  position: number
  permissions: string
  highlighted: Generated<boolean>
  collection_limit: Generated<number>
  require_2fa: Generated<boolean>
}

interface RulesTable {
  id: GeneratedAlways<string>
  text: string
  hint: Generated<string>
  translations: Generated<unknown>
  created_at: Generated<Date>
  deleted_at: Date | null
  priority: Generated<number>
}

interface ScheduledStatusesTable {
  id: GeneratedAlways<string>
  account_id: string
  application_id: string | null
  scheduled_at: Date
  params: unknown
  created_at: Generated<Date>
}

interface SentActivitiesTable {
  id: GeneratedAlways<string>
  uri: string
  account_id: string | null
  status_id: string | null
  body: string
  created_at: Generated<Date>
  signing_key: Buffer | null
}

interface SessionsTable {
  id_hash: Buffer
  user_id: string
  ip: string | null
  user_agent: Generated<string>
  created_at: Generated<Date>
  last_used_at: Generated<Date>
  expires_at: Date
  id: GeneratedAlways<string>
  authenticated_at: Generated<Date>
}

interface SettingsTable {
  name: string
  value: unknown
  updated_at: Generated<Date>
}

interface SeveredFollowsTable {
  id: GeneratedAlways<string>
  account_id: string
  target_account_id: string
  show_reblogs: boolean
  notify: boolean
  languages: string[] | null
  created_at: Date
  list_ids: Generated<string[]>
}

interface SeveredRelationshipsTable {
  severance_id: string
  is_follower: boolean
  handle: string
  show_reblogs: boolean
  notify: boolean
  languages: string[] | null
}

interface SignUpCountsTable {
  day: Date
  kind: string
  subject: string
  count: number
}

interface StatusCleanupPoliciesTable {
  user_id: string
  enabled: boolean
  min_age_seconds: number
  keep_pinned: boolean
  keep_direct: boolean
  keep_favourited: boolean
  keep_bookmarked: boolean
  keep_polls: boolean
  keep_media: boolean
  min_favourites: number | null
  min_reblogs: number | null
  pass_started_at: Date
  examined_until: string | null
  due_at: Date
}

interface StatusEditsTable {
  id: GeneratedAlways<string>
  status_id: string
  text: string
  content: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  media: Generated<unknown>
  poll_options: string[] | null
  emoji_ids: Generated<string[]>
  created_at: Date
}

interface StatusPinsTable {
  id: GeneratedAlways<string>
  account_id: string
  status_id: string
  created_at: Generated<Date>
}

interface StatusPreviewLinksTable {
  status_id: string
  link_id: string
  card_id: string | null
  url: string
}

interface StatusSearchEntriesTable {
  status_id: string
  status_version: number
  lexemes: string
}

interface StatusStatsTable {
  status_id: string
  replies_count: Generated<number>
  reblogs_count: Generated<number>
  favourites_count: Generated<number>
  quotes_count: Generated<number>
}

interface StatusTagsTable {
  status_id: string
  tag_id: string
  local: boolean | null
}

interface StatusTrendReviewsTable {
  status_id: string
  trendable: boolean
  reviewed_at: Date
}

interface StatusesTable {
  id: Generated<string>
  account_id: string
  uri: string
  url: string
  local: Generated<boolean>
  local_only: Generated<boolean>
  application_id: string | null
  text: Generated<string>
  content: Generated<string>
  spoiler_text: Generated<string>
  visibility: string
  sensitive: Generated<boolean>
  language: string | null
  emoji_ids: Generated<string[]>
  in_reply_to_id: string | null
  in_reply_to_uri: string | null
  in_reply_to_account_id: string | null
  conversation_id: string | null
  reblog_of_id: string | null
  quote_automatic: Generated<string[]>
  quote_manual: Generated<string[]>
  origin_replies_count: number | null
  origin_reblogs_count: number | null
  origin_favourites_count: number | null
  version: Generated<number>
  created_at: Generated<Date>
  edited_at: Date | null
  deleted_at: Date | null
  restored_at: Date | null
  origin_updated_at: Date | null
}

interface SuggestionDismissalsTable {
  account_id: string
  target_account_id: string
}

interface SuppressedSuggestionsTable {
  account_id: string
  created_at: Date
}

interface TagFollowsTable {
  id: GeneratedAlways<string>
  account_id: string
  tag_id: string
  created_at: Generated<Date>
}

interface TagUsesTable {
  tag_id: string
  day: Date
  account_id: string
  uses: Generated<number>
}

interface TagsTable {
  id: GeneratedAlways<string>
  name: string
  display_name: string
  usable: Generated<boolean>
  listable: Generated<boolean>
  trendable: boolean | null
  reviewed_at: Date | null
  recent_users: number | null
  created_at: Generated<Date>
}

interface TermsOfServiceTable {
  effective_date: Date
  text: string
  published_at: Generated<Date>
  changelog: Generated<string>
  notification_sent_at: Date | null
  notified_until: string | null
}

interface TermsReviewsTable {
  user_id: string
  effective_date: Date
}

interface ThreadRefreshesTable {
  status_id: string
  id: Generated<string>
  requested_at: Date
  finished_at: Date | null
  found_count: Generated<number>
  pending_pages: Generated<unknown>
  statuses_fetched: Generated<number>
  pages_fetched: Generated<number>
}

interface TombstonesTable {
  uri: string
  owner_uri: string
  is_local: Generated<boolean>
  created_at: Generated<Date>
}

interface TotpAuthenticatorsTable {
  user_id: string
  secret: Buffer
  last_step: string
  created_at: Date
}

interface TrendingLinksTable {
  card_id: string
  publisher_id: string | null
  peak: number
  peaked_at: Date
  score: number
  review_requested_at: Date | null
}

interface TrendingStatusesTable {
  status_id: string
  score: number
  review_requested_at: Date | null
}

interface TrendingTagsTable {
  tag_id: string
  peak: number
  peaked_at: Date
  score: number
  review_requested_at: Date | null
}

interface UsedAssertionsTable {
  provider: string
  id: string
  expires_at: Date
}

interface UsedPasskeyChallengesTable {
  challenge_hash: Buffer
  expires_at: Date
}

interface UserActiveDaysTable {
  user_id: string
  day: Date
}

interface UsernameBlocksTable {
  id: GeneratedAlways<string>
  username: string
  normalized_username: string
  comparison: string
  allow_with_approval: boolean
  created_at: Date
  updated_at: Date
}

interface UsersTable {
  id: GeneratedAlways<string>
  account_id: string
  role_id: Generated<string>
  email: string
  unconfirmed_email: string | null
  email_change_requested_at: Date | null
  confirmation_sent_at: Date | null
  confirmed_at: Date | null
  password_hash: string | null
  password_reset_sent_at: Date | null
  sign_up_reason: string | null
  sign_up_application_id: string | null
  sign_up_ip: string | null
  approved: Generated<boolean>
  disabled_at: Date | null
  locale: Generated<string>
  time_zone: string | null
  chosen_languages: string[] | null
  default_privacy: string | null
  default_sensitive: Generated<boolean>
  default_language: string | null
  default_quote_policy: Generated<string>
  expand_media: Generated<string>
  expand_spoilers: Generated<boolean>
  autoplay_gifs: Generated<boolean>
  aggregate_reblogs: Generated<boolean>
  show_application: Generated<boolean>
  mail_types: Generated<string[]>
  mail_even_if_seen: Generated<boolean>
  feed_state: Generated<string>
  filters_version: Generated<number>
  last_seen_at: Generated<Date>
  created_at: Generated<Date>
  muted_staff_mails: Generated<string[]>
  second_factor_failure_mailed_at: Date | null
}

interface WebhookDeliveriesTable {
  id: GeneratedAlways<string>
  webhook_id: string
  event: string
  occurrence: string
  body: string
  state: Generated<string>
  attempts: Generated<number>
  max_attempts: number
  last_status: number | null
  last_error: string | null
  created_at: Date
  attempted_at: Date | null
  next_attempt_at: Date | null
}

interface WebhooksTable {
  id: GeneratedAlways<string>
  url: string
  events: string[]
  enabled: boolean
  encrypted_secret: Buffer
  account_id: string | null
  created_at: Date
  updated_at: Date
}

interface WeeklyActiveUsersTable {
  week_starts_at: Date
  activity: string
  user_id: string
}

interface WeeklyActivityTable {
  week_starts_at: Date
  statuses: Generated<number>
  logins: Generated<number>
  registrations: Generated<number>
  counted_until_status_id: Generated<string>
}

export interface Database {
  access_tokens: AccessTokensTable
  account_archives: AccountArchivesTable
  account_conversation_statuses: AccountConversationStatusesTable
  account_conversations: AccountConversationsTable
  account_domain_blocks: AccountDomainBlocksTable
  account_filter_fields: AccountFilterFieldsTable
  account_filter_sources: AccountFilterSourcesTable
  account_import_rows: AccountImportRowsTable
  account_imports: AccountImportsTable
  account_moderation_notes: AccountModerationNotesTable
  account_moves: AccountMovesTable
  account_notes: AccountNotesTable
  account_purges: AccountPurgesTable
  account_stats: AccountStatsTable
  account_warning_presets: AccountWarningPresetsTable
  account_warnings: AccountWarningsTable
  accounts: AccountsTable
  actor_keys: ActorKeysTable
  announcement_dismissals: AnnouncementDismissalsTable
  announcement_reactions: AnnouncementReactionsTable
  announcements: AnnouncementsTable
  annual_reports: AnnualReportsTable
  appeals: AppealsTable
  applications: ApplicationsTable
  archive_import_statuses: ArchiveImportStatusesTable
  audit_log_entries: AuditLogEntriesTable
  authorization_codes: AuthorizationCodesTable
  blocks: BlocksTable
  bookmarks: BookmarksTable
  cached_files: CachedFilesTable
  canonical_email_blocks: CanonicalEmailBlocksTable
  collection_items: CollectionItemsTable
  collections: CollectionsTable
  conversation_mutes: ConversationMutesTable
  conversations: ConversationsTable
  custom_emojis: CustomEmojisTable
  daily_active_users: DailyActiveUsersTable
  daily_tag_uses: DailyTagUsesTable
  daily_tallies: DailyTalliesTable
  daily_tally_progress: DailyTallyProgressTable
  deleted_usernames: DeletedUsernamesTable
  deliveries: DeliveriesTable
  domain_allows: DomainAllowsTable
  domain_block_import_rows: DomainBlockImportRowsTable
  domain_block_imports: DomainBlockImportsTable
  domain_block_runs: DomainBlockRunsTable
  domain_blocks: DomainBlocksTable
  email_domain_block_attempts: EmailDomainBlockAttemptsTable
  email_domain_blocks: EmailDomainBlocksTable
  endorsements: EndorsementsTable
  external_identities: ExternalIdentitiesTable
  external_login_attempts: ExternalLoginAttemptsTable
  favourites: FavouritesTable
  featured_tags: FeaturedTagsTable
  feed_entries: FeedEntriesTable
  filter_keywords: FilterKeywordsTable
  filter_statuses: FilterStatusesTable
  filters: FiltersTable
  follow_requests: FollowRequestsTable
  follows: FollowsTable
  hosts: HostsTable
  idempotency_keys: IdempotencyKeysTable
  imported_statuses: ImportedStatusesTable
  instance_icons: InstanceIconsTable
  instance_thumbnails: InstanceThumbnailsTable
  invalidation_horizon: InvalidationHorizonTable
  invalidations: InvalidationsTable
  invite_uses: InviteUsesTable
  invites: InvitesTable
  ip_blocks: IpBlocksTable
  jobs: JobsTable
  list_accounts: ListAccountsTable
  list_entries: ListEntriesTable
  lists: ListsTable
  login_activities: LoginActivitiesTable
  mails: MailsTable
  markers: MarkersTable
  media_attachments: MediaAttachmentsTable
  media_cache_reservations: MediaCacheReservationsTable
  media_cache_size: MediaCacheSizeTable
  mentions: MentionsTable
  migrations: MigrationsTable
  mutes: MutesTable
  notification_permissions: NotificationPermissionsTable
  notification_policies: NotificationPoliciesTable
  notification_requests: NotificationRequestsTable
  notifications: NotificationsTable
  passkeys: PasskeysTable
  pending_logins: PendingLoginsTable
  poll_votes: PollVotesTable
  polls: PollsTable
  preview_card_authors: PreviewCardAuthorsTable
  preview_card_providers: PreviewCardProvidersTable
  preview_cards: PreviewCardsTable
  preview_link_uses: PreviewLinkUsesTable
  preview_links: PreviewLinksTable
  push_deliveries: PushDeliveriesTable
  push_subscriptions: PushSubscriptionsTable
  quotes: QuotesTable
  received_activities: ReceivedActivitiesTable
  recovery_codes: RecoveryCodesTable
  relationship_severance_events: RelationshipSeveranceEventsTable
  relays: RelaysTable
  report_notes: ReportNotesTable
  reports: ReportsTable
  restorable_statuses: RestorableStatusesTable
  roles: RolesTable
  rules: RulesTable
  scheduled_statuses: ScheduledStatusesTable
  sent_activities: SentActivitiesTable
  sessions: SessionsTable
  settings: SettingsTable
  severed_follows: SeveredFollowsTable
  severed_relationships: SeveredRelationshipsTable
  sign_up_counts: SignUpCountsTable
  status_cleanup_policies: StatusCleanupPoliciesTable
  status_edits: StatusEditsTable
  status_pins: StatusPinsTable
  status_preview_links: StatusPreviewLinksTable
  status_search_entries: StatusSearchEntriesTable
  status_stats: StatusStatsTable
  status_tags: StatusTagsTable
  status_trend_reviews: StatusTrendReviewsTable
  statuses: StatusesTable
  suggestion_dismissals: SuggestionDismissalsTable
  suppressed_suggestions: SuppressedSuggestionsTable
  tag_follows: TagFollowsTable
  tag_uses: TagUsesTable
  tags: TagsTable
  terms_of_service: TermsOfServiceTable
  terms_reviews: TermsReviewsTable
  thread_refreshes: ThreadRefreshesTable
  tombstones: TombstonesTable
  totp_authenticators: TotpAuthenticatorsTable
  trending_links: TrendingLinksTable
  trending_statuses: TrendingStatusesTable
  trending_tags: TrendingTagsTable
  used_assertions: UsedAssertionsTable
  used_passkey_challenges: UsedPasskeyChallengesTable
  user_active_days: UserActiveDaysTable
  username_blocks: UsernameBlocksTable
  users: UsersTable
  webhook_deliveries: WebhookDeliveriesTable
  webhooks: WebhooksTable
  weekly_active_users: WeeklyActiveUsersTable
  weekly_activity: WeeklyActivityTable
}
