import type { Ctx, Tx } from '../../domain/context.ts'
import { unblockAccount } from '../../domain/relationships/unblock.ts'
import { unfollowAccount } from '../../domain/relationships/unfollow.ts'
import { takeBackBoost } from '../../domain/statuses/boost.ts'
import { takeBackFavourite } from '../../domain/statuses/favourite.ts'
import { bury, buryDeed } from '../../domain/tombstones.ts'
import { statement } from '../../platform/db/statement.ts'
import { findKnownActor } from '../remote/actor.ts'
import type { WireObject } from '../wire/normalise.ts'
import { idOf, typesOf } from '../wire/read.ts'
import { findKnownStatus, findLocalStatus } from '../remote/known-status.ts'
import { embedded, findLocalId, ownId } from './incoming.ts'
import type { Incoming } from './incoming.ts'
import { namesUnknownId, undoInteraction } from './order-interactions.ts'
import type { ReceivedInteraction } from './order-interactions.ts'
import { handleReject } from './reject.ts'

/** What is taken back: of which kind it was, and what it was about. Null: not known. */
interface Deed {
  accountId: string
  uri: string | null
  object: string | null
  interaction: ReceivedInteraction | null
}

type TakeBack = (tx: Tx, deed: Deed) => Promise<void>

const find = statement<{ params: { accountId: string; uri: string }; row: { type: string; object: string | null } }>(
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

/** Somebody elsewhere takes something back that they did themselves, also before it came. */
export async function handleUndo(ctx: Ctx, incoming: Incoming): Promise<void> {
  const { activity, interaction } = incoming
  const { actor, object } = activity
  const undone = embedded(object)
  if (undone && undone['actor'] !== undefined && idOf(undone['actor']) !== actor) return
  if (undone && typesOf(undone).includes('Accept')) {
    await handleReject(ctx, { ...incoming, activity: { ...activity, object: undone['object'] as WireObject } })
    return
  }
  const uri = ownId(activity, object)
  const work = (tx: Tx) => takeBack(tx, { uri, undone, actor, interaction })
  await undoInteraction(ctx, { interaction, uri, work })
}

/** Returns whether it was in place under this id. */
async function takeBack(
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
    if (uri !== null) await bury(tx, { uri, ownerUri: actor })
    return false
  }
  const accountId = known.id
  const [stored] = uri === null ? [] : await find(tx.db, { accountId, uri })
  const type = stored?.type ?? typesOf(undone ?? {}).find((one) => Object.hasOwn(TAKE_BACK, one))
  const object = stored?.object ?? (undone && idOf(undone['object']))
  if (type !== undefined) await TAKE_BACK[type]!(tx, { accountId, uri, object, interaction })
  else if (uri !== null) await buryDeed(tx, { uri, accountId })
  return stored !== undefined
}

const TAKE_BACK: Readonly<Record<string, TakeBack>> = {
  Follow: async (tx, { accountId, uri, object }) => {
    const targetAccountId = await findLocalId(tx, object)
    if (targetAccountId === null) return
    await unfollowAccount(tx, { accountId, targetAccountId, uri: uri ?? undefined })
  },
  Block: async (tx, { accountId, uri, object }) => {
    const targetAccountId = await findLocalId(tx, object)
    if (targetAccountId === null) return
    await unblockAccount(tx, { accountId, targetAccountId, uri: uri ?? undefined })
  },
  Like: async (tx, { accountId, uri, object, interaction }) => {
    const isByObject = interaction === null || (await namesUnknownId(tx, { interaction }))
    const statusId = isByObject ? await findLocalStatus(tx, object) : null
    await takeBackFavourite(tx, { accountId, statusId, uri })
  },
  Announce: async (tx, { accountId, uri, object }) => {
    const statusId = await findKnownStatus(tx, object)
    await takeBackBoost(tx, { accountId, statusId, uri })
  },
}
