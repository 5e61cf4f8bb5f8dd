import type { Ctx } from '../domain/context.ts'
import type { DeletedStatus } from '../domain/events.ts'
import { isInPublic } from '../domain/feeds/watchers.ts'
import { inParts, tell } from '../domain/stream-news.ts'
import { statement } from '../platform/db/statement.ts'

const findAuthor = statement<{ params: { statusId: string }; row: { account_id: string } }>(
  `select account_id from statuses where id = $statusId`,
)
const findRecipient = statement<{ params: { notificationId: string }; row: { account_id: string } }>(
  `select account_id from notifications where id = $notificationId`,
)

/** Effect: tells the public streams of a status that belongs there. */
export async function publishPublic(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  if (await isInPublic(ctx, { statusId })) await tell(ctx.bus, 'stream.public', { statusId })
}

/** Effect: tells the streams that a status says something else now. */
export async function publishEdit(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  await tell(ctx.bus, 'stream.edited', { statusId })
}

/** Effect: tells the streams that a status is gone, and its boosts with it. */
export async function publishDeletion(ctx: Ctx, deleted: DeletedStatus): Promise<void> {
  const { statusId, accountId, visibility, local, tags, mentionedIds, boosts } = deleted
  const news = { statusId, authorId: accountId, local, tags }
  const [first = [], ...others] = inParts(mentionedIds)
  const toAll = { toFollowers: visibility !== 'direct', toPublic: visibility === 'public', mentionedIds: first }
  await Promise.all([
    tell(ctx.bus, 'stream.deleted', { ...news, ...toAll }),
    ...others.map(async (more) =>
      tell(ctx.bus, 'stream.deleted', { ...news, toFollowers: false, toPublic: false, mentionedIds: more }),
    ),
    ...boosts.map(async (boost) =>
      tellUnboost(ctx, { boostId: boost.id, accountId: boost.accountId, boostedAuthorId: accountId }),
    ),
  ])
}

/** Effect: tells the streams of those who follow a person that a boost of theirs is gone. */
export async function publishUnboost(
  ctx: Ctx,
  { accountId, statusId, boostId }: { accountId: string; statusId: string; boostId: string },
): Promise<void> {
  const [original] = await findAuthor(ctx.db, { statusId })
  await tellUnboost(ctx, { boostId, accountId, boostedAuthorId: original?.account_id ?? null })
}

/** Effect: tells a person's streams of a notification. */
export async function publishNotification(ctx: Ctx, { notificationId }: { notificationId: string }): Promise<void> {
  const [row] = await findRecipient(ctx.db, { notificationId })
  if (row) await tell(ctx.bus, 'stream.notification', { notificationId, accountId: row.account_id })
}

/** Effect: tells a person's streams that their filters are others now. */
export async function publishFilterChange(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await tell(ctx.bus, 'stream.filters', { accountId })
}

/** Effect: has everything closed that was opened with these tokens. */
export async function closeRevoked(ctx: Ctx, { tokenIds }: { tokenIds: string[] }): Promise<void> {
  await Promise.all(inParts(tokenIds).map(async (some) => tell(ctx.bus, 'stream.revoked', { tokenIds: some })))
}

async function tellUnboost(
  ctx: Ctx,
  { boostId, accountId, boostedAuthorId }: { boostId: string; accountId: string; boostedAuthorId: string | null },
): Promise<void> {
  const news = { statusId: boostId, authorId: accountId, boostedAuthorId, toFollowers: true, toPublic: false }
  // Only home and list timelines hold boosts.
  await tell(ctx.bus, 'stream.deleted', { ...news, local: false, tags: [], mentionedIds: [] })
}
