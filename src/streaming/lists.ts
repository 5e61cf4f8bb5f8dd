import type { Ctx } from '../domain/context.ts'
import { keepListWatchers } from '../domain/feeds/watchers.ts'
import { renderStatusForMany } from '../render/statuses/render-status-for-many.ts'
import type { Audience } from './audience.ts'
import { listChannel } from './channels.ts'
import { Message } from './message.ts'

/** A status for the streams of these lists. It is written for the owner of each as they see it. */
export async function prepareLists(
  ctx: Ctx,
  {
    audience,
    statusId,
    listIds,
    event = 'update',
  }: { audience: Audience; statusId: string; listIds: readonly string[]; event?: 'update' | 'status.update' },
): Promise<() => void> {
  const lists = await keepListWatchers(ctx, { statusId, listIds })
  const viewerIds = [...new Set(lists.map((list) => list.accountId))]
  const renderings = await ctx.read(renderStatusForMany, { id: statusId, viewerIds })
  return () => {
    for (const { status, viewerIds: likewise } of renderings) {
      const message = new Message(event, status)
      const isMeant = new Set(likewise)
      for (const { listId, accountId } of lists) {
        if (!isMeant.has(accountId)) continue
        const once = event === 'update' ? `list ${listId} ${statusId}` : null
        audience.tell({ message, channels: [listChannel(listId)], accountIds: [accountId], once })
      }
    }
  }
}
