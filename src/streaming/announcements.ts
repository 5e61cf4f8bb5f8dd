import type { Ctx, Read } from '../domain/context.ts'
import { readAnnouncements } from '../domain/announcements/list.ts'
import { tell } from '../domain/stream-news.ts'
import { renderAnnouncements, renderReactionCount } from '../render/announcements/render-announcements.ts'
import { entityJson } from '../lib/entity-json.ts'
import type { AnnouncementReaction } from '../entities/stream-event.ts'
import type { Audience } from './audience.ts'
import { Message } from './message.ts'

const EARLY_MS = 60_000

type Event = 'announcement' | 'announcement.delete'

/** Effect: tells all streams of people what the owner tells everybody. */
export async function publishAnnouncementToAll(
  ctx: Ctx,
  { announcementId }: { announcementId: string },
): Promise<void> {
  await tell(ctx.bus, 'stream.announcement', { announcementId, event: 'announcement' })
}

/** Effect: tells them that it is over or was taken away. */
export async function publishAnnouncementEnd(ctx: Ctx, { announcementId }: { announcementId: string }): Promise<void> {
  // The queue goes by another clock, and may come a little early.
  const current = await readAnnouncements(ctx, { now: new Date(ctx.now().getTime() + EARLY_MS) })
  if (current.includes(announcementId)) return
  await tell(ctx.bus, 'stream.announcement', { announcementId, event: 'announcement.delete' })
}

/** Effect: tells them how often it has a reaction now. */
export async function publishReaction(
  ctx: Ctx,
  { announcementId, name }: { announcementId: string; name: string },
): Promise<void> {
  await tell(ctx.bus, 'stream.reaction', { announcementId, name })
}

const nothing = () => {}

/** Everybody on a stream of their own is told the same. */
function toAll(audience: Audience, message: Message): () => void {
  return () => audience.tell({ message, channels: ['user'], accountIds: audience.peopleOn(['user']) })
}

/** An announcement, or its end, for everybody who listens. */
export async function prepareAnnouncement(
  ctx: Ctx,
  { audience, announcementId, event }: { audience: Audience; announcementId: string; event: Event },
): Promise<() => void> {
  if (event === 'announcement.delete') return toAll(audience, new Message(event, announcementId))
  if (audience.peopleOn(['user']).length === 0) return nothing
  const [announcement] = await ctx.read(renderAnnouncements, { ids: [announcementId], viewerId: null })
  return announcement ? toAll(audience, new Message(event, announcement)) : nothing
}

/** A reaction to an announcement, for everybody who listens. */
export async function prepareReaction(
  read: Read,
  { audience, announcementId, name }: { audience: Audience; announcementId: string; name: string },
): Promise<() => void> {
  if (audience.peopleOn(['user']).length === 0) return nothing
  const reaction = await renderReactionCount(read, { announcementId, name })
  return reaction
    ? toAll(audience, new Message('announcement.reaction', entityJson<AnnouncementReaction>(reaction)))
    : nothing
}
