import { resumeDeletions } from '../domain/accounts/delete.ts'
import { expireEmailChanges } from '../domain/accounts/expire-email-changes.ts'
import { expireSignUps } from '../domain/accounts/expire-sign-ups.ts'
import { expireCodes } from '../domain/auth/codes.ts'
import { expireSessions } from '../domain/auth/sessions.ts'
import { sweepCards } from '../domain/cards/sweep.ts'
import { dropFeeds } from '../domain/feeds/keep.ts'
import { pruneFeeds } from '../domain/feeds/prune.ts'
import { tallyActivity } from '../domain/instance/activity.ts'
import { pruneInvalidations } from '../domain/instance/prune-invalidations.ts'
import { expireMails } from '../domain/mails/outbox.ts'
import { trimCache } from '../domain/media/cached/drop.ts'
import { removeOrphans } from '../domain/media/remove.ts'
import { pruneTombstones } from '../domain/prune-tombstones.ts'
import { prunePushes } from '../domain/push/plan.ts'
import { expireMutes } from '../domain/relationships/unmute.ts'
import { publishMissed } from '../domain/scheduled/publish.ts'
import { indexBacklog } from '../domain/search/backlog.ts'
import { expireKeys } from '../domain/statuses/idempotency.ts'
import { expireRefreshes } from '../domain/statuses/refresh-thread.ts'
import { removeHidden } from '../domain/statuses/remove-hidden.ts'
import { tallyTagUses } from '../domain/tags/use.ts'
import { refreshTrends } from '../domain/trends/refresh.ts'
import { remindOfDeliveries } from '../federation/courier.ts'
import { pruneDeliveries } from '../federation/courier/prune.ts'
import { pruneReceived } from '../federation/inbox/prune-received.ts'
import { mailTrends } from '../mail/trends.ts'
import type { EffectsOf } from './effect-table.ts'

/** The recurring work. `src/schedule.ts` emits these events. */
export const clockEffects = {
  'clock.minutely': { expireMutes, remindOfDeliveries, indexBacklog, pruneInvalidations },
  'clock.five_minutely': { refreshTrends },
  'clock.hourly': {
    publishMissed,
    pruneFeeds,
    dropFeeds,
    tallyTagUses,
    tallyActivity,
    removeOrphans,
    trimCache,
    removeHidden,
    expireCodes,
    expireSessions,
    expireSignUps,
    expireEmailChanges,
    resumeDeletions,
    expireMails,
    pruneDeliveries,
    pruneReceived,
    pruneTombstones,
    expireRefreshes,
    expireKeys,
    sweepCards,
    prunePushes,
    mailTrends,
  },
} satisfies EffectsOf<'clock'>
