import type { Ctx } from '../../domain/context.ts'
import { unblockAccount } from '../../domain/relationships/unblock.ts'
import { unfollowAccount } from '../../domain/relationships/unfollow.ts'
import { takeBackBoost } from '../../domain/statuses/boost.ts'
import { takeBackFavourite } from '../../domain/statuses/favourite.ts'
import { bury, buryDeed } from '../../domain/tombstones.ts'
import { lockUris } from '../../domain/lock-uris.ts'
import { statement } from '../../platform/db/connect.ts'
import { findKnownActor } from '../remote/actor.ts'
import type { WireObject } from '../wire/normalise.ts'
import { idOf, typesOf } from '../wire/read.ts'
import { findKnownStatus, findLocalStatus } from '../remote/known-status.ts'
import { embedded, findLocalId, ownId } from './incoming.ts'
import type { Incoming } from './incoming.ts'
import { handleReject } from './reject.ts'

/** What is taken back: of which kind it was, and what it was about. Null: not known. */
interface Deed {
  accountId: string
  uri: string | null
  object: string | null
}

type TakeBack = (ctx: Ctx, deed: Deed) => Promise<void>

const find = statement<{ type: string; object: string | null }>(
  `select 'Follow' as type, t.uri as object from follows f join accounts t on t.id = f.target_account_id
     where f.account_id = $1 and f.uri = $2
   union all select 'Follow', t.uri from follow_requests r join accounts t on t.id = r.target_account_id
     where r.account_id = $1 and r.uri = $2
   union all select 'Block', t.uri from blocks b join accounts t on t.id = b.target_account_id
     where b.account_id = $1 and b.uri = $2
   union all select 'Announce', null from statuses s where s.account_id = $1 and s.uri = $2 and s.reblog_of_id is not null
   union all select 'Like', null from favourites v where v.account_id = $1 and $2 = any(v.uris)
   limit 1`,
)

/** Somebody elsewhere takes something back that they did themselves, also before it came. */
export async function handleUndo(ctx: Ctx, incoming: Incoming): Promise<void> {
  const { activity } = incoming
  const { actor, object } = activity
  const undone = embedded(object)
  if (undone && undone['actor'] !== undefined && idOf(undone['actor']) !== actor) return
  if (undone && typesOf(undone).includes('Accept')) {
    await handleReject(ctx, { ...incoming, activity: { ...activity, object: undone['object'] as WireObject } })
    return
  }
  const uri = ownId(activity, object)
  const known = await findKnownActor(ctx, { uri: actor })
  if (!known) return rememberForNobody(ctx, { uri, actor })
  const accountId = known.id
  const [stored] = uri === null ? [] : await find(ctx.db, [accountId, uri])
  const type = stored?.type ?? typesOf(undone ?? {}).find((one) => Object.hasOwn(TAKE_BACK, one))
  const takeBack = type === undefined ? remember : TAKE_BACK[type]!
  await takeBack(ctx, { accountId, uri, object: stored?.object ?? (undone && idOf(undone['object'])) })
}

const TAKE_BACK: Readonly<Record<string, TakeBack>> = {
  Follow: async (ctx, { accountId, uri, object }) => {
    const targetAccountId = await findLocalId(ctx, object)
    if (targetAccountId === null) return
    await ctx.write((tx) => unfollowAccount(tx, { accountId, targetAccountId, uri: uri ?? undefined }))
  },
  Block: async (ctx, { accountId, uri, object }) => {
    const targetAccountId = await findLocalId(ctx, object)
    if (targetAccountId === null) return
    await ctx.write((tx) => unblockAccount(tx, { accountId, targetAccountId, uri: uri ?? undefined }))
  },
  Like: async (ctx, { accountId, uri, object }) => {
    const statusId = await findLocalStatus(ctx, object)
    await ctx.write((tx) => takeBackFavourite(tx, { accountId, statusId, uri }))
  },
  Announce: async (ctx, { accountId, uri, object }) => {
    const statusId = await findKnownStatus(ctx, object)
    await ctx.write((tx) => takeBackBoost(tx, { accountId, statusId, uri }))
  },
}

/** Only an id, of something that has not come yet. */
async function remember(ctx: Ctx, { accountId, uri }: Deed): Promise<void> {
  if (uri === null) return
  await ctx.write(async (tx) => {
    await lockUris(tx, { uris: [uri] })
    await buryDeed(tx, { uri, accountId })
  })
}

/** The same of somebody who has not been met here yet. */
async function rememberForNobody(ctx: Ctx, { uri, actor }: { uri: string | null; actor: string }): Promise<void> {
  if (uri === null) return
  await ctx.write(async (tx) => {
    await lockUris(tx, { uris: [uri] })
    await bury(tx, { uri, ownerUri: actor })
  })
}
