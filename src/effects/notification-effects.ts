import { mergeAccepted } from '../domain/notifications/requests.ts'
import { planPushes } from '../domain/push/plan.ts'
import { mailNotification } from '../mail/notification.ts'
import { sendPush } from '../push/send-push.ts'
import { sendMail } from '../mail/send.ts'
import { publishNotification } from '../streaming/publish.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from notifications, and from mails and pushes that are ready to be sent. */
export const notificationEffects = {
  'notification.created': { publishNotification, planPushes },
  'notification.mail_due': { mailNotification },
  'notifications.accepted': { mergeAccepted },
  'push.due': { sendPush },
  'mail.written': { sendMail },
} satisfies EffectsOf<'mail' | 'notification' | 'notifications' | 'push'>
