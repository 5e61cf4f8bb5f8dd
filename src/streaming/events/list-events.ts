import type { Ctx } from '../../domain/context.ts'
import { filterListEditSubscribers, filterListSubscribers } from '../../domain/timelines/find-list-subscribers.ts'
import { renderStatusForMany } from '../../render/statuses/render-status-for-many.ts'
import type { ConnectionRegistry } from '../connections/connection-registry.ts'
import { listChannel } from '../connections/channels.ts'
import { StreamMessage } from '../connections/stream-message.ts'

/** Prepares the event of a status for the streams of these lists, rendered for each owner. */
export async function prepareListEvent(
  ctx: Ctx,
  {
    connections,
    statusId,
    listIds,
    event = 'update',
  }: {
    connections: ConnectionRegistry
    statusId: string
    listIds: readonly string[]
    event?: 'update' | 'status.update'
  },
): Promise<() => void> {
  const findLists = event === 'update' ? filterListSubscribers : filterListEditSubscribers
  const lists = await findLists(ctx, { statusId, listIds })
  const viewerIds = [...new Set(lists.map((list) => list.accountId))]
  const renderings = await ctx.read(renderStatusForMany, { id: statusId, viewerIds })
  return () => {
    for (const { status, viewerIds: viewerGroup } of renderings) {
      const message = new StreamMessage(event, status)
      const recipients = new Set(viewerGroup)
      for (const { listId, accountId } of lists) {
        if (!recipients.has(accountId)) continue
        const deduplicationKey = event === 'update' ? `list ${listId} ${statusId}` : null
        connections.send({ message, channels: [listChannel(listId)], accountIds: [accountId], deduplicationKey })
      }
    }
  }
}
