import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri } from '../objects/uris.ts'
import { writeLike, writeUndoLike } from '../objects/write/write-activities.ts'
import { cancelUndone } from './cancel-superseded.ts'
import { sendActivities, sendActivity } from './send-activity.ts'

interface FavouriteEvent {
  favouriteId: string
  accountId: string
  statusId: string
}

interface LikedStatus {
  id: string
  account_id: string
  status_id: string
  uri: string
  author_id: string
}

// Remote statuses with a local account each.
const LIKED = `unnest($ids::bigint[], $accountIds::bigint[], $statusIds::bigint[]) given (id, account_id, status_id)
  join statuses s on s.id = given.status_id and not s.local and s.deleted_at is null
  join accounts a on a.id = given.account_id and a.domain is null`
const COLUMNS = 'given.id, given.account_id, given.status_id, s.uri, s.account_id as author_id'

interface LikedParameters {
  ids: readonly string[]
  accountIds: readonly string[]
  statusIds: readonly string[]
}

const findLiked = statement<{ params: LikedParameters; row: LikedStatus; notNull: 'id' | 'account_id' | 'status_id' }>(
  `select ${COLUMNS} from ${LIKED}`,
)
// If a favourite was undone in the meantime, the Like must not follow the Undo.
const lockLiked = statement<{ params: LikedParameters; row: LikedStatus; notNull: 'id' | 'account_id' | 'status_id' }>(
  `select ${COLUMNS} from ${LIKED} join favourites f on f.id = given.id order by f.id for key share of f`,
)

const parametersOf = (events: readonly FavouriteEvent[]): LikedParameters => ({
  ids: events.map(({ favouriteId }) => favouriteId),
  accountIds: events.map(({ accountId }) => accountId),
  statusIds: events.map(({ statusId }) => statusId),
})

/** Effect: sends the Likes of remote statuses to their authors. */
export async function deliverLikes(ctx: Ctx, events: readonly FavouriteEvent[]): Promise<void> {
  if ((await findLiked(ctx.db, parametersOf(events))).length === 0) return
  await ctx.write(async (tx) => {
    const liked = await lockLiked(tx.db, parametersOf(events))
    const activities = liked.map(({ id, account_id: accountId, status_id: statusId, uri, author_id: authorId }) => ({
      activity: writeLike({ actor: actorUri(tx.config, accountId), object: uri, id }),
      accountId,
      statusId,
      to: { accountIds: [authorId] },
    }))
    await sendActivities(tx, { activities, toPersonalInboxes: true })
  })
}

/** Effect: sends the Undo of a Like to the author of the remote status. */
export async function deliverUndoLike(ctx: Ctx, event: FavouriteEvent): Promise<void> {
  const { favouriteId, accountId, statusId } = event
  const [liked] = await findLiked(ctx.db, parametersOf([event]))
  if (!liked) return
  await ctx.write(async (tx) => {
    const like = { actor: actorUri(tx.config, accountId), object: liked.uri, id: favouriteId }
    await cancelUndone(tx, { uri: writeLike(like).uri })
    await sendActivity(tx, {
      activity: writeUndoLike(like),
      accountId,
      statusId,
      to: { accountIds: [liked.author_id] },
      toPersonalInboxes: true,
    })
  })
}
