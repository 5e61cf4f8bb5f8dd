import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, now, status } from '../../../test/http/entities/entity-samples.ts'
import { type EntityName, assertEntity, matchesEntity } from '../../../test/http/entities/entity-schemas.ts'
import type { Announcement } from '../instance/announcement.ts'
import type { Conversation } from '../statuses/conversation.ts'
import type { AccountWarning, GroupedNotificationsResults, Notification, NotificationRequest } from './notification.ts'
import type { WebPushSubscription } from './push.ts'
import type { Report } from '../instance/report.ts'
import type { StreamEvent } from './stream-event.ts'

const report: Report = {
  id: '15',
  action_taken: false,
  action_taken_at: null,
  category: 'violation',
  comment: '',
  forwarded: null,
  created_at: now,
  status_ids: ['7'],
  rule_ids: null,
  collection_ids: [],
  target_account: account,
}

const warning: AccountWarning = {
  id: '16',
  action: 'delete_statuses',
  text: '',
  status_ids: ['7'],
  target_account: account,
  appeal: { text: 'Please', state: 'pending' },
  created_at: now,
}

const notification: Notification = {
  id: '17',
  type: 'mention',
  group_key: 'ungrouped-17',
  created_at: now,
  account,
  status,
  filtered: true,
}

const warned: Notification = {
  ...notification,
  type: 'moderation_warning',
  status: undefined,
  moderation_warning: warning,
}

const grouped: GroupedNotificationsResults = {
  accounts: [account],
  statuses: [status],
  notification_groups: [
    {
      group_key: 'favourite-7-1',
      notifications_count: 2,
      type: 'favourite',
      most_recent_notification_id: 17,
      page_min_id: '16',
      page_max_id: '17',
      latest_page_notification_at: now,
      sample_account_ids: [account.id],
      status_id: '7',
    },
  ],
}

const request: NotificationRequest = {
  id: '18',
  created_at: now,
  updated_at: now,
  notifications_count: '100',
  account,
  last_status: null,
}

const push: WebPushSubscription = {
  id: '19',
  endpoint: 'https://push.test/1',
  standard: true,
  alerts: { mention: true, 'admin.report': false },
  server_key: 'BF',
  policy: 'all',
}

const conversation: Conversation = { id: '23', unread: true, accounts: [account], last_status: status }

const announcement: Announcement = {
  id: '24',
  content: '<p>Down at noon</p>',
  starts_at: null,
  ends_at: null,
  all_day: false,
  published_at: now,
  updated_at: now,
  read: false,
  mentions: [{ id: account.id, username: account.username, url: account.url, acct: account.acct }],
  statuses: [status],
  tags: [{ name: 'maths', url: 'https://a.test/tags/maths' }],
  emojis: [],
  reactions: [{ name: '👍', count: 1, me: true }],
}

const event: StreamEvent = { stream: ['list', '12'], event: 'delete', payload: '7' }

test('notifications of accounts and of staff are valid, single and in groups', () => {
  assertEntity('Notification', notification)
  assertEntity('Notification', warned)
  assertEntity('Notification', { ...notification, type: 'admin.report', status: undefined, report })
  assertEntity('GroupedNotificationsResults', grouped)
  assertEntity('NotificationRequest', request)
})

test('notification requests, push subscriptions, conversations, announcements and stream events are valid', () => {
  assertEntity('WebPushSubscription', push)
  assertEntity('Conversation', conversation)
  assertEntity('Announcement', announcement)
  assertEntity('StreamEvent', event)
  assertEntity('StreamEvent', { stream: ['user'], event: 'filters_changed' })
})

const wrong: [why: string, EntityName, unknown][] = [
  ['an unknown type', 'Notification', { ...notification, type: 'poke' }],
  ['filtered: false where the key must be absent', 'Notification', { ...notification, filtered: false }],
  [
    'the newest id of a group as a string',
    'GroupedNotificationsResults',
    { ...grouped, notification_groups: [{ ...grouped.notification_groups[0], most_recent_notification_id: '17' }] },
  ],
  [
    'a ninth face',
    'GroupedNotificationsResults',
    {
      ...grouped,
      notification_groups: [{ ...grouped.notification_groups[0], sample_account_ids: Array(9).fill('1') }],
    },
  ],
  ['a count that is a number', 'NotificationRequest', { ...request, notifications_count: 100 }],
  ['an id that is a number', 'WebPushSubscription', { ...push, id: 19 }],
  ['an unknown category', 'Report', { ...report, category: 'rude' }],
  ['an event without a stream', 'StreamEvent', { ...event, stream: [] }],
  ['a payload that is not text', 'StreamEvent', { ...event, payload: { id: '7' } }],
]

for (const [why, name, value] of wrong) {
  test(`${name} rejects ${why}`, () => assert.equal(matchesEntity(name, value), false))
}
