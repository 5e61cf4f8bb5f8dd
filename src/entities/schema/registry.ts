import { AdminAccount, AdminIp } from '../admin/accounts/admin-account.ts'
import { AdminActionImpact } from '../admin/accounts/admin-action-impact.ts'
import { AdminAuditLogEntry } from '../admin/operations/admin-audit-log-entry.ts'
import { AdminAppeal } from '../admin/accounts/admin-appeal.ts'
import { AdminCanonicalEmailBlock } from '../admin/sign-up-blocks/admin-canonical-email-block.ts'
import { AdminEmailDomainBlock } from '../admin/sign-up-blocks/admin-email-domain-block.ts'
import { AdminIpBlock } from '../admin/sign-up-blocks/admin-ip-block.ts'
import { AdminDeliveryHost } from '../admin/federation/admin-delivery-host.ts'
import { AdminJob } from '../admin/operations/admin-job.ts'
import { AdminMail } from '../admin/operations/admin-mail.ts'
import { AdminMedia } from '../admin/content/admin-media.ts'
import { AdminDomainAllow } from '../admin/federation/admin-domain-allow.ts'
import { AdminDomainBlock } from '../admin/federation/admin-domain-block.ts'
import { AdminDomainBlockDraft, AdminDomainBlockImport } from '../admin/federation/admin-domain-block-import.ts'
import { AdminCohort, AdminDimension, AdminMeasure } from '../admin/operations/admin-metrics.ts'
import { AdminNote } from '../admin/accounts/admin-note.ts'
import { AdminAnnouncement } from '../admin/settings/admin-announcement.ts'
import { AdminCustomEmoji } from '../admin/content/admin-custom-emoji.ts'
import { AdminRule } from '../admin/settings/admin-rule.ts'
import { AdminDocumentPreview } from '../admin/settings/admin-document-preview.ts'
import { AdminSetting } from '../admin/settings/admin-setting.ts'
import { AdminIcon } from '../admin/settings/admin-icon.ts'
import { AdminThumbnail } from '../admin/settings/admin-thumbnail.ts'
import { AdminTermsOfService } from '../admin/settings/admin-terms-of-service.ts'
import { AdminTermsRecipients } from '../admin/settings/admin-terms-recipients.ts'
import { AdminReport } from '../admin/content/admin-report.ts'
import { AdminStrike } from '../admin/accounts/admin-strike.ts'
import { AdminStatusActionImpact } from '../admin/content/admin-status-action-impact.ts'
import { AdminStatus } from '../admin/content/admin-status.ts'
import { AdminRetentionPolicy } from '../admin/operations/admin-retention-policy.ts'
import { AdminRelay } from '../admin/federation/admin-relay.ts'
import { AdminRole } from '../admin/accounts/admin-role.ts'
import { AdminSuggestion } from '../admin/content/admin-suggestion.ts'
import { AdminTag } from '../admin/content/admin-tag.ts'
import { AdminWebhook, AdminWebhookDelivery } from '../admin/operations/admin-webhook.ts'
import { AdminTrendsLink, AdminTrendsPublisher, AdminTrendsStatus } from '../admin/content/admin-trends.ts'
import { AdminWarningPreset } from '../admin/accounts/admin-warning-preset.ts'
import { AdminUsernameBlock } from '../admin/sign-up-blocks/admin-username-block.ts'
import {
  Account,
  AccountRole,
  CredentialAccount,
  FamiliarFollowers,
  Field,
  MutedAccount,
  PartialAccountWithAvatar,
  Role,
  Source,
  Suggestion,
} from '../accounts/account.ts'
import { Announcement, Reaction } from '../instance/announcement.ts'
import { AnnualReport } from '../notifications/annual-report.ts'
import { FeatureApproval, QuoteApproval } from '../statuses/approval.ts'
import { AsyncRefresh } from '../statuses/async-refresh.ts'
import { PreviewCard, TrendsLink } from '../statuses/card.ts'
import { Collection, CollectionItem, CollectionWithAccounts } from '../accounts/collection.ts'
import { Conversation } from '../statuses/conversation.ts'
import { CustomEmoji } from '../statuses/emoji.ts'
import { CollectionError, ErrorBody, UnexpectedMentionsError, ValidationError } from './error.ts'
import { Filter, FilterKeyword, FilterResult, FilterStatus, V1Filter } from '../accounts/filter.ts'
import {
  DomainBlock,
  ExtendedDescription,
  Instance,
  PrivacyPolicy,
  Rule,
  TermsOfService,
  V1Instance,
} from '../instance/instance.ts'
import { AdminInvite, Invite, InviteCode } from '../accounts/invite.ts'
import { List } from '../accounts/list.ts'
import { Marker } from '../notifications/marker.ts'
import { MediaAttachment } from '../statuses/media.ts'
import {
  AccountWarning,
  GroupedNotificationsResults,
  Notification,
  NotificationFallback,
  NotificationGroup,
  NotificationPolicy,
  NotificationRequest,
  RelationshipSeveranceEvent,
  V1NotificationPolicy,
} from '../notifications/notification.ts'
import { OEmbed } from '../statuses/oembed.ts'
import { Poll } from '../statuses/poll.ts'
import { Preferences } from '../accounts/preferences.ts'
import { Profile } from '../accounts/profile.ts'
import { WebPushSubscription } from '../notifications/push.ts'
import { Relationship, RelationshipWithObjects } from '../accounts/relationship.ts'
import { Report } from '../instance/report.ts'
import { ScheduledStatus } from '../statuses/scheduled-status.ts'
import { Search } from '../statuses/search.ts'
import { Context, Quote, ShallowQuote, Status, StatusEdit, StatusMention, StatusSource } from '../statuses/status.ts'
import { AnnouncementReaction, StreamError, StreamEvent } from '../notifications/stream-event.ts'
import { DailyUse, FeaturedTag, ShallowTag, Tag } from '../statuses/tag.ts'
import {
  Application,
  CredentialApplication,
  OAuthError,
  OAuthMetadata,
  Token,
  TokenInfo,
  TokenIntrospection,
  UserInfo,
} from '../instance/token.ts'
import { Translation } from '../statuses/translation.ts'

