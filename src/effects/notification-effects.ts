import { mergeAcceptedNotifications } from '../domain/notifications/policy/notification-requests.ts'
import { planNotificationPushes } from '../domain/push/plan-pushes.ts'
import { mailNotification } from '../mail/notification.ts'
import { sendPush } from '../push/send-push.ts'
import { sendMail } from '../mail/send.ts'
import { mailTest } from '../mail/test-mail.ts'
import { publishNotifications } from '../streaming/events/publish-events.ts'
import { batched } from './effect-table.ts'
import type { EffectsOf } from './effect-table.ts'

/** The effects of notifications, and of mails and pushes that are ready to be sent. */
export const notificationEffects = {
  'notification.created': {
    publishNotification: batched(publishNotifications),
    planPushes: batched(planNotificationPushes),
  },
  'notification.mail_due': { mailNotification },
  'notification_request.accepted': { mergeAcceptedNotifications },
  'push.due': { sendPush },
  'mail.enqueued': { sendMail },
  'mail.test_requested': { mailTest },
} satisfies EffectsOf<'mail' | 'notification' | 'notification_request' | 'push'>
