import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri } from '../objects/uris.ts'
import { writeLike, writeUndoLike } from '../objects/write/write-activities.ts'
import { sendActivity } from './send-activity.ts'

interface FavouriteEvent {
  favouriteId: string
  accountId: string
  statusId: string
}

interface LikedStatus {
  uri: string
  author_id: string
}

/** Selects a remote status, if the account is local. */
const LIKED = `select s.uri, s.account_id as author_id from statuses s
  where s.id = $statusId and not s.local and s.deleted_at is null
    and exists (select from accounts a where a.id = $accountId and a.domain is null)`
const findLiked = statement<{ params: { statusId: string; accountId: string }; row: LikedStatus }>(LIKED)
const lockFavourite = statement<{ params: { favouriteId: string } }>(
  `select from favourites where id = $favouriteId for key share`,
)

/** Effect: sends the Like of a remote status to its author. */
export async function deliverLike(ctx: Ctx, { favouriteId, accountId, statusId }: FavouriteEvent): Promise<void> {
  const [liked] = await findLiked(ctx.db, { statusId, accountId })
  if (!liked) return
  await ctx.write(async (tx) => {
    // If the favourite was undone in the meantime, the Like must not follow the Undo.
    if ((await lockFavourite(tx.db, { favouriteId })).length === 0) return
    await sendActivity(tx, {
      activity: writeLike({ actor: actorUri(tx.config, accountId), object: liked.uri, id: favouriteId }),
      accountId,
      statusId,
      to: { accountIds: [liked.author_id] },
      toPersonalInboxes: true,
    })
  })
}

/** Effect: sends the Undo of a Like to the author of the remote status. */
export async function deliverUndoLike(ctx: Ctx, { favouriteId, accountId, statusId }: FavouriteEvent): Promise<void> {
  const [liked] = await findLiked(ctx.db, { statusId, accountId })
  if (!liked) return
  await ctx.write((tx) =>
    sendActivity(tx, {
      activity: writeUndoLike({ actor: actorUri(tx.config, accountId), object: liked.uri, id: favouriteId }),
      accountId,
      statusId,
      to: { accountIds: [liked.author_id] },
      toPersonalInboxes: true,
    }),
  )
}
