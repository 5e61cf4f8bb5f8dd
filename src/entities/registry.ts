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
} from './account.ts'
import { Announcement, Reaction } from './announcement.ts'
import { AnnualReport } from './annual-report.ts'
import { FeatureApproval, QuoteApproval } from './approval.ts'
import { AsyncRefresh } from './async-refresh.ts'
import { PreviewCard, TrendsLink } from './card.ts'
import { Collection, CollectionItem, CollectionWithAccounts } from './collection.ts'
import { Conversation } from './conversation.ts'
import { CustomEmoji } from './emoji.ts'
import { CollectionError, ErrorBody, UnexpectedMentionsError, ValidationError } from './error.ts'
import { Filter, FilterKeyword, FilterResult, FilterStatus, V1Filter } from './filter.ts'
import {
  DomainBlock,
  ExtendedDescription,
  Instance,
  PrivacyPolicy,
  Rule,
  TermsOfService,
  V1Instance,
} from './instance.ts'
import { List } from './list.ts'
import { Marker } from './marker.ts'
import { MediaAttachment } from './media.ts'
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
} from './notification.ts'
import { OEmbed } from './oembed.ts'
import { Poll } from './poll.ts'
import { Preferences } from './preferences.ts'
import { Profile } from './profile.ts'
import { WebPushSubscription } from './push.ts'
import { Relationship, RelationshipWithObjects } from './relationship.ts'
import { Report } from './report.ts'
import { ScheduledStatus } from './scheduled-status.ts'
import { Search } from './search.ts'
import { Context, Quote, ShallowQuote, Status, StatusEdit, StatusMention, StatusSource } from './status.ts'
import { AnnouncementReaction, StreamError, StreamEvent } from './stream-event.ts'
import { DailyUse, FeaturedTag, ShallowTag, Tag } from './tag.ts'
import { Application, CredentialApplication, OAuthError, OAuthMetadata, Token, UserInfo } from './token.ts'
import { Translation } from './translation.ts'

/** All entities by their `$id`. The API document and validators resolve references by it. */
export const entities = {
  Account,
  AccountRole,
  AccountWarning,
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
