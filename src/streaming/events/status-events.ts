import type { CachedRead, Ctx } from '../../domain/context.ts'
import {
  findPublicSubscribers,
  filterConversationSubscribers,
  filterEditSubscribers,
  selectDeletionRecipients,
  filterHomeSubscribers,
  filterMentionedSubscribers,
} from '../../domain/timelines/find-subscribers.ts'
import { findNotification } from '../../domain/notifications/read/list-notifications.ts'
import { markNotificationSeen } from '../../domain/notifications/email-notifications.ts'
import type { DeletionMessage, NotificationMessage } from '../../domain/core/stream-topics.ts'
import type { Notification } from '../../entities/notifications/notification.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { renderNotification } from '../../render/notifications/render-notifications.ts'
import { renderStatusForMany } from '../../render/statuses/render-status-for-many.ts'
import type { ConnectionRegistry } from '../connections/connection-registry.ts'
import { publicChannelsOf, isListChannel, PUBLIC_CHANNELS, channelSubjectOf } from '../connections/channels.ts'
import type { Channel } from '../connections/channels.ts'
import { prepareListEvent } from './list-events.ts'
import { StreamMessage } from '../connections/stream-message.ts'
import { prepareHashtagEvent, hashtagChannels } from './hashtag-events.ts'

// Each function finds the recipients of an event, with a fixed number of queries for any number of connections, and
// returns a function that sends the event.

const noEvent = () => {}

/** Prepares the event of a status for the user streams of these accounts, rendered for each. */
export async function prepareHomeEvent(
  ctx: Ctx,
  {
    connections,
    statusId,
    accountIds,
  }: { connections: ConnectionRegistry; statusId: string; accountIds: readonly string[] },
): Promise<() => void> {
  const viewerIds = await filterHomeSubscribers(ctx, { statusId, accountIds })
  const renderings = await ctx.read(renderStatusForMany, { id: statusId, viewerIds })
  return () => {
    for (const { status, viewerIds: viewerGroup } of renderings) {
      const message = new StreamMessage('update', status)
      connections.send({ message, channels: ['user'], accountIds: viewerGroup, deduplicationKey: `home ${statusId}` })
    }
  }
}

interface PublicEvent {
  connections: ConnectionRegistry
  statusId: string
  event?: 'update' | 'status.update'
}

/** Prepares the event of a status for the public streams and the streams of its hashtags. */
export async function preparePublicEvent(
  ctx: Ctx,
  { connections, statusId, event = 'update' }: PublicEvent,
): Promise<() => void> {
  const sends = await Promise.all([
    preparePublicTimelineEvent(ctx, { connections, statusId, event }),
    prepareHashtagEvent(ctx, { connections, statusId, event }),
  ])
  return () => sends.forEach((send) => send())
}

/** Renders the status without viewer state, except for the filters of each account. */
async function preparePublicTimelineEvent(
  ctx: Ctx,
  { connections, statusId, event }: Required<PublicEvent>,
): Promise<() => void> {
  const connected = connections.accountsOn(PUBLIC_CHANNELS)
  if (connected.length === 0) return noEvent
  const subscribers = await findPublicSubscribers(ctx, { statusId, accountIds: connected })
  if (!subscribers || subscribers.accountIds.length === 0) return noEvent
  const renderings = await ctx.read(renderStatusForMany, {
    id: statusId,
    viewerIds: subscribers.accountIds,
    impersonal: true,
  })
  const deduplicationKey = event === 'update' ? `public ${statusId}` : null
  return () => {
    for (const { status, viewerIds: viewerGroup } of renderings) {
      connections.send({
        message: new StreamMessage(event, status),
        channels: publicChannelsOf(subscribers),
        accountIds: viewerGroup,
        deduplicationKey,
      })
    }
  }
}

/**
 * Prepares the event of an edited status for its author, the accounts whose home feed has or had it, those that have it
 * in a conversation, the accounts that it mentions, and the public and list streams. Rendered for each account, except for the public streams.
 */
