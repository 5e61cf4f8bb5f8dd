import type { Ctx, Tx } from '../../../domain/context.ts'
import { unblockAccount } from '../../../domain/relationships/blocks/unblock-account.ts'
import { unfollowAccount } from '../../../domain/relationships/follows/unfollow-account.ts'
import { recordUndoneReblog } from '../../../domain/statuses/interactions/reblog-status.ts'
import { recordUndoneFavourite } from '../../../domain/statuses/interactions/favourite-status.ts'
import { recordTombstone, recordUndo } from '../../../domain/core/tombstones.ts'
import { statement } from '../../../platform/db/statement.ts'
import { findKnownActor } from '../../remote/actors/resolve-actor.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { idOf, typesOf } from '../../wire/read-values.ts'
import { findKnownStatus, findLocalStatus } from '../../remote/statuses/find-known-status.ts'
import { embeddedObject, findLocalAccountId, sameOriginId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { refersToUnknownId, undoInteraction } from '../ordering/order-interactions.ts'
import type { ReceivedInteraction } from '../ordering/order-interactions.ts'
import { handleReject } from './reject.ts'

interface UndoneInteraction {
  accountId: string
  /** The id of the undone activity and that of its object; null if unknown. */
  uri: string | null
  object: string | null
  interaction: ReceivedInteraction | null
}

type UndoHandler = (tx: Tx, interaction: UndoneInteraction) => Promise<void>

const findInteraction = statement<{
  params: { accountId: string; uri: string }
  row: { type: string; object: string | null }
}>(
  `select 'Follow' as type, t.uri as object from follows f join accounts t on t.id = f.target_account_id
     where f.account_id = $accountId and f.uri = $uri
   union all select 'Follow', t.uri from follow_requests r join accounts t on t.id = r.target_account_id
     where r.account_id = $accountId and r.uri = $uri
   union all select 'Block', t.uri from blocks b join accounts t on t.id = b.target_account_id
     where b.account_id = $accountId and b.uri = $uri
   union all select 'Announce', null from statuses s where s.account_id = $accountId and s.uri = $uri
     and s.reblog_of_id is not null
   union all select 'Like', null from favourites v where v.account_id = $accountId and $uri = any(v.uris)
   limit 1`,
)

/** Undo: a remote account undoes one of its own activities, which may arrive later than the Undo. */
export async function handleUndo(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  const { activity, interaction } = incoming
  const { actor, object } = activity
  const undone = embeddedObject(object)
  if (undone && undone['actor'] !== undefined && idOf(undone['actor']) !== actor) return
  if (undone && typesOf(undone).includes('Accept')) {
    await handleReject(ctx, { ...incoming, activity: { ...activity, object: undone['object'] as WireObject } })
    return
  }
  const uri = sameOriginId(activity, object)
  const work = (tx: Tx) => undoStored(tx, { uri, undone, actor, interaction })
  await undoInteraction(ctx, { interaction, uri, work })
}

/** Undoes an interaction. Returns whether it was stored under this id. */
async function undoStored(
  tx: Tx,
  {
    uri,
    undone,
    actor,
    interaction,
  }: { uri: string | null; undone: WireObject | null; actor: string; interaction: ReceivedInteraction | null },
): Promise<boolean> {
  const known = await findKnownActor(tx, { uri: actor })
  if (!known) {
    if (uri !== null) await recordTombstone(tx, { uri, ownerUri: actor })
    return false
  }
  const accountId = known.id
  const [stored] = uri === null ? [] : await findInteraction(tx.db, { accountId, uri })
  const type = stored?.type ?? typesOf(undone ?? {}).find((one) => Object.hasOwn(UNDO_HANDLERS, one))
  const object = stored?.object ?? (undone && idOf(undone['object']))
  if (type !== undefined) await UNDO_HANDLERS[type]!(tx, { accountId, uri, object, interaction })
  else if (uri !== null) await recordUndo(tx, { uri, accountId })
  return stored !== undefined
}

const UNDO_HANDLERS: Readonly<Record<string, UndoHandler>> = {
  Follow: async (tx, { accountId, uri, object }) => {
    const targetAccountId = await findLocalAccountId(tx, object)
    if (targetAccountId === null) return
    await unfollowAccount(tx, { accountId, targetAccountId, uri: uri ?? undefined })
  },
  Block: async (tx, { accountId, uri, object }) => {
    const targetAccountId = await findLocalAccountId(tx, object)
    if (targetAccountId === null) return
    await unblockAccount(tx, { accountId, targetAccountId, uri: uri ?? undefined })
  },
  Like: async (tx, { accountId, uri, object, interaction }) => {
    const isByObject = interaction === null || (await refersToUnknownId(tx, { interaction }))
    const statusId = isByObject ? await findLocalStatus(tx, object) : null
    await recordUndoneFavourite(tx, { accountId, statusId, uri })
  },
  Announce: async (tx, { accountId, uri, object }) => {
    const statusId = await findKnownStatus(tx, object)
    await recordUndoneReblog(tx, { accountId, statusId, uri })
  },
}
