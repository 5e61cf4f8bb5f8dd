import type { Ctx } from './domain/context.ts'
import { resumeDeletions } from './domain/accounts/delete.ts'
import { purgeAccount } from './domain/accounts/purge.ts'
import { expireEmailChanges } from './domain/accounts/expire-email-changes.ts'
import { expireSignUps } from './domain/accounts/expire-sign-ups.ts'
import { verifyLinks } from './domain/accounts/verify-links.ts'
import { fetchCard } from './domain/cards/fetch.ts'
import { renewCarriers, showCard } from './domain/cards/show.ts'
import { sweepCards } from './domain/cards/sweep.ts'
import { makeAnnualReport } from './domain/annual-reports/make.ts'
import { leaveCollections } from './domain/collections/leave-domain.ts'
import { addToConversations } from './domain/conversations/file.ts'
import { expireCodes } from './domain/auth/codes.ts'
import { expireSessions } from './domain/auth/sessions.ts'
import type { EventName, Events } from './domain/events.ts'
import { addToFeeds } from './domain/feeds/fill.ts'
import { dropFeeds, remakeFeeds } from './domain/feeds/keep.ts'
import {
  leaveDomain,
  leaveFeeds,
  leaveList,
  leaveTag,
  mergeIntoFeeds,
  mergeIntoList,
  moveMembers,
  partFeeds,
} from './domain/feeds/merge.ts'
import { pruneFeeds } from './domain/feeds/prune.ts'
import { replaceBoost } from './domain/feeds/replace.ts'
import { tallyActivity } from './domain/instance/activity.ts'
import { forgetChanges } from './domain/instance/forget-changes.ts'
import { expireMails } from './domain/mails/outbox.ts'
import { notifyEdited } from './domain/notifications/notify-edited.ts'
import { notifyBoosted } from './domain/notifications/notify-boosted.ts'
import { notifyFavourite } from './domain/notifications/notify-favourite.ts'
import { notifyCollectionUpdated, notifyFeatured } from './domain/notifications/notify-featured.ts'
import { notifyFollow } from './domain/notifications/notify-follow.ts'
import { notifyFollowRequest } from './domain/notifications/notify-follow-request.ts'
import { notifyFollowersOfPost } from './domain/notifications/notify-followers-of-post.ts'
import { notifyMentioned } from './domain/notifications/notify-mentioned.ts'
import { notifyPollEnded } from './domain/notifications/notify-poll-ended.ts'
import { notifyQuoted } from './domain/notifications/notify-quoted.ts'
import { notifyQuoters } from './domain/notifications/notify-quoters.ts'
import { notifyStaffOfReport } from './domain/notifications/notify-staff-of-report.ts'
import { notifyStaffOfSignUp } from './domain/notifications/notify-staff-of-sign-up.ts'
import { notifyWarned } from './domain/notifications/notify-warned.ts'
import { mergeAccepted } from './domain/notifications/requests.ts'
import { notifySevered } from './domain/notifications/severances.ts'
import { endPoll } from './domain/polls/end.ts'
import { pruneTombstones } from './domain/prune-tombstones.ts'
import { planPushes, prunePushes } from './domain/push/plan.ts'
import { partFromDomain } from './domain/relationships/block-domain.ts'
import { severDomain } from './domain/relationships/sever-domain.ts'
import { carryOver } from './domain/relationships/carry-over.ts'
import { publishMissed, publishScheduled } from './domain/scheduled/publish.ts'
import { authoriseAllRequests } from './domain/relationships/follow-requests.ts'
import { expireMutes } from './domain/relationships/unmute.ts'
import { indexBacklog } from './domain/search/backlog.ts'
import { indexAuthor } from './domain/search/index-author.ts'
import { indexStatus } from './domain/search/index-statuses.ts'
import { expireKeys } from './domain/statuses/idempotency.ts'
import { expireRefreshes } from './domain/statuses/refresh-thread.ts'
import { tallyTagUses } from './domain/tags/use.ts'
import { refreshTrends } from './domain/trends/refresh.ts'
import { deliverToHost, remindOfDeliveries } from './federation/courier.ts'
import { pruneDeliveries } from './federation/courier/prune.ts'
import { deliverActorDelete } from './federation/outbox/actor-deletions.ts'
import { deliverActor } from './federation/outbox/actors.ts'
import { deliverAnnounce, deliverUndoAnnounce } from './federation/outbox/boosts.ts'
import {
  deliverCollection,
  deliverCollectionDelete,
  deliverCollectionUpdate,
  deliverFeatureAccept,
  deliverFeatured,
  deliverFeatureReject,
  deliverFeatureRequest,
  deliverUnfeatured,
} from './federation/outbox/collections.ts'
import { deliverLike, deliverUndoLike } from './federation/outbox/favourites.ts'
import { deliverFeaturedTag, deliverUnfeaturedTag } from './federation/outbox/featured-tags.ts'
import { deliverMove } from './federation/outbox/moves.ts'
import { deliverPin, deliverUnpin } from './federation/outbox/pins.ts'
import { deliverPollEnd, deliverTally, deliverVotes } from './federation/outbox/polls.ts'
import {
  deliverQuoteAccept,
  deliverQuoteReject,
  deliverQuoteRequest,
  deliverQuoteRevocation,
  deliverQuoting,
} from './federation/outbox/quotes.ts'
import { deliverFlag } from './federation/outbox/reports.ts'
import {
  deliverAccept,
  deliverBlock,
  deliverFollow,
  deliverReject,
  deliverUndoBlock,
  deliverUndoFollow,
} from './federation/outbox/relationships.ts'
import { deliverCreate, deliverDelete, deliverUpdate } from './federation/outbox/statuses.ts'
import { handleActivity } from './federation/inbox/handle.ts'
import { pruneReceived } from './federation/inbox/prune-received.ts'
import { fetchCounters } from './federation/remote/counters.ts'
import { fetchFeatured } from './federation/remote/featured.ts'
import { fetchReplies } from './federation/remote/thread.ts'
import { mailAddressTried } from './mail/address-tried.ts'
import { mailConfirmation } from './mail/confirmation.ts'
import { mailEmailChange } from './mail/email-change.ts'
import { mailEmailChanged } from './mail/email-changed.ts'
import { mailNotification } from './mail/notification.ts'
import { mailPasswordChanged, mailPasswordForgotten } from './mail/password.ts'
import { mailPending } from './mail/pending.ts'
import { mailReport } from './mail/report.ts'
import { sendPush } from './push/send-push.ts'
import { sendMail } from './mail/send.ts'
import { mailTrends } from './mail/trends.ts'
import { mailWarning } from './mail/warning.ts'
import { recountReplies } from './domain/statuses/count-replies.ts'
import { removeHidden } from './domain/statuses/remove-hidden.ts'
import { processMedia } from './domain/media/process.ts'
import { dropRefusedMedia, trimCache } from './domain/media/cached/drop.ts'
import { removeFiles, removeOrphans } from './domain/media/remove.ts'
import { publishAnnouncementEnd, publishAnnouncementToAll, publishReaction } from './streaming/announcements.ts'
import {
  closeRevoked,
  publishDeletion,
  publishEdit,
  publishFilterChange,
  publishNotification,
  publishPublic,
  publishUnboost,
} from './streaming/publish.ts'

