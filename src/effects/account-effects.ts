import { removeArchives } from '../domain/transfers/archives/account-archives.ts'
import { purgeAccount } from '../domain/account-deletion/purge-account.ts'
import { startDuePurge } from '../domain/account-deletion/start-purges.ts'
import { importPicture } from '../domain/accounts/profile/import-picture.ts'
import { verifyLinks } from '../domain/accounts/profile/verify-links.ts'
import { removeManyFromFeeds } from '../domain/timelines/feeds/merge-into-feeds.ts'
import { removeFiles } from '../domain/media/remove-files.ts'
import { restrictFiles } from '../domain/media/restrict-files.ts'
import { notifyFollows } from '../domain/notifications/notify/notify-follows.ts'
import { notifyStaffOfSignUp } from '../domain/notifications/notify/notify-staff-of-sign-up.ts'
import { notifyModerationWarning } from '../domain/notifications/notify/notify-moderation-warning.ts'
import { migrateRelationships } from '../domain/relationships/migration/migrate-relationships.ts'
import { endFollowsOfSuspended } from '../domain/relationships/follows/end-follows-of-suspended.ts'
import { followBootstrapAccounts } from '../domain/relationships/follows/follow-bootstrap-accounts.ts'
import { followInviter } from '../domain/relationships/follows/follow-inviter.ts'
import { authorizeAllFollowRequests } from '../domain/relationships/follows/follow-requests.ts'
import { restoreFollowsOfAccount } from '../domain/relationships/severances/restore-severed-follows.ts'
import { updateAuthorSearchability } from '../domain/search/update-author-searchability.ts'
import { recountReplies } from '../domain/statuses/counters/recount-replies.ts'
import { updateMentioningStatuses } from '../domain/statuses/parts/update-mentioning-statuses.ts'
import { deliverActorDelete } from '../federation/outbox/deliver-actor-delete.ts'
import { deliverActor } from '../federation/outbox/deliver-actor.ts'
import { repeatFollows } from '../federation/outbox/deliver-follows.ts'
import { deliverMove } from '../federation/outbox/deliver-move.ts'
import { deliverBlocks } from '../federation/outbox/deliver-blocks.ts'
import { deliverBlock, deliverUndoBlock, deliverUndoFollow } from '../federation/outbox/deliver-relationships.ts'
import { rotateKey } from '../federation/outbox/rotate-key.ts'
import { fetchCounters } from '../federation/remote/actors/fetch-counters.ts'
import { fetchFeatured } from '../federation/remote/actors/fetch-featured.ts'
import { fetchFeaturedTags } from '../federation/remote/actors/fetch-featured-tags.ts'
import { refreshUnsuspended } from '../federation/remote/actors/refresh-unsuspended.ts'
import { mailAddressInUse } from '../mail/address-in-use.ts'
import { mailConfirmation } from '../mail/confirmation.ts'
import { mailEmailChange } from '../mail/email-change.ts'
import { mailEmailChanged } from '../mail/email-changed.ts'
import { mailExternalLogin } from '../mail/external-login.ts'
import { mailPasswordChanged, mailPasswordForgotten } from '../mail/password.ts'
import { mailNewLogin } from '../mail/new-login.ts'
import { mailPending } from '../mail/pending.ts'
import { mailSecondFactorFailure, mailTwoFactorChange } from '../mail/two-factor.ts'
import { mailWarning } from '../mail/warning.ts'
import { mailWelcome } from '../mail/welcome.ts'
import { publishRevocation, publishFilterChange } from '../streaming/events/publish-events.ts'
import { triggerAccountApproved, triggerAccountCreated, triggerAccountUpdated } from '../webhooks/trigger-webhooks.ts'
import { mergeIntoFeeds, removeFromFeeds, separateFeeds } from './batched-feed-effects.ts'
import { batched } from './effect-table.ts'
import type { EffectsOf } from './effect-table.ts'

/** The effects of sign-up, changes of an account, and what an account does with another one. */
export const accountEffects = {
  'account.signed_up': { triggerAccountCreated, triggerAccountApproved },
  'account.picture_offered': { importPicture },
  'account.confirmation_requested': { mailConfirmation },
  'account.taken_email_requested': { mailAddressInUse },
  'account.confirmed': {
    mailPending,
    notifyStaffOfSignUp,
    followInviter,
    followBootstrapAccounts,
    triggerAccountApproved,
  },
  'account.approved': { notifyStaffOfSignUp, followInviter, followBootstrapAccounts, triggerAccountApproved },
  'account.welcome_due': { mailWelcome },
  'account.email_change_requested': { mailEmailChange },
  'account.email_changed': { mailEmailChanged },
  'account.password_reset_requested': { mailPasswordForgotten },
  'account.logged_in_from_new_address': { mailNewLogin },
  'account.password_changed': { mailPasswordChanged },
  'account.two_factor_changed': { mailTwoFactorChange },
  'account.external_login_linked': { mailExternalLogin },
  'account.second_factor_failed': { mailSecondFactorFailure },
  'account.updated': { removeFiles, deliverProfile: deliverActor, verifyLinks, triggerAccountUpdated },
  'account.indexable_changed': { updateAuthorSearchability },
  'account.handle_changed': { updateMentioningStatuses },
  'account.key_replaced': { repeatFollows },
  'account.unlocked': { authorizeAllFollowRequests },
  'account.fetched': { fetchCounters, fetchFeatured, fetchFeaturedTags },
  'account.moved': { deliverMove, migrateRelationships },
  'account.suspension_changed': {
    deliverActor,
    endFollowsOfSuspended,
    restoreFollowsOfAccount,
    refreshUnsuspended,
    restrictFiles,
    triggerAccountUpdated,
  },
  'account.key_rotation_requested': { rotateKey },
  'account.limit_changed': { triggerAccountUpdated },
  'account.deleted': { removeFiles, removeArchives, deliverActorDelete },
  'account.purge_due': { startDuePurge },
  'account.purge_requested': { purgeAccount },
  'account.followed': { mergeIntoFeeds, notifyFollow: batched(notifyFollows) },
  'account.unfollowed': { removeFromFeeds, deliverUndoFollow },
  'account.blocked': { separateFeeds, deliverBlock, recountReplies },
  'account.many_blocked': { removeManyFromFeeds, deliverBlocks, recountReplies },
  'account.unblocked': { deliverUndoBlock, recountReplies },
  'account.muted': { removeFromFeeds },
  'account.many_muted': { removeManyFromFeeds },
  'account.unmuted': { mergeIntoFeeds },
  'account.warning_created': { notifyModerationWarning, mailWarning },
  'filters.changed': { publishFilterChange },
  'tokens.revoked': { publishRevocation },
} satisfies EffectsOf<'account' | 'filters' | 'tokens'>
