import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri } from '../objects/uris.ts'
import { writeLike, writeUndoLike } from '../objects/write-activities.ts'
import { sendActivity } from './send.ts'

interface FavouriteNews {
  favouriteId: string
  accountId: string
  statusId: string
}

interface Liked {
  uri: string
  author_id: string
}

/** Of a status that lies elsewhere, and somebody of here. */
const LIKED = `select s.uri, s.account_id as author_id from statuses s
  where s.id = $statusId and not s.local and s.deleted_at is null
    and exists (select from accounts a where a.id = $accountId and a.domain is null)`
const findLiked = statement<{ params: { statusId: string; accountId: string }; row: Liked }>(LIKED)
const holdFavourite = statement<{ params: { favouriteId: string } }>(
  `select from favourites where id = $favouriteId for key share`,
)

/** Effect: tells the author elsewhere of a favourite. */
export async function deliverLike(ctx: Ctx, { favouriteId, accountId, statusId }: FavouriteNews): Promise<void> {
  const [liked] = await findLiked(ctx.db, { statusId, accountId })
  if (!liked) return
  await ctx.write(async (tx) => {
    // What was taken back by now is not sent after the news of that.
    if ((await holdFavourite(tx.db, { favouriteId })).length === 0) return
    await sendActivity(tx, {
      activity: writeLike({ actor: actorUri(tx.config, accountId), object: liked.uri, id: favouriteId }),
      accountId,
      statusId,
      to: { accountIds: [liked.author_id] },
      personally: true,
    })
  })
}

/** Effect: tells the author elsewhere that a favourite was taken back. */
export async function deliverUndoLike(ctx: Ctx, { favouriteId, accountId, statusId }: FavouriteNews): Promise<void> {
  const [liked] = await findLiked(ctx.db, { statusId, accountId })
  if (!liked) return
  await ctx.write((tx) =>
    sendActivity(tx, {
      activity: writeUndoLike({ actor: actorUri(tx.config, accountId), object: liked.uri, id: favouriteId }),
      accountId,
      statusId,
      to: { accountIds: [liked.author_id] },
      personally: true,
    }),
  )
}
