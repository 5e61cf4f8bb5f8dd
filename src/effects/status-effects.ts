import { addStatusesToConversations } from '../domain/conversations/add-to-conversations.ts'
import { applyEditToFeeds } from '../domain/timelines/feeds/apply-edit-to-feeds.ts'
import { fanOutStatuses } from '../domain/timelines/feeds/fan-out-statuses.ts'
import { replaceReblog } from '../domain/timelines/feeds/replace-reblog.ts'
import { removeFiles } from '../domain/media/remove-files.ts'
import { notifyReblogs } from '../domain/notifications/notify/notify-reblogs.ts'
import { notifyStatusEdit } from '../domain/notifications/notify/notify-status-edit.ts'
import { notifyFavourites } from '../domain/notifications/notify/notify-favourites.ts'
import { notifyNewStatuses } from '../domain/notifications/notify/notify-new-statuses.ts'
import { notifyMentionedAccounts } from '../domain/notifications/notify/notify-mentions.ts'
import { notifyQuotedEdit } from '../domain/notifications/notify/notify-quoted-edit.ts'
import { deleteOldStatus } from '../domain/statuses/cleanup/delete-old-status.ts'
import { deleteReblogs } from '../domain/statuses/write/delete-reblogs.ts'
import { publishScheduledStatus } from '../domain/statuses/submit/publish-scheduled-statuses.ts'
import { indexChangedStatuses } from '../domain/search/index-statuses.ts'
import { deliverAnnounce, deliverUndoAnnounce } from '../federation/outbox/deliver-announce.ts'
import { deliverLikes, deliverUndoLike } from '../federation/outbox/deliver-like.ts'
import { deliverPin, deliverUnpin } from '../federation/outbox/deliver-pins.ts'
import { deliverQuoteChange } from '../federation/outbox/deliver-quotes.ts'
import {
  deliverCreates,
  deliverDelete,
  deliverRestoration,
  deliverUpdate,
} from '../federation/outbox/deliver-statuses.ts'
import { fetchListedReplies, fetchReplies } from '../federation/remote/statuses/fetch-thread.ts'
import {
  publishConversationChanges,
  publishDeletion,
  publishReblogDeletions,
  publishEdit,
  publishPublicStatuses,
  publishUnreblog,
} from '../streaming/events/publish-events.ts'
import { triggerReblogsCreated, triggerStatusesCreated, triggerStatusesUpdated } from '../webhooks/trigger-webhooks.ts'
import { batched } from './effect-table.ts'
import type { EffectsOf } from './effect-table.ts'

// Effects that several events have; jobs with one name run one function.
const fanOutStatus = batched(fanOutStatuses)
const indexStatus = batched(indexChangedStatuses)
const publishPublic = batched(publishPublicStatuses)
const notifyMentions = batched(notifyMentionedAccounts)
const addToConversations = batched(addStatusesToConversations)

/** The effects of statuses: posted, edited, deleted, and what users do with them. */
export const statusEffects = {
  'status.due': { publishScheduledStatus },
  'status.created': {
    fanOutStatus,
    addToConversations,
    publishPublic,
    notifyMentions,
    notifyNewStatus: batched(notifyNewStatuses),
    deliverCreate: batched(deliverCreates),
    indexStatus,
    triggerStatusCreated: batched(triggerStatusesCreated),
  },
  'status.imported': { addToConversations, indexStatus },
  'status.reader_added': { fanOutStatus },
  'status.parent_linked': { fanOutStatus, publishPublic },
  'status.updated': {
    applyEditToFeeds,
    addToConversations,
    notifyMentions,
    notifyStatusEdit,
    notifyQuotedEdit,
    deliverUpdate,
    indexStatus,
    triggerStatusUpdated: batched(triggerStatusesUpdated),
  },
  'status.described': { applyEditToFeeds, addToConversations, notifyMentions, indexStatus },
  'status.quote_state_changed': { publishEdit, deliverQuoteChange },
  'status.deleted': { removeFiles, publishDeletion, deliverDelete },
  'status.reblogs_due': { deleteReblogs },
  'status.reblogs_deleted': { publishReblogDeletions },
  'conversations.changed': { publishConversationChanges },
  'status.cleanup_due': { deleteOldStatus },
  'status.restored': { fanOutStatus, addToConversations, deliverRestoration, indexStatus },
  'status.pinned': { deliverPin },
  'status.unpinned': { deliverUnpin },
  'status.favourited': { notifyFavourite: batched(notifyFavourites), deliverLike: batched(deliverLikes) },
  'status.unfavourited': { deliverUndoLike },
  'status.reblogged': {
    fanOutStatus,
    notifyReblog: batched(notifyReblogs),
    deliverAnnounce,
    triggerReblogCreated: batched(triggerReblogsCreated),
  },
  'status.unreblogged': { replaceReblog, publishUnreblog, deliverUndoAnnounce },
  'replies.listed': { fetchListedReplies },
  'replies.refresh_requested': { fetchReplies },
} satisfies EffectsOf<'conversations' | 'replies' | 'status'>
