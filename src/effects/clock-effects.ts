import { pruneSeveredFollows } from '../domain/relationships/severances/restore-severed-follows.ts'
import { resumeDeletions } from '../domain/account-deletion/delete-account.ts'
import { requestDuePurges } from '../domain/account-deletion/start-purges.ts'
import { expireEmailChanges } from '../domain/accounts/email/expire-email-changes.ts'
import { expireSignUps } from '../domain/accounts/email/expire-sign-ups.ts'
import { pruneSignUpCounts } from '../domain/accounts/registration/count-sign-up.ts'
import { closeUnmoderatedRegistrations } from '../domain/accounts/registration/close-unmoderated-registrations.ts'
import { expireSignUpAddresses } from '../domain/accounts/registration/expire-sign-up-addresses.ts'
import { expireCodes } from '../domain/auth/authorization-codes.ts'
import { expireExternalLogins } from '../domain/auth/external/login-attempts.ts'
import { expireLoginActivities } from '../domain/auth/login-activities.ts'
import { expireSessionAddresses, expireSessions } from '../domain/auth/sessions.ts'
import { expireChallenges } from '../domain/auth/two-factor/passkey-challenges.ts'
import { expirePendingLogins } from '../domain/auth/two-factor/pending-logins.ts'
import { pruneCards } from '../domain/cards/prune-cards.ts'
import { pruneInactiveFeeds } from '../domain/timelines/feeds/rebuild-feeds.ts'
import { pruneFeeds } from '../domain/timelines/feeds/prune-feeds.ts'
import { tallyActivity } from '../domain/instance/weekly-activity.ts'
import { pruneEmailDomainAttempts } from '../domain/email-blocks/check-email-domain.ts'
import { pruneIpBlocks } from '../domain/ip-blocks/prune-ip-blocks.ts'
import { pruneInvalidations } from '../domain/instance/prune-invalidations.ts'
import { expireMails } from '../domain/mails/outbox.ts'
import { tallyDays } from '../domain/metrics/daily-tallies.ts'
import { pruneActiveDays } from '../domain/metrics/prune-active-days.ts'
import { measureMediaUsage } from '../domain/media/measure-usage.ts'
import { evictCachedFiles } from '../domain/media/remote-cache/evict-files.ts'
import { removeOrphans } from '../domain/media/remove-files.ts'
import { pruneTombstones } from '../domain/core/prune-tombstones.ts'
import { prunePushes } from '../domain/push/plan-pushes.ts'
import { expireMutes } from '../domain/relationships/mutes/unmute-account.ts'
import { pruneArchives } from '../domain/transfers/archives/account-archives.ts'
import { pruneImports } from '../domain/transfers/imports/confirm-import.ts'
import { pruneDomainBlockImports } from '../domain/moderation/domain-blocks/import/domain-block-imports.ts'
import { runRetention } from '../domain/retention/run-retention.ts'
import { requestCleanups } from '../domain/statuses/cleanup/request-cleanups.ts'
import { publishMissedStatuses } from '../domain/statuses/submit/publish-scheduled-statuses.ts'
import { indexBacklog } from '../domain/search/index-backlog.ts'
import { expireIdempotencyKeys } from '../domain/statuses/submit/idempotency-keys.ts'
import { expireThreadRefreshes } from '../domain/statuses/remote/refresh-thread.ts'
import { purgeHiddenStatuses } from '../domain/statuses/write/purge-hidden-statuses.ts'
import { tallyTagUses } from '../domain/tags/count-tag-uses.ts'
import { markLocalHashtags } from '../domain/tags/mark-local-hashtags.ts'
import { pruneWebhookDeliveries } from '../domain/webhooks/delivery-attempts.ts'
import { refreshTrends } from '../domain/trends/refresh-trends.ts'
import { rescheduleOverdueDeliveries } from '../federation/delivery/deliver-to-host.ts'
import { pruneDeliveries } from '../federation/delivery/prune-deliveries.ts'
import { pruneReceivedActivities } from '../federation/inbox/receive/prune-received-activities.ts'
import { mailTrends } from '../mail/trends.ts'
import type { EffectsOf } from './effect-table.ts'

/** The recurring work. `src/schedule.ts` emits these events. */
export const clockEffects = {
  'clock.minutely': {
    expireMutes,
    rescheduleOverdueDeliveries,
    indexBacklog,
    markLocalHashtags,
    pruneInvalidations,
    requestCleanups,
  },
  'clock.five_minutely': { refreshTrends, requestDuePurges },
  'clock.hourly': {
    publishMissedStatuses,
    pruneFeeds,
    pruneInactiveFeeds,
    tallyTagUses,
    tallyActivity,
    tallyDays,
    pruneActiveDays,
    removeOrphans,
    evictCachedFiles,
    purgeHiddenStatuses,
    pruneSeveredFollows,
    expireCodes,
    expireSessions,
    expireSessionAddresses,
    expireLoginActivities,
    expireExternalLogins,
    expirePendingLogins,
    expireChallenges,
    expireSignUps,
    expireSignUpAddresses,
    pruneSignUpCounts,
    closeUnmoderatedRegistrations,
    expireEmailChanges,
    resumeDeletions,
    expireMails,
    pruneDeliveries,
    pruneReceivedActivities,
    pruneTombstones,
    expireThreadRefreshes,
    expireIdempotencyKeys,
    pruneCards,
    pruneIpBlocks,
    pruneDomainBlockImports,
    pruneArchives,
    pruneImports,
    pruneEmailDomainAttempts,
    prunePushes,
    pruneWebhookDeliveries,
    mailTrends,
    runRetention,
    measureMediaUsage,
  },
} satisfies EffectsOf<'clock'>
