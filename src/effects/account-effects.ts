import { purgeAccount } from '../domain/accounts/purge.ts'
import { verifyLinks } from '../domain/accounts/verify-links.ts'
import { leaveFeeds, mergeIntoFeeds, partFeeds } from '../domain/feeds/merge.ts'
import { removeFiles } from '../domain/media/remove.ts'
import { notifyFollow } from '../domain/notifications/notify-follow.ts'
import { notifyStaffOfSignUp } from '../domain/notifications/notify-staff-of-sign-up.ts'
import { notifyWarned } from '../domain/notifications/notify-warned.ts'
import { carryOver } from '../domain/relationships/carry-over.ts'
import { authoriseAllRequests } from '../domain/relationships/follow-requests.ts'
import { indexAuthor } from '../domain/search/index-author.ts'
import { recountReplies } from '../domain/statuses/count-replies.ts'
import { deliverActorDelete } from '../federation/outbox/actor-deletions.ts'
import { deliverActor } from '../federation/outbox/actors.ts'
import { deliverMove } from '../federation/outbox/moves.ts'
import { deliverBlock, deliverUndoBlock, deliverUndoFollow } from '../federation/outbox/relationships.ts'
import { fetchCounters } from '../federation/remote/counters.ts'
import { fetchFeatured } from '../federation/remote/featured.ts'
import { mailAddressTried } from '../mail/address-tried.ts'
import { mailConfirmation } from '../mail/confirmation.ts'
import { mailEmailChange } from '../mail/email-change.ts'
import { mailEmailChanged } from '../mail/email-changed.ts'
import { mailPasswordChanged, mailPasswordForgotten } from '../mail/password.ts'
import { mailPending } from '../mail/pending.ts'
import { mailWarning } from '../mail/warning.ts'
import { closeRevoked, publishFilterChange } from '../streaming/publish.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from sign-up, changes of an account, and what an account does with another one. */
export const accountEffects = {
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
  'account.deleted': { removeFiles, deliverActorDelete },
  'account.removed': { purgeAccount },
  'account.followed': { mergeIntoFeeds, notifyFollow },
  'account.unfollowed': { leaveFeeds, deliverUndoFollow },
  'account.blocked': { partFeeds, deliverBlock, recountReplies },
  'account.unblocked': { deliverUndoBlock, recountReplies },
  'account.muted': { leaveFeeds },
  'account.unmuted': { mergeIntoFeeds },
  'account.warned': { notifyWarned, mailWarning },
  'filters.changed': { publishFilterChange },
  'tokens.revoked': { closeRevoked },
} satisfies EffectsOf<'account' | 'filters' | 'tokens'>
