import type { Ctx, Read } from '../../domain/context.ts'
import { listActiveAnnouncements } from '../../domain/announcements/list-announcements.ts'
import { publishMessage } from '../../domain/core/stream-topics.ts'
import { renderAnnouncements, renderReaction } from '../../render/announcements/render-announcements.ts'
import type { ConnectionRegistry } from '../connections/connection-registry.ts'
import { StreamMessage } from '../connections/stream-message.ts'

const CLOCK_SKEW_MS = 60_000

type Event = 'announcement' | 'announcement.delete'

/** Effect: publishes an announcement to all user streams. */
export async function publishAnnouncement(ctx: Ctx, { announcementId }: { announcementId: string }): Promise<void> {
  await publishMessage(ctx.bus, 'stream.announcement', { announcementId, event: 'announcement' })
}

/** Effect: publishes the end or removal of an announcement to all user streams. */
export async function publishAnnouncementEnd(ctx: Ctx, { announcementId }: { announcementId: string }): Promise<void> {
  // The clock of the job queue differs from that of this process, so the job may run a little early.
  const current = await listActiveAnnouncements(ctx, { now: new Date(ctx.now().getTime() + CLOCK_SKEW_MS) })
  if (current.includes(announcementId)) return
  await publishMessage(ctx.bus, 'stream.announcement', { announcementId, event: 'announcement.delete' })
}

/** Effect: publishes the present number of a reaction to all user streams. */
export async function publishReaction(
  ctx: Ctx,
  { announcementId, name }: { announcementId: string; name: string },
): Promise<void> {
  await publishMessage(ctx.bus, 'stream.reaction', { announcementId, name })
}

const noEvent = () => {}

/** Returns a function that sends the same message to all user streams. */
function sendToAll(connections: ConnectionRegistry, message: StreamMessage): () => void {
  return () => connections.send({ message, channels: ['user'], accountIds: connections.accountsOn(['user']) })
}

/** Prepares the event of an announcement, or of its end, for all user streams. */
export async function prepareAnnouncementEvent(
  ctx: Ctx,
  { connections, announcementId, event }: { connections: ConnectionRegistry; announcementId: string; event: Event },
): Promise<() => void> {
  if (event === 'announcement.delete') return sendToAll(connections, new StreamMessage(event, announcementId))
  if (connections.accountsOn(['user']).length === 0) return noEvent
  const [announcement] = await ctx.read(renderAnnouncements, { ids: [announcementId], viewerId: null })
  return announcement ? sendToAll(connections, new StreamMessage(event, announcement)) : noEvent
}

/** Prepares the event of a reaction to an announcement for all user streams. */
export async function prepareReactionEvent(
  read: Read,
  { connections, announcementId, name }: { connections: ConnectionRegistry; announcementId: string; name: string },
): Promise<() => void> {
  if (connections.accountsOn(['user']).length === 0) return noEvent
  const reaction = await renderReaction(read, { announcementId, name })
  return reaction ? sendToAll(connections, new StreamMessage('announcement.reaction', reaction)) : noEvent
}