export async function prepareEditEvent(
  ctx: Ctx,
  { connections, statusId }: { connections: ConnectionRegistry; statusId: string },
): Promise<() => void> {
  const connected = connections.accountsOn(['user', 'user:notification'])
  const listIds = connections.openChannels(isListChannel).map(channelSubjectOf)
  const [readers, mentioned, conversationSubscribers, sendPublic, sendToLists] = await Promise.all([
    filterEditSubscribers(ctx, { statusId, accountIds: connected }),
    filterMentionedSubscribers(ctx, { statusId, accountIds: connected }),
    filterConversationSubscribers(ctx, { statusId, accountIds: connections.accountsOn(['direct']) }),
    preparePublicEvent(ctx, { connections, statusId, event: 'status.update' }),
    prepareListEvent(ctx, { connections, statusId, listIds, event: 'status.update' }),
  ])
  const [isMentioned, isInConversation] = [new Set(mentioned), new Set(conversationSubscribers)]
  const isForUser = new Set([...readers, ...mentioned])
  const viewerIds = [...new Set([...isForUser, ...conversationSubscribers])]
  const renderings = await ctx.read(renderStatusForMany, { id: statusId, viewerIds })
  return () => {
    for (const { status, viewerIds: viewerGroup } of renderings) {
      const message = new StreamMessage('status.update', status)
      connections.send({ message, channels: ['user'], accountIds: viewerGroup.filter((id) => isForUser.has(id)) })
      connections.send({
        message,
        channels: ['direct'],
        accountIds: viewerGroup.filter((id) => isInConversation.has(id)),
      })
      connections.send({
        message,
        channels: ['user:notification'],
        accountIds: viewerGroup.filter((id) => isMentioned.has(id)),
        scope: 'read:statuses',
      })
    }
    sendPublic()
    sendToLists()
  }
}

/** Prepares the event of a deleted status for the accounts that could see it. */
export async function prepareDeletionEvent(
  ctx: Ctx,
  { connections, event }: { connections: ConnectionRegistry; event: DeletionMessage },
): Promise<() => void> {
  // The lists that contained it are no longer known, so every list stream of an account gets the deletion.
  const isOwnChannel = (channel: Channel) => channel === 'user' || isListChannel(channel)
  const publicChannels = new Set([
    ...(event.toPublic ? publicChannelsOf({ local: event.local, hasMedia: true }) : []),
    ...hashtagChannels(connections, event),
  ])
  const isPublicChannel = (channel: Channel) => publicChannels.has(channel)
  const accountIds = connections.accountsOn((channel) => isOwnChannel(channel) || isPublicChannel(channel))
  const subscribers = await selectDeletionRecipients(ctx, { deletion: event, accountIds })
  const message = new StreamMessage('delete', event.statusId)
  return () => {
    connections.send({ message, channels: isOwnChannel, accountIds: subscribers.home })
    connections.send({ message, channels: isPublicChannel, accountIds: subscribers.public })
  }
}

/** Prepares the event of a notification for its recipient. */
export async function prepareNotificationEvent(
  ctx: Ctx,
  { connections, event }: { connections: ConnectionRegistry; event: NotificationMessage },
): Promise<() => void> {
  const { accountId, notificationId } = event
  const channels = ['user', 'user:notification'] as const
  const scope = 'read:notifications'
  if (!connections.isSubscribed({ channels, accountId, scope })) return noEvent
  const notification = await ctx.read(findRenderedNotification, { id: notificationId, accountId })
  if (notification === undefined) return noEvent
  await ctx.write((tx) => markNotificationSeen(tx, { notificationId }))
  const message = new StreamMessage('notification', notification)
  return () =>
    connections.send({
      message,
      channels,
      accountIds: [accountId],
      scope,
      deduplicationKey: `notification ${notificationId}`,
    })
}

async function findRenderedNotification(
  read: CachedRead,
  { id, accountId }: { id: string; accountId: string },
): Promise<EntityJson<Notification> | undefined> {
  try {
    const row = await findNotification(read, { id, accountId })
    return await renderNotification(read, { row, viewerId: accountId })
  } catch (err) {
    if (err instanceof NotFoundError) return undefined
    throw err
  }
}
