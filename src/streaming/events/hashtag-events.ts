import type { Ctx } from '../../domain/context.ts'
import { findTagSubscribers } from '../../domain/timelines/find-subscribers.ts'
import { renderStatusForMany } from '../../render/statuses/render-status-for-many.ts'
import type { ConnectionRegistry } from '../connections/connection-registry.ts'
import { isTagChannel, channelSubjectOf } from '../connections/channels.ts'
import type { Channel } from '../connections/channels.ts'
import { StreamMessage } from '../connections/stream-message.ts'

const noEvent = () => {}

/** Returns the subscribed channels of a status's hashtags. */
export function hashtagChannels(
  connections: ConnectionRegistry,
  { local, tags }: { local: boolean; tags: readonly string[] },
): Channel[] {
  const names = new Set(tags)
  return connections
    .openChannels(isTagChannel)
    .filter((channel) => names.has(channelSubjectOf(channel)) && (local || !channel.startsWith('hashtag:local')))
}

/** Prepares the event of a status for the streams of its hashtags, rendered as for the public streams. */
export async function prepareHashtagEvent(
  ctx: Ctx,
  {
    connections,
    statusId,
    event,
  }: { connections: ConnectionRegistry; statusId: string; event: 'update' | 'status.update' },
): Promise<() => void> {
  const connected = connections.accountsOn(isTagChannel)
  if (connected.length === 0) return noEvent
  const subscribers = await findTagSubscribers(ctx, { statusId, accountIds: connected })
  if (!subscribers || subscribers.accountIds.length === 0) return noEvent
  const channels = hashtagChannels(connections, subscribers)
  if (channels.length === 0) return noEvent
  const channelAccounts = new Set(connections.accountsOn(channels))
  const viewerIds = subscribers.accountIds.filter((id) => channelAccounts.has(id))
  const renderings = await ctx.read(renderStatusForMany, { id: statusId, viewerIds, impersonal: true })
  const deduplicationKey = event === 'update' ? `hashtags ${statusId}` : null
  return () => {
    for (const { status, viewerIds: viewerGroup } of renderings) {
      connections.send({
        message: new StreamMessage(event, status),
        channels,
        accountIds: viewerGroup,
        deduplicationKey,
      })
    }
  }
}
