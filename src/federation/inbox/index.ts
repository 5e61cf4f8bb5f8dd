import { handleAccept } from './accept.ts'
import { handleAnnounce } from './announce.ts'
import { handleBlock } from './block.ts'
import { handleFeatureRequest } from './collections.ts'
import { handleCreate } from './create.ts'
import { handleDelete } from './delete.ts'
import { handleFlag } from './flag.ts'
import { handleFollow } from './follow.ts'
import { handleAdd, handleRemove } from './featured.ts'
import type { Handler } from './incoming.ts'
import { handleLike } from './like.ts'
import { handleMove } from './move.ts'
import { handleQuoteRequest } from './quotes.ts'
import { handleReject } from './reject.ts'
import { handleUndo } from './undo.ts'
import { handleUpdate } from './update.ts'

/** What is understood, by the type of the activity. Everything else is taken without a word and does nothing. */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ['Accept', handleAccept],
  ['Add', handleAdd],
  ['Announce', handleAnnounce],
  ['Block', handleBlock],
  ['Create', handleCreate],
  ['Delete', handleDelete],
  ['FeatureRequest', handleFeatureRequest],
  ['Flag', handleFlag],
  ['Follow', handleFollow],
  ['Like', handleLike],
  ['Move', handleMove],
  ['QuoteRequest', handleQuoteRequest],
  ['Reject', handleReject],
  ['Remove', handleRemove],
  ['Undo', handleUndo],
  ['Update', handleUpdate],
])
