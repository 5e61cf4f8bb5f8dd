import { handleAccept } from './activities/accept.ts'
import { handleAnnounce } from './activities/announce.ts'
import { handleBlock } from './activities/block.ts'
import { handleFeatureRequest } from './collections/collection-activities.ts'
import { handleCreate } from './activities/create.ts'
import { handleDelete } from './activities/delete.ts'
import { handleFlag } from './activities/flag.ts'
import { handleFollow } from './activities/follow.ts'
import { handleAdd, handleRemove } from './activities/add-and-remove.ts'
import type { ActivityHandler } from './incoming-activity.ts'
import type { ActivityType } from '../objects/read/read-activity.ts'
import { handleLike } from './activities/like.ts'
import { handleMove } from './activities/move.ts'
import { handleQuoteRequest } from './quotes/quote-activities.ts'
import { handleReject } from './activities/reject.ts'
import { handleUndo } from './activities/undo.ts'
import { handleUpdate } from './activities/update.ts'

const HANDLER_BY_TYPE: Readonly<Record<ActivityType, ActivityHandler>> = {
  Accept: handleAccept,
  Add: handleAdd,
  Announce: handleAnnounce,
  Block: handleBlock,
  Create: handleCreate,
  Delete: handleDelete,
  FeatureRequest: handleFeatureRequest,
  Flag: handleFlag,
  Follow: handleFollow,
  Like: handleLike,
  Move: handleMove,
  QuoteRequest: handleQuoteRequest,
  Reject: handleReject,
  Remove: handleRemove,
  Undo: handleUndo,
  Update: handleUpdate,
}

/** The handlers by activity type. Activities of other types are accepted and ignored. */
export const HANDLERS: ReadonlyMap<string, ActivityHandler> = new Map(Object.entries(HANDLER_BY_TYPE))
