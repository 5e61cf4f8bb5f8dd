import { createAnnualReport } from '../domain/annual-reports/create-annual-report.ts'
import { notifyStaffOfReport } from '../domain/notifications/notify/notify-staff-of-report.ts'
import { deliverFlag } from '../federation/outbox/deliver-flag.ts'
import { mailReport } from '../mail/report.ts'
import {
  publishAnnouncementEnd,
  publishAnnouncement,
  publishReaction,
} from '../streaming/events/announcement-events.ts'
import { triggerReportCreated, triggerReportUpdated } from '../webhooks/trigger-webhooks.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from reports to the staff, announcements to all users, and requests for annual reports. */
export const instanceEffects = {
  'report.created': { notifyStaffOfReport, mailReport, deliverFlag, triggerReportCreated },
  'report.updated': { triggerReportUpdated },
  'announcement.published': { publishAnnouncement },
  'announcement.ended': { publishAnnouncementEnd },
  'announcement.reactions_changed': { publishReaction },
  'annual_report.requested': { createAnnualReport },
} satisfies EffectsOf<'announcement' | 'annual_report' | 'report'>
