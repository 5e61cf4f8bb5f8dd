import { makeAnnualReport } from '../domain/annual-reports/make.ts'
import { notifyStaffOfReport } from '../domain/notifications/notify-staff-of-report.ts'
import { deliverFlag } from '../federation/outbox/reports.ts'
import { mailReport } from '../mail/report.ts'
import { publishAnnouncementEnd, publishAnnouncementToAll, publishReaction } from '../streaming/announcements.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from reports to the staff, announcements to all users, and requests for annual reports. */
export const instanceEffects = {
  'report.made': { notifyStaffOfReport, mailReport, deliverFlag },
  'announcement.published': { publishAnnouncementToAll },
  'announcement.ended': { publishAnnouncementEnd },
  'announcement.reacted': { publishReaction },
  'annual_report.asked': { makeAnnualReport },
} satisfies EffectsOf<'announcement' | 'annual_report' | 'report'>
