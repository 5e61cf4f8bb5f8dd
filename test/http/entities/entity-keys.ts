/** Keys that are always present, then those that may be absent. */
export type Keys = [always: string, sometimes?: string]

export const accountKeys =
  'id username acct url uri display_name note avatar avatar_static header header_static avatar_description ' +
  'header_description locked bot group discoverable indexable hide_collections created_at last_status_at ' +
  'statuses_count followers_count following_count show_media show_media_replies show_featured emojis fields ' +
  'feature_approval'
export const accountOptions = 'roles noindex moved memorial suspended limited email_subscriptions invalid_handle'
export const relationshipKeys =
  'id following showing_reblogs notifying languages followed_by blocking blocked_by muting muting_notifications ' +
  'muting_expires_at requested requested_by domain_blocking endorsed note'
export const cardKeys =
  'url title description language type authors author_name author_url provider_name provider_url html width height ' +
  'image image_description embed_url blurhash published_at'
export const statusKeys =
  'id uri url created_at edited_at account visibility sensitive spoiler_text language in_reply_to_id ' +
  'in_reply_to_account_id replies_count reblogs_count favourites_count quotes_count media_attachments mentions ' +
  'tags emojis reblog poll card quote quote_approval tagged_collections'
export const statusOptions = 'content text application local_only favourited reblogged muted bookmarked filtered pinned'
export const applicationKeys = 'id name website scopes redirect_uris redirect_uri vapid_key'
export const notificationOptions = 'report event moderation_warning annual_report collection fallback'

/** The keys of the entities of the admin API. */
export const adminKeys = {
  AdminAccount: [
    'id username domain created_at email ip ips locale invite_request role confirmed approved disabled sensitized ' +
      'silenced suspended manageable account',
    'created_by_application_id invited_by_account_id purge_at',
  ],
  AdminActionImpact: [
    'account_id type statuses_count local_followers_count remote_followers_count local_following_count ' +
      'remote_following_count lost_follows_count follow_requests_count lists_count collections_count ' +
      'open_reports_count sessions_count applications_count scheduled_statuses_count media_files_count ' +
      'media_files_bytes servers_count counts_limit reversible reversible_until',
  ],
  AdminAppeal: ['id text state created_at decided_at decided_by_account strike'],
  AdminAuditLogEntry: ['id created_at action target_type target_id label details account'],
  AdminCanonicalEmailBlock: ['id canonical_email_hash'],
  AdminEmailDomainBlock: ['id domain created_at history allow_with_approval'],
  AdminDomainAllow: ['id domain created_at'],
  AdminDomainBlock: [
    'id domain digest created_at severity reject_media reject_reports private_comment public_comment obfuscate',
  ],
  AdminDomainBlockDraft: [
    'id line domain severity reject_media reject_reports public_comment obfuscate status weakens error error_code ' +
      'repeated_line accounts_count follows_count state',
  ],
  AdminDomainBlockImport: [
    'id state overwrite created_at finished_at new_count changed_count unchanged_count invalid_count selected_count ' +
      'applied_count skipped_count failed_count',
  ],
  AdminInvite: ['id code url max_uses uses expires_at autofollow comment created_at account'],
  AdminIp: ['ip used_at'],
  AdminIpBlock: ['id ip severity comment created_at expires_at'],
  AdminCohort: ['period frequency data'],
  AdminDimension: ['key data'],
  AdminMeasure: ['key unit total data', 'human_value previous_total'],
  AdminNote: ['id content created_at account deletable'],
  AdminDeliveryHost: [
    'domain pending delivered rejected abandoned consecutive_failures failing_days retry_after unavailable_since last_error last_delivered_at last_seen_at signature_scheme',
  ],
  AdminJob: ['id queue name state attempts max_attempts run_at created_at last_error'],
  AdminMail: ['id state recipient subject attempts last_error next_attempt_at created_at'],
  AdminMedia: ['usage cache_files cache_bytes cache_max_bytes purge'],
  AdminRelay: ['id inbox_url state created_at'],
  AdminReport: [
    'id action_taken action_taken_at category comment forwarded created_at updated_at account target_account ' +
      'assigned_account action_taken_by_account statuses collections rules',
  ],
  AdminStrike: ['id action text status_ids statuses report_id target_account account created_at overruled_at appeal'],
  AdminStatus: [`${statusKeys} deleted_at restorable_until reported`, statusOptions],
  AdminStatusActionImpact: [
    'account_id type statuses_count replies_count reblogs_count favourites_count bookmarks_count quotes_count ' +
      'media_files_count media_files_bytes servers_count counts_limit reversible reversible_until',
  ],
  AdminAnnouncement: ['id text content starts_at ends_at all_day ended published published_at scheduled_at updated_at'],
  AdminCustomEmoji: ['id shortcode domain url static_url category visible_in_picker disabled created_at updated_at'],
  AdminRule: ['id text hint translations priority created_at'],
  AdminSetting: ['name description type value default allowed_values max_characters'],
  AdminDocumentPreview: ['content'],
  AdminTermsOfService: ['effective_date effective text succeeded_by changelog published_at notification_sent_at'],
  AdminTermsRecipients: ['mails reviews'],
  AdminIcon: ['url'],
  AdminThumbnail: ['url large_url blurhash description'],
  AdminRetentionPolicy: [
    'remote_statuses_days notifications_days remote_versions_days local_versions_days media_cache_max_bytes areas',
  ],
  AdminRole: ['id name permissions color position highlighted collection_limit require_2fa'],
  AdminSuggestion: ['account sources suppressed'],
  AdminTag: ['id name url history trendable usable listable requires_review', 'following featuring'],
  AdminTrendsLink: [`${cardKeys} history id trendable requires_review`, 'missing_attribution'],
  AdminTrendsPublisher: ['id domain trendable reviewed_at requested_review_at requires_review'],
  AdminWebhook: ['id url events enabled account_id unpermitted_events created_at updated_at', 'secret'],
  AdminWebhookDelivery: ['id event state attempts last_status last_error created_at attempted_at next_attempt_at'],
  AdminTrendsStatus: [`${statusKeys} trendable requires_review`, statusOptions],
  AdminWarningPreset: ['id title text created_at updated_at'],
  AdminUsernameBlock: ['id username normalized_username comparison allow_with_approval created_at updated_at'],
} satisfies Record<`Admin${string}`, Keys>