/** One consequence of an event. It re-reads by id, guards first, and may run twice. */
type Effect<Name extends EventName> = (ctx: Ctx, payload: Events[Name]) => Promise<void>

type EffectTable = { [Name in EventName]: Record<string, Effect<Name>> }

/** The switchboard: everything that follows from each event, on one screen. */
export const effects = {
  'account.signed_up': {},
  'account.confirmation_asked': { mailConfirmation },
  'account.address_tried': { mailAddressTried },
  'account.confirmed': { mailPending, notifyStaffOfSignUp },
  'account.email_change_asked': { mailEmailChange },
  'account.email_changed': { mailEmailChanged },
  'account.password_forgotten': { mailPasswordForgotten },
  'account.password_changed': { mailPasswordChanged },
  'account.updated': { removeFiles, deliverActor, verifyLinks },
  'account.indexable_changed': { indexAuthor },
  'account.unlocked': { authoriseAllRequests },
  'account.fetched': { fetchCounters, fetchFeatured },
  'account.moved': { deliverMove, carryOver },
  'follow.carried': { mergeIntoFeeds },
  'account.deleted': { removeFiles, deliverActorDelete },
  'account.removed': { purgeAccount },
  'account.followed': { mergeIntoFeeds, notifyFollow },
  'account.unfollowed': { leaveFeeds, deliverUndoFollow },
  'account.blocked': { partFeeds, deliverBlock, recountReplies },
  'account.unblocked': { deliverUndoBlock, recountReplies },
  'account.muted': { leaveFeeds },
  'account.unmuted': { mergeIntoFeeds },
  'domain.blocked': { partFromDomain, leaveDomain, leaveCollections, recountReplies },
  'domain.unblocked': { recountReplies },
  'domain.rule_set': { dropRefusedMedia, severDomain },
  'list.members_added': { mergeIntoList },
  'list.members_removed': { leaveList },
  'list.exclusivity_changed': { moveMembers },
  'feeds.asked': { remakeFeeds },
  'follow.requested': { notifyFollowRequest, deliverFollow },
  'follow.authorised': { deliverAccept },
  'follow.rejected': { deliverReject },
  'status.due': { publishScheduled },
  'status.posted': {
    addToFeeds,
    addToConversations,
    publishPublic,
    notifyMentioned,
    notifyFollowersOfPost,
    deliverCreate,
    indexStatus,
  },
  'status.imported': { addToConversations, indexStatus },
  'replies.asked': { fetchReplies },
  'status.joined_thread': { addToFeeds, publishPublic },
  'status.edited': {
    publishEdit,
    addToConversations,
    notifyMentioned,
    notifyEdited,
    notifyQuoters,
    deliverUpdate,
    indexStatus,
  },
  'status.quoting_changed': { publishEdit, deliverQuoting },
  'quote.requested': { deliverQuoteRequest },
  'quote.accepted': { notifyQuoted },
  'quote.revoked': { deliverQuoteRevocation },
  'quote.authorised': { deliverQuoteAccept },
  'quote.refused': { deliverQuoteReject },
  'status.deleted': { removeFiles, publishDeletion, deliverDelete },
  'link.due': { fetchCard },
  'link.settled': { showCard },
  'card.changed': { renewCarriers },
  'status.pinned': { deliverPin },
  'status.unpinned': { deliverUnpin },
  'tag.unfollowed': { leaveTag },
  'tag.featured': { deliverFeaturedTag },
  'tag.unfeatured': { deliverUnfeaturedTag },
  'status.favourited': { notifyFavourite, deliverLike },
  'status.unfavourited': { deliverUndoLike },
  'status.boosted': { addToFeeds, notifyBoosted, deliverAnnounce },
  'status.unboosted': { replaceBoost, publishUnboost, deliverUndoAnnounce },
  'poll.due': { endPoll },
  'poll.ended': { notifyPollEnded, deliverPollEnd },
  'poll.voted': { deliverVotes },
  'poll.tallied': { deliverTally },
  'media.uploaded': { processMedia },
  'media.removed': { removeFiles },
  'collection.created': { deliverCollection },
  'collection.updated': { notifyCollectionUpdated, deliverCollectionUpdate },
  'collection.deleted': { deliverCollectionDelete },
  'collection.item_requested': { deliverFeatureRequest },
  'collection.item_accepted': { notifyFeatured, deliverFeatured },
  'collection.item_ended': { deliverUnfeatured },
  'feature.authorised': { deliverFeatureAccept },
  'feature.rejected': { deliverFeatureReject },
  'annual_report.asked': { makeAnnualReport },
  'report.made': { notifyStaffOfReport, mailReport, deliverFlag },
  'announcement.published': { publishAnnouncementToAll },
  'announcement.ended': { publishAnnouncementEnd },
  'announcement.reacted': { publishReaction },
  'notification.created': { publishNotification, planPushes },
  'push.due': { sendPush },
  'notification.mail_due': { mailNotification },
  'notifications.accepted': { mergeAccepted },
  'relationships.severed': { notifySevered },
  'account.warned': { notifyWarned, mailWarning },
  'filters.changed': { publishFilterChange },
  'activity.received': { handleActivity },
  'deliveries.due': { deliverToHost },
  'mail.written': { sendMail },
  'tokens.revoked': { closeRevoked },
  'clock.minutely': { expireMutes, remindOfDeliveries, indexBacklog, forgetChanges },
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
} satisfies EffectTable
