import { publishDueAnnouncement } from '../domain/announcements/publish-announcement.ts'
import { createAnnualReport } from '../domain/annual-reports/create-annual-report.ts'
import { notifyStaffOfReport } from '../domain/notifications/notify/notify-staff-of-report.ts'
import { runRetention } from '../domain/retention/run-retention.ts'
import { deliverFlag } from '../federation/outbox/deliver-flag.ts'
import { mailAppeal, mailAppealResult } from '../mail/appeal.ts'
import { mailRegistrationsClosed } from '../mail/registrations-closed.ts'
import { mailReport } from '../mail/report.ts'
import { mailTermsTest, notifyOfTerms } from '../mail/terms-of-service.ts'
import {
  publishAnnouncementEnd,
  publishAnnouncement,
  publishReaction,
} from '../streaming/events/announcement-events.ts'
import { triggerReportCreated, triggerReportUpdated } from '../webhooks/trigger-webhooks.ts'
import type { EffectsOf } from './effect-table.ts'

/**
 * The effects of reports to the staff, appeals, the automatic change of the registrations mode and announcements to
 * all users, and of requests for annual reports, for a run of the retention policy, and to notify users of new terms.
 */
export const instanceEffects = {
  'appeal.created': { mailAppeal },
  'appeal.decided': { mailAppealResult },
  'report.created': { notifyStaffOfReport, mailReport, deliverFlag, triggerReportCreated },
  'report.updated': { triggerReportUpdated },
  'registrations.closed_automatically': { mailRegistrationsClosed },
  'retention.run_requested': { runRetention },
  'announcement.published': { publishAnnouncement },
  'announcement.updated': { publishAnnouncement },
  'announcement.due': { publishDueAnnouncement },
  'announcement.ended': { publishAnnouncementEnd },
  'announcement.reactions_changed': { publishReaction },
  'annual_report.requested': { createAnnualReport },
  'terms.test_requested': { mailTermsTest },
  'terms.notification_due': { notifyOfTerms },
} satisfies EffectsOf<'announcement' | 'annual_report' | 'appeal' | 'registrations' | 'report' | 'retention' | 'terms'>
