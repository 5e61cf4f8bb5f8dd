import { type Static, Type } from 'typebox'
import { Account, PartialAccountWithAvatar } from '../accounts/account.ts'
import { Collection } from '../accounts/collection.ts'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'
import { ref } from '../schema/ref.ts'
import { Report } from '../instance/report.ts'
import { Status } from '../statuses/status.ts'
import { DateTime } from '../schema/time.ts'

export const NOTIFICATION_TYPES = [
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'quote',
  'quoted_update',
  'admin.sign_up',
  'admin.report',
  'severed_relationships',
  'moderation_warning',
  'annual_report',
  'added_to_collection',
  'collection_update',
] as const
const NotificationType = oneOf([...NOTIFICATION_TYPES])

export const RelationshipSeveranceEvent = Type.Object(
  {
    id: Id,
    type: oneOf(['domain_block', 'user_domain_block', 'account_suspension']),
    purged: Type.Boolean({ description: 'The list of the severed relationships is not stored.' }),
    target_name: Type.String({ description: 'The domain or the handle of the account.' }),
    followers_count: Type.Integer({ description: 'Number of followers lost.' }),
    following_count: Type.Integer({ description: 'Number of followed accounts lost.' }),
    created_at: DateTime,
  },
  { $id: 'RelationshipSeveranceEvent' },
)
export type RelationshipSeveranceEvent = Static<typeof RelationshipSeveranceEvent>

/** The actions of strikes. */
export const WarningAction = oneOf([
  'none',
  'disable',
  'mark_statuses_as_sensitive',
  'delete_statuses',
  'sensitive',
  'silence',
  'suspend',
])

export const AppealState = oneOf(['approved', 'rejected', 'pending'])

export const AccountWarning = Type.Object(
  {
    id: Id,
    action: WarningAction,
    text: Type.String(),
    status_ids: nullable(Type.Array(Id)),
    target_account: ref(Account),
    appeal: nullable(Type.Object({ text: Type.String(), state: AppealState })),
    created_at: DateTime,
  },
  { $id: 'AccountWarning' },
)
export type AccountWarning = Static<typeof AccountWarning>

export const NotificationFallback = Type.Object(
  {
    title: Type.String({ description: 'HTML.' }),
    summary: Type.String({ description: 'HTML.' }),
    description: Type.Null(),
  },
  { $id: 'NotificationFallback', description: 'A text for notification types that the client does not support.' },
)
export type NotificationFallback = Static<typeof NotificationFallback>

/** The fields of notifications and groups that depend on the type. */
const attachments = {
  report: Type.Optional(ref(Report)),
  event: Type.Optional(ref(RelationshipSeveranceEvent)),
  moderation_warning: Type.Optional(ref(AccountWarning)),
  annual_report: Type.Optional(Type.Object({ year: Type.String() })),
  collection: Type.Optional(ref(Collection)),
  fallback: Type.Optional(ref(NotificationFallback)),
}

export const Notification = Type.Object(
  {
    id: Id,
    type: NotificationType,
    group_key: Type.String({ description: '`ungrouped-ID` if the notification is in no group.' }),
    created_at: DateTime,
    account: ref(Account),
    status: Type.Optional(nullable(ref(Status), { description: 'For reblogs, the reblogged status.' })),
    filtered: Type.Optional(Type.Literal(true, { description: 'Filtered by the notification policy.' })),
    ...attachments,
  },
  { $id: 'Notification' },
)
export type Notification = Static<typeof Notification>

export const NotificationGroup = Type.Object(
  {
    group_key: Type.String(),
    notifications_count: Type.Integer(),
    type: NotificationType,
    most_recent_notification_id: Type.Integer({ description: 'A number, unlike all other ids.' }),
    page_min_id: Type.Optional(
      Type.With(Id, { description: 'Oldest notification of the group on this page. Only in lists.' }),
    ),
    page_max_id: Type.Optional(
      Type.With(Id, { description: 'Newest notification of the group on this page. Only in lists.' }),
    ),
    latest_page_notification_at: Type.Optional(Type.With(DateTime, { description: 'Only in lists.' })),
    sample_account_ids: Type.Array(Id, { maxItems: 8, description: 'Newest first.' }),
    status_id: Type.Optional(nullable(Id)),
    ...attachments,
  },
  { $id: 'NotificationGroup' },
)
export type NotificationGroup = Static<typeof NotificationGroup>

export const GroupedNotificationsResults = Type.Object(
  {
    accounts: Type.Array(ref(Account)),
    partial_accounts: Type.Optional(
      Type.Array(ref(PartialAccountWithAvatar), { description: 'Only with `expand_accounts=partial_avatars`.' }),
    ),
    statuses: Type.Array(ref(Status)),
    notification_groups: Type.Array(ref(NotificationGroup)),
  },
  { $id: 'GroupedNotificationsResults' },
)
export type GroupedNotificationsResults = Static<typeof GroupedNotificationsResults>

const PendingSummary = Type.Object({
  pending_requests_count: Type.Integer(),
  pending_notifications_count: Type.Integer(),
})

export const NotificationPolicyAction = oneOf(['accept', 'filter', 'drop'])

export const NotificationPolicy = Type.Object(
  {
    for_not_following: NotificationPolicyAction,
    for_not_followers: NotificationPolicyAction,
    for_new_accounts: NotificationPolicyAction,
    for_private_mentions: NotificationPolicyAction,
    for_limited_accounts: NotificationPolicyAction,
    for_bots: NotificationPolicyAction,
    summary: PendingSummary,
  },
  { $id: 'NotificationPolicy' },
)
export type NotificationPolicy = Static<typeof NotificationPolicy>

export const V1NotificationPolicy = Type.Object(
  {
    filter_not_following: Type.Boolean(),
    filter_not_followers: Type.Boolean(),
    filter_new_accounts: Type.Boolean(),
    filter_private_mentions: Type.Boolean(),
    filter_bots: Type.Boolean(),
    summary: PendingSummary,
  },
  { $id: 'V1NotificationPolicy', deprecated: true },
)
export type V1NotificationPolicy = Static<typeof V1NotificationPolicy>

export const NotificationRequest = Type.Object(
  {
    id: Id,
    created_at: DateTime,
    updated_at: DateTime,
    notifications_count: Type.String({ description: 'A decimal number. The count stops at 100.' }),
    account: ref(Account),
    last_status: nullable(ref(Status)),
  },
  {
    $id: 'NotificationRequest',
    description: 'Filtered notifications of one account, which the user can accept or dismiss.',
  },
)
export type NotificationRequest = Static<typeof NotificationRequest>
