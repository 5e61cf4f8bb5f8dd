import type {
  Account as ServerAccount,
  CredentialAccount as ServerCredentialAccount,
  FamiliarFollowers as ServerFamiliarFollowers,
  MutedAccount as ServerMutedAccount,
  Suggestion as ServerSuggestion,
} from '../../../../src/entities/accounts/account.ts'
import type {
  Collection as ServerCollection,
  CollectionWithAccounts as ServerCollectionWithAccounts,
} from '../../../../src/entities/accounts/collection.ts'
import type {
  Filter as ServerFilter,
  FilterContext as ServerFilterContext,
  FilterKeyword as ServerFilterKeyword,
  FilterStatus as ServerFilterStatus,
} from '../../../../src/entities/accounts/filter.ts'
import type { List as ServerList } from '../../../../src/entities/accounts/list.ts'
import type { Profile as ServerProfile } from '../../../../src/entities/accounts/profile.ts'
import type { Relationship as ServerRelationship } from '../../../../src/entities/accounts/relationship.ts'
import type { Announcement as ServerAnnouncement } from '../../../../src/entities/instance/announcement.ts'
import type { Instance as ServerInstance } from '../../../../src/entities/instance/instance.ts'
import type { AnnualReport as ServerAnnualReport } from '../../../../src/entities/notifications/annual-report.ts'
import type {
  GroupedNotificationsResults as ServerGroupedNotificationsResults,
  NotificationGroup as ServerNotificationGroup,
  NotificationPolicy as ServerNotificationPolicy,
  NotificationRequest as ServerNotificationRequest,
} from '../../../../src/entities/notifications/notification.ts'
import type { AsyncRefresh as ServerAsyncRefresh } from '../../../../src/entities/statuses/async-refresh.ts'
import type {
  PreviewCard as ServerPreviewCard,
  TrendsLink as ServerTrendsLink,
} from '../../../../src/entities/statuses/card.ts'
import type { Conversation as ServerConversation } from '../../../../src/entities/statuses/conversation.ts'
import type { CustomEmoji as ServerCustomEmoji } from '../../../../src/entities/statuses/emoji.ts'
import type { MediaAttachment as ServerMediaAttachment } from '../../../../src/entities/statuses/media.ts'
import type { Poll as ServerPoll } from '../../../../src/entities/statuses/poll.ts'
import type { ScheduledStatus as ServerScheduledStatus } from '../../../../src/entities/statuses/scheduled-status.ts'
import type { Search as ServerSearch } from '../../../../src/entities/statuses/search.ts'
import type {
  Context as ServerContext,
  Status as ServerStatus,
  StatusEdit as ServerStatusEdit,
} from '../../../../src/entities/statuses/status.ts'
import type { FeaturedTag as ServerFeaturedTag, Tag as ServerTag } from '../../../../src/entities/statuses/tag.ts'
import type { Translation as ServerTranslation } from '../../../../src/entities/statuses/translation.ts'
import type { CamelCased } from './camel-cased.ts'

/*
 * The entities of the API as masto.js returns them, with names in camel case. They derive from the schemas from which
 * the server generates its OpenAPI document, so a change of the API is an error of the compiler here.
 */

export type Account = CamelCased<ServerAccount>
export type Announcement = CamelCased<ServerAnnouncement>
export type AnnualReport = CamelCased<ServerAnnualReport>
export type AsyncRefresh = CamelCased<ServerAsyncRefresh>
export type Collection = CamelCased<ServerCollection>
export type CollectionWithAccounts = CamelCased<ServerCollectionWithAccounts>
export type Context = CamelCased<ServerContext>
export type Conversation = CamelCased<ServerConversation>
export type CredentialAccount = CamelCased<ServerCredentialAccount>
export type CustomEmoji = CamelCased<ServerCustomEmoji>
export type FamiliarFollowers = CamelCased<ServerFamiliarFollowers>
export type FeaturedTag = CamelCased<ServerFeaturedTag>
export type Filter = CamelCased<ServerFilter>
export type FilterContext = ServerFilterContext
export type FilterKeyword = CamelCased<ServerFilterKeyword>
export type FilterStatus = CamelCased<ServerFilterStatus>
export type GroupedNotificationsResults = CamelCased<ServerGroupedNotificationsResults>
export type Instance = CamelCased<ServerInstance>
export type List = CamelCased<ServerList>
export type MediaAttachment = CamelCased<ServerMediaAttachment>
export type MutedAccount = CamelCased<ServerMutedAccount>
export type NotificationGroup = CamelCased<ServerNotificationGroup>
export type NotificationPolicy = CamelCased<ServerNotificationPolicy>
export type NotificationRequest = CamelCased<ServerNotificationRequest>
export type Poll = CamelCased<ServerPoll>
export type PreviewCard = CamelCased<ServerPreviewCard>
export type Profile = CamelCased<ServerProfile>
export type Relationship = CamelCased<ServerRelationship>
export type ScheduledStatus = CamelCased<ServerScheduledStatus>
export type Search = CamelCased<ServerSearch>
export type Status = CamelCased<ServerStatus>
export type StatusEdit = CamelCased<ServerStatusEdit>
export type Suggestion = CamelCased<ServerSuggestion>
export type Tag = CamelCased<ServerTag>
export type Translation = CamelCased<ServerTranslation>
export type TrendsLink = CamelCased<ServerTrendsLink>
