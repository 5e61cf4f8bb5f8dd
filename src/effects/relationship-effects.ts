import { leaveCollections } from '../domain/collections/leave-domain.ts'
import { leaveDomain, mergeIntoFeeds } from '../domain/feeds/merge.ts'
import { dropRefusedMedia } from '../domain/media/cached/drop.ts'
import { notifyFollowRequest } from '../domain/notifications/notify-follow-request.ts'
import { notifySevered } from '../domain/notifications/severances.ts'
import { partFromDomain } from '../domain/relationships/block-domain.ts'
import { severDomain } from '../domain/relationships/sever-domain.ts'
import { recountReplies } from '../domain/statuses/count-replies.ts'
import { deliverAccept, deliverFollow, deliverReject } from '../federation/outbox/relationships.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from follow requests and from blocks of whole domains, by a user or by the staff. */
export const relationshipEffects = {
  'follow.requested': { notifyFollowRequest, deliverFollow },
  'follow.authorised': { deliverAccept },
  'follow.rejected': { deliverReject },
  'follow.carried': { mergeIntoFeeds },
  'domain.blocked': { partFromDomain, leaveDomain, leaveCollections, recountReplies },
  'domain.unblocked': { recountReplies },
  'domain.rule_set': { dropRefusedMedia, severDomain },
  'relationships.severed': { notifySevered },
} satisfies EffectsOf<'domain' | 'follow' | 'relationships'>
