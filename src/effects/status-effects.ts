import { addToConversations } from '../domain/conversations/add-to-conversations.ts'
import { fanOutStatus } from '../domain/timelines/feeds/fan-out-status.ts'
import { replaceReblog } from '../domain/timelines/feeds/replace-reblog.ts'
import { removeFiles } from '../domain/media/remove-files.ts'
import { notifyReblog } from '../domain/notifications/notify/notify-reblog.ts'
import { notifyStatusEdit } from '../domain/notifications/notify/notify-status-edit.ts'
import { notifyFavourite } from '../domain/notifications/notify/notify-favourite.ts'
import { notifyNewStatus } from '../domain/notifications/notify/notify-new-status.ts'
import { notifyMentions } from '../domain/notifications/notify/notify-mentions.ts'
import { notifyQuotedEdit } from '../domain/notifications/notify/notify-quoted-edit.ts'
import { publishScheduledStatus } from '../domain/statuses/submit/publish-scheduled-statuses.ts'
import { indexStatus } from '../domain/search/index-statuses.ts'
import { deliverAnnounce, deliverUndoAnnounce } from '../federation/outbox/deliver-announce.ts'
import { deliverLike, deliverUndoLike } from '../federation/outbox/deliver-like.ts'
import { deliverPin, deliverUnpin } from '../federation/outbox/deliver-pins.ts'
import { deliverQuoteChange } from '../federation/outbox/deliver-quotes.ts'
import {
  deliverCreate,
  deliverDelete,
  deliverRestoration,
  deliverUpdate,
} from '../federation/outbox/deliver-statuses.ts'
import { fetchReplies } from '../federation/remote/statuses/fetch-thread.ts'
import { publishDeletion, publishEdit, publishPublic, publishUnreblog } from '../streaming/events/publish-events.ts'
import { triggerReblogCreated, triggerStatusCreated, triggerStatusUpdated } from '../webhooks/trigger-webhooks.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from statuses: posted, edited, deleted, and what users do with them. */
export const statusEffects = {
  'status.due': { publishScheduledStatus },
  'status.created': {
    fanOutStatus,
    addToConversations,
    publishPublic,
    notifyMentions,
    notifyNewStatus,
    deliverCreate,
    indexStatus,
    triggerStatusCreated,
  },
  'status.imported': { addToConversations, indexStatus },
  'status.parent_linked': { fanOutStatus, publishPublic },
  'status.updated': {
    publishEdit,
    addToConversations,
    notifyMentions,
    notifyStatusEdit,
    notifyQuotedEdit,
    deliverUpdate,
    indexStatus,
    triggerStatusUpdated,
  },
  'status.quote_state_changed': { publishEdit, deliverQuoteChange },
  'status.deleted': { removeFiles, publishDeletion, deliverDelete },
  'status.restored': { fanOutStatus, addToConversations, deliverRestoration, indexStatus },
  'status.pinned': { deliverPin },
  'status.unpinned': { deliverUnpin },
  'status.favourited': { notifyFavourite, deliverLike },
  'status.unfavourited': { deliverUndoLike },
  'status.reblogged': { fanOutStatus, notifyReblog, deliverAnnounce, triggerReblogCreated },
  'status.unreblogged': { replaceReblog, publishUnreblog, deliverUndoAnnounce },
  'replies.refresh_requested': { fetchReplies },
} satisfies EffectsOf<'replies' | 'status'>