/** All entities by their `$id`. The OpenAPI document and the validators resolve references with it. */
export const entities = {
  Account,
  AccountRole,
  AccountWarning,
  AdminAccount,
  AdminAppeal,
  AdminActionImpact,
  AdminAuditLogEntry,
  AdminCanonicalEmailBlock,
  AdminCohort,
  AdminDeliveryHost,
  AdminDimension,
  AdminDomainAllow,
  AdminDomainBlock,
  AdminDomainBlockDraft,
  AdminDomainBlockImport,
  AdminEmailDomainBlock,
  AdminIp,
  AdminIpBlock,
  AdminJob,
  AdminMail,
  AdminMedia,
  AdminMeasure,
  AdminNote,
  AdminAnnouncement,
  AdminCustomEmoji,
  AdminRule,
  AdminDocumentPreview,
  AdminSetting,
  AdminTermsOfService,
  AdminTermsRecipients,
  AdminIcon,
  AdminThumbnail,
  AdminReport,
  AdminStrike,
  AdminStatus,
  AdminStatusActionImpact,
  AdminRetentionPolicy,
  AdminInvite,
  Invite,
  InviteCode,
  AdminRelay,
  AdminRole,
  AdminSuggestion,
  AdminTag,
  AdminTrendsLink,
  AdminTrendsPublisher,
  AdminTrendsStatus,
  AdminWarningPreset,
  AdminWebhook,
  AdminWebhookDelivery,
  AdminUsernameBlock,
  Announcement,
  AnnouncementReaction,
  AnnualReport,
  Application,
  AsyncRefresh,
  Collection,
  CollectionItem,
  CollectionWithAccounts,
  Context,
  Conversation,
  CredentialAccount,
  CredentialApplication,
  CustomEmoji,
  DailyUse,
  DomainBlock,
  CollectionError,
  ErrorBody,
  ExtendedDescription,
  FamiliarFollowers,
  FeatureApproval,
  FeaturedTag,
  Field,
  Filter,
  FilterKeyword,
  FilterResult,
  FilterStatus,
  GroupedNotificationsResults,
  Instance,
  List,
  Marker,
  MediaAttachment,
  MutedAccount,
  Notification,
  NotificationFallback,
  NotificationGroup,
  NotificationPolicy,
  NotificationRequest,
  OAuthError,
  OAuthMetadata,
  OEmbed,
  PartialAccountWithAvatar,
  Poll,
  Preferences,
  PreviewCard,
  PrivacyPolicy,
  Profile,
  Quote,
  QuoteApproval,
  Reaction,
  Relationship,
  RelationshipSeveranceEvent,
  RelationshipWithObjects,
  Report,
  Role,
  Rule,
  ScheduledStatus,
  Search,
  ShallowQuote,
  ShallowTag,
  Source,
  Status,
  StatusEdit,
  StatusMention,
  StatusSource,
  StreamError,
  StreamEvent,
  Suggestion,
  Tag,
  TermsOfService,
  Token,
  TokenInfo,
  TokenIntrospection,
  Translation,
  TrendsLink,
  UnexpectedMentionsError,
  UserInfo,
  V1Filter,
  V1Instance,
  V1NotificationPolicy,
  ValidationError,
  WebPushSubscription,
}
