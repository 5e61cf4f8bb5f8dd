import type { Ctx } from '../../domain/context.ts'
import type { ConversationChange, DeletedStatus } from '../../domain/event-payloads.ts'
import { filterPublicStatuses } from '../../domain/timelines/find-subscribers.ts'
import { chunkIds, chunkTags, publishMessage } from '../../domain/core/stream-topics.ts'
import { statement } from '../../platform/db/statement.ts'

const findAuthor = statement<{ params: { statusId: string }; row: { account_id: string } }>(
  `select account_id from statuses where id = $statusId`,
)
const findRecipients = statement<{
  params: { notificationIds: readonly string[] }
  row: { id: string; account_id: string }
}>(`select id, account_id from notifications where id = any($notificationIds::bigint[]) order by id`)

/** Effect: publishes statuses to the public streams, if public timelines contain them. */
export async function publishPublicStatuses(ctx: Ctx, payloads: readonly { statusId: string }[]): Promise<void> {
  const statusIds = await filterPublicStatuses(ctx, { statusIds: payloads.map(({ statusId }) => statusId) })
  await Promise.all(statusIds.map(async (statusId) => publishMessage(ctx.bus, 'stream.public', { statusId })))
}

/** Effect: publishes the edit of a status to the streams. */
export async function publishEdit(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  await publishMessage(ctx.bus, 'stream.edited', { statusId })
}

/** Effect: publishes the deletion of a status and of its reblogs to the streams. */
export async function publishDeletion(ctx: Ctx, deleted: DeletedStatus): Promise<void> {
  const { statusId, accountId, visibility, local, tags, mentionedIds, reblogs } = deleted
  const idChunks = chunkIds(mentionedIds)
  const tagChunks = visibility === 'public' ? chunkTags(tags) : []
  const messages = Array.from({ length: Math.max(1, idChunks.length, tagChunks.length) }, (_, n) => ({
    statusId,
    authorId: accountId,
    toAuthor: n === 0,
    toFollowers: n === 0 && visibility !== 'direct',
    toPublic: n === 0 && visibility === 'public',
    local,
    tags: tagChunks[n] ?? [],
    mentionedIds: idChunks[n] ?? [],
  }))
  await Promise.all([
    ...messages.map(async (message) => publishMessage(ctx.bus, 'stream.deleted', message)),
    publishReblogDeletions(ctx, { accountId, reblogs }),
  ])
}

/** Effect: publishes the deletion of reblogs of a status by `accountId` to the streams. */
export async function publishReblogDeletions(
  ctx: Ctx,
  { accountId, reblogs }: Pick<DeletedStatus, 'accountId' | 'reblogs'>,
): Promise<void> {
  await Promise.all(
    reblogs.map(async (reblog) =>
      publishReblogDeletion(ctx, { reblogId: reblog.id, accountId: reblog.accountId, rebloggedAuthorId: accountId }),
    ),
  )
}

/** Effect: publishes the deletion of a reblog to the streams of the account's followers. */
export async function publishUnreblog(
  ctx: Ctx,
  { accountId, statusId, reblogId }: { accountId: string; statusId: string; reblogId: string },
): Promise<void> {
  const [original] = await findAuthor(ctx.db, { statusId })
  await publishReblogDeletion(ctx, { reblogId, accountId, rebloggedAuthorId: original?.account_id ?? null })
}

/** Effect: publishes conversations to the streams of their accounts. */
export async function publishConversationChanges(
  ctx: Ctx,
  { changes }: { changes: readonly ConversationChange[] },
): Promise<void> {
  await Promise.all(
    changes.map(async ({ id: conversationId, accountId }) =>
      publishMessage(ctx.bus, 'stream.conversation', { conversationId, accountId }),
    ),
  )
}

/** Effect: publishes notifications to the recipients' streams. */
export async function publishNotifications(ctx: Ctx, payloads: readonly { notificationId: string }[]): Promise<void> {
  const rows = await findRecipients(ctx.db, { notificationIds: payloads.map(({ notificationId }) => notificationId) })
  await Promise.all(
    rows.map(async ({ id, account_id: accountId }) =>
      publishMessage(ctx.bus, 'stream.notification', { notificationId: id, accountId }),
    ),
  )
}

/** Effect: publishes the change of a user's filters to the user's streams. */
export async function publishFilterChange(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await publishMessage(ctx.bus, 'stream.filters', { accountId })
}

/** Effect: makes all processes close the connections of revoked tokens. */
export async function publishRevocation(ctx: Ctx, { tokenIds }: { tokenIds: string[] }): Promise<void> {
  await Promise.all(
    chunkIds(tokenIds).map(async (some) => publishMessage(ctx.bus, 'stream.revoked', { tokenIds: some })),
  )
}

async function publishReblogDeletion(
  ctx: Ctx,
  { reblogId, accountId, rebloggedAuthorId }: { reblogId: string; accountId: string; rebloggedAuthorId: string | null },
): Promise<void> {
  const recipients = { toAuthor: true, toFollowers: true, toPublic: false, tags: [], mentionedIds: [] }
  // Only home and list timelines contain reblogs.
  await publishMessage(ctx.bus, 'stream.deleted', {
    statusId: reblogId,
    authorId: accountId,
    rebloggedAuthorId,
    local: false,
    ...recipients,
  })
}
