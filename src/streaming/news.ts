import type { CachedRead, Ctx } from '../domain/context.ts'
import {
  findPublicWatchers,
  keepConversationWatchers,
  keepDeletionWatchers,
  keepHomeWatchers,
  keepMentionedWatchers,
} from '../domain/feeds/watchers.ts'
import { findNotification } from '../domain/notifications/list.ts'
import { markNotificationHeard } from '../domain/notifications/mails.ts'
import type { DeletionNews, NotificationNews } from '../domain/stream-news.ts'
import type { Notification } from '../entities/notification.ts'
import type { EntityJson } from '../lib/entity-json.ts'
import { NotFound } from '../lib/errors.ts'
import { renderNotification } from '../render/notifications/render-notifications.ts'
import { renderStatusForMany } from '../render/statuses/render-status-for-many.ts'
import type { Audience } from './audience.ts'
import { channelsOf, isListChannel, PUBLIC_CHANNELS, subjectOf } from './channels.ts'
import type { Channel } from './channels.ts'
import { prepareLists } from './lists.ts'
import { Message } from './message.ts'
import { prepareTopics, tagChannels } from './topics.ts'

// Each finds out, in the same few queries however many listen, who is told what, and returns the telling.

const nothing = () => {}

/** A status for the home streams of these people. It is written for each as they see it. */
export async function prepareHome(
  ctx: Ctx,
  { audience, statusId, accountIds }: { audience: Audience; statusId: string; accountIds: readonly string[] },
): Promise<() => void> {
  const viewerIds = await keepHomeWatchers(ctx, { statusId, accountIds })
  const renderings = await ctx.read(renderStatusForMany, { id: statusId, viewerIds })
  return () => {
    for (const { status, viewerIds: likewise } of renderings) {
      const message = new Message('update', status)
      audience.tell({ message, channels: ['user'], accountIds: likewise, once: `home ${statusId}` })
    }
  }
}

interface OpenNews {
  audience: Audience
  statusId: string
  event?: 'update' | 'status.update'
}

/** A status for the public streams, and for those of its hashtags. */
export async function prepareOpen(ctx: Ctx, { audience, statusId, event = 'update' }: OpenNews): Promise<() => void> {
  const tellings = await Promise.all([
    preparePublic(ctx, { audience, statusId, event }),
    prepareTopics(ctx, { audience, statusId, event }),
  ])
  return () => tellings.forEach((tell) => tell())
}

/** It is written for nobody in particular, but with what the filters of each say. */
async function preparePublic(ctx: Ctx, { audience, statusId, event }: Required<OpenNews>): Promise<() => void> {
  const listening = audience.peopleOn(PUBLIC_CHANNELS)
  if (listening.length === 0) return nothing
  const found = await findPublicWatchers(ctx, { statusId, accountIds: listening })
  if (!found || found.accountIds.length === 0) return nothing
  const renderings = await ctx.read(renderStatusForMany, {
    id: statusId,
    viewerIds: found.accountIds,
    impersonal: true,
  })
  const once = event === 'update' ? `public ${statusId}` : null
  return () => {
    for (const { status, viewerIds: likewise } of renderings) {
      audience.tell({ message: new Message(event, status), channels: channelsOf(found), accountIds: likewise, once })
    }
  }
}

/**
 * A status that has been edited, for those who have it in their home feed or in a conversation, those whom it mentions,
 * and the public streams. It is written for each as they see it, and for the public streams once.
 */
export async function prepareEdit(
  ctx: Ctx,
  { audience, statusId }: { audience: Audience; statusId: string },
): Promise<() => void> {
  const listening = audience.peopleOn(['user', 'user:notification'])
  const listIds = audience.channelsOf(isListChannel).map(subjectOf)
  const [atHome, mentioned, inTalk, forAll, forLists] = await Promise.all([
    keepHomeWatchers(ctx, { statusId, accountIds: listening }),
    keepMentionedWatchers(ctx, { statusId, accountIds: listening }),
    keepConversationWatchers(ctx, { statusId, accountIds: audience.peopleOn(['direct']) }),
    prepareOpen(ctx, { audience, statusId, event: 'status.update' }),
    prepareLists(ctx, { audience, statusId, listIds, event: 'status.update' }),
  ])
  const [isMentioned, isInTalk] = [new Set(mentioned), new Set(inTalk)]
  const isForUser = new Set([...atHome, ...mentioned])
  const viewerIds = [...new Set([...isForUser, ...inTalk])]
  const renderings = await ctx.read(renderStatusForMany, { id: statusId, viewerIds })
  return () => {
    for (const { status, viewerIds: likewise } of renderings) {
      const message = new Message('status.update', status)
      audience.tell({ message, channels: ['user'], accountIds: likewise.filter((id) => isForUser.has(id)) })
      audience.tell({ message, channels: ['direct'], accountIds: likewise.filter((id) => isInTalk.has(id)) })
      audience.tell({
        message,
        channels: ['user:notification'],
        accountIds: likewise.filter((id) => isMentioned.has(id)),
        scope: 'read:statuses',
      })
    }
    forAll()
    forLists()
  }
}

/** The end of a status, for those who may have seen it. */
export async function prepareDeletion(
  ctx: Ctx,
  { audience, news }: { audience: Audience; news: DeletionNews },
): Promise<() => void> {
  // The lists that held it are not known any more, so every list of an account gets the deletion.
  const isOwn = (channel: Channel) => channel === 'user' || isListChannel(channel)
  const open = new Set([...channelsOf({ local: news.local, hasMedia: true }), ...tagChannels(audience, news)])
  const isOpen = (channel: Channel) => open.has(channel)
  const accountIds = audience.peopleOn((channel) => isOwn(channel) || (news.toPublic && isOpen(channel)))
  const watchers = await keepDeletionWatchers(ctx, { news, accountIds })
  const message = new Message('delete', news.statusId)
  return () => {
    audience.tell({ message, channels: isOwn, accountIds: watchers.home })
    audience.tell({ message, channels: isOpen, accountIds: watchers.public })
  }
}

/** A notification, for nobody but whom it is for. */
export async function prepareNotification(
  ctx: Ctx,
  { audience, news }: { audience: Audience; news: NotificationNews },
): Promise<() => void> {
  const { accountId, notificationId } = news
  const channels = ['user', 'user:notification'] as const
  const scope = 'read:notifications'
  if (!audience.hears({ channels, accountId, scope })) return nothing
  const notification = await ctx.read(findRenderedNotification, { id: notificationId, accountId })
  if (notification === undefined) return nothing
  await ctx.write((tx) => markNotificationHeard(tx, { notificationId }))
  const message = new Message('notification', notification)
  return () =>
    audience.tell({ message, channels, accountIds: [accountId], scope, once: `notification ${notificationId}` })
}

async function findRenderedNotification(
  read: CachedRead,
  { id, accountId }: { id: string; accountId: string },
): Promise<EntityJson<Notification> | undefined> {
  try {
    const row = await findNotification(read, { id, accountId })
    return await renderNotification(read, { row, viewerId: accountId })
  } catch (err) {
    if (err instanceof NotFound) return undefined
    throw err
  }
}
