import { type Static, Type } from 'typebox'
import { Account, PartialAccountWithAvatar } from './account.ts'
import { Collection } from './collection.ts'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { oneOf } from './one-of.ts'
import { ref } from './ref.ts'
import { Report } from './report.ts'
import { Status } from './status.ts'
import { DateTime } from './time.ts'

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
    purged: Type.Boolean({ description: 'The list of lost relationships is gone.' }),
    target_name: Type.String({ description: 'The domain or the handle.' }),
    followers_count: Type.Integer({ description: 'Followers lost.' }),
    following_count: Type.Integer({ description: 'Follows lost.' }),
    created_at: DateTime,
  },
  { $id: 'RelationshipSeveranceEvent' },
)
export type RelationshipSeveranceEvent = Static<typeof RelationshipSeveranceEvent>

export const AccountWarning = Type.Object(
  {
    id: Id,
    action: oneOf([
      'none',
      'disable',
      'mark_statuses_as_sensitive',
      'delete_statuses',
      'sensitive',
      'silence',
      'suspend',
    ]),
    text: Type.String(),
    status_ids: nullable(Type.Array(Id)),
    target_account: ref(Account),
    appeal: nullable(Type.Object({ text: Type.String(), state: oneOf(['approved', 'rejected', 'pending']) })),
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
  { $id: 'NotificationFallback', description: 'What to show for a type that the client has not said it knows.' },
)
export type NotificationFallback = Static<typeof NotificationFallback>

/** The fields that depend on the type, on notifications as on groups. */
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
    group_key: Type.String({ description: '`ungrouped-ID` when it belongs to no group.' }),
    created_at: DateTime,
    account: ref(Account),
    status: Type.Optional(nullable(ref(Status), { description: 'Of a reblog, the reblogged status.' })),
    filtered: Type.Optional(Type.Literal(true, { description: 'Held back by the notification policy.' })),
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
    most_recent_notification_id: Type.Integer({ description: 'The only id that is a number.' }),
    page_min_id: Type.Optional(Type.With(Id, { description: "The group's oldest on this page. Only in lists." })),
    page_max_id: Type.Optional(Type.With(Id, { description: "The group's newest on this page. Only in lists." })),
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

export const Verdict = oneOf(['accept', 'filter', 'drop'])

export const NotificationPolicy = Type.Object(
  {
    for_not_following: Verdict,
    for_not_followers: Verdict,
    for_new_accounts: Verdict,
    for_private_mentions: Verdict,
    for_limited_accounts: Verdict,
    for_bots: Verdict,
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
    notifications_count: Type.String({ description: 'A decimal number, counted up to 100.' }),
    account: ref(Account),
    last_status: nullable(ref(Status)),
  },
  { $id: 'NotificationRequest', description: 'Notifications held back from one account, to be let in or dismissed.' },
)
export type NotificationRequest = Static<typeof NotificationRequest>
