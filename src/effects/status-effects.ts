import { addToConversations } from '../domain/conversations/file.ts'
import { addToFeeds } from '../domain/feeds/fill.ts'
import { replaceBoost } from '../domain/feeds/replace.ts'
import { removeFiles } from '../domain/media/remove.ts'
import { notifyBoosted } from '../domain/notifications/notify-boosted.ts'
import { notifyEdited } from '../domain/notifications/notify-edited.ts'
import { notifyFavourite } from '../domain/notifications/notify-favourite.ts'
import { notifyFollowersOfPost } from '../domain/notifications/notify-followers-of-post.ts'
import { notifyMentioned } from '../domain/notifications/notify-mentioned.ts'
import { notifyQuoters } from '../domain/notifications/notify-quoters.ts'
import { publishScheduled } from '../domain/scheduled/publish.ts'
import { indexStatus } from '../domain/search/index-statuses.ts'
import { deliverAnnounce, deliverUndoAnnounce } from '../federation/outbox/boosts.ts'
import { deliverLike, deliverUndoLike } from '../federation/outbox/favourites.ts'
import { deliverPin, deliverUnpin } from '../federation/outbox/pins.ts'
import { deliverQuoting } from '../federation/outbox/quotes.ts'
import { deliverCreate, deliverDelete, deliverUpdate } from '../federation/outbox/statuses.ts'
import { fetchReplies } from '../federation/remote/thread.ts'
import { publishDeletion, publishEdit, publishPublic, publishUnboost } from '../streaming/publish.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from statuses: posted, edited, deleted, and what users do with them. */
export const statusEffects = {
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
  'status.deleted': { removeFiles, publishDeletion, deliverDelete },
  'status.pinned': { deliverPin },
  'status.unpinned': { deliverUnpin },
  'status.favourited': { notifyFavourite, deliverLike },
  'status.unfavourited': { deliverUndoLike },
  'status.boosted': { addToFeeds, notifyBoosted, deliverAnnounce },
  'status.unboosted': { replaceBoost, publishUnboost, deliverUndoAnnounce },
  'replies.asked': { fetchReplies },
} satisfies EffectsOf<'replies' | 'status'>
