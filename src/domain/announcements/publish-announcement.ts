import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { endOfAnnouncement } from './end-of-announcement.ts'
import { recordAnnouncementAction } from './record-announcement-action.ts'

interface LockedAnnouncement {
  id: string
  text: string
  endsAt: Date | null
  allDay: boolean
  published: boolean
  scheduledAt: Date | null
}

const lock = statement<{ params: { id: string }; row: LockedAnnouncement }>(
  `select id, text, ends_at as "endsAt", all_day as "allDay", published_at is not null as published,
     scheduled_at as "scheduledAt" from announcements where id = $id for no key update`,
)
const setPublished = statement<{ params: { id: string; publishedAt: Date | null; now: Date } }>(
  `update announcements set published_at = $publishedAt, scheduled_at = null, updated_at = $now where id = $id`,
)

/**
 * Publishes a draft to all local users, until it ends or is unpublished; idempotent.
 * @throws NotFoundError; UnprocessableError if its end is in the past
 */
export async function publishAnnouncement(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const announcement = await lockAnnouncement(tx, id)
  if (announcement.published) return
  const endsAt = endOfAnnouncement(announcement)
  if (endsAt && endsAt <= tx.now) throw new UnprocessableError('The end of the announcement is in the past')
  await publish(tx, announcement)
  await recordAnnouncementAction(tx, { by, action: 'publish', id, text: announcement.text })
}

/** Makes an announcement a draft that is not scheduled; idempotent. @throws NotFoundError */
export async function unpublishAnnouncement(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const { published, scheduledAt, text } = await lockAnnouncement(tx, id)
  if (!published && scheduledAt === null) return
  await setPublished(tx.db, { id, publishedAt: null, now: tx.now })
  await recordAnnouncementAction(tx, { by, action: 'unpublish', id, text })
  if (published) tx.emit('announcement.ended', { announcementId: id })
}

/**
 * Effect: publishes a scheduled announcement once. If it was rescheduled to a later time, schedules the effect for that
 * time instead.
 */
export async function publishDueAnnouncement(ctx: Ctx, { announcementId }: { announcementId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [announcement] = await lock(tx.db, { id: announcementId })
    if (!announcement || announcement.published || announcement.scheduledAt === null) return
    if (announcement.scheduledAt > tx.now) tx.emit('announcement.due', { announcementId }, announcement.scheduledAt)
    else await publish(tx, announcement)
  })
}

async function publish(tx: Tx, announcement: LockedAnnouncement): Promise<void> {
  const announcementId = announcement.id
  await setPublished(tx.db, { id: announcementId, publishedAt: tx.now, now: tx.now })
  const endsAt = endOfAnnouncement(announcement)
  // The effect may run late, when the announcement has already ended.
  if (endsAt && endsAt <= tx.now) return
  tx.emit('announcement.published', { announcementId })
  if (endsAt) tx.emit('announcement.ended', { announcementId }, endsAt)
}

async function lockAnnouncement(tx: Tx, id: string): Promise<LockedAnnouncement> {
  const [announcement] = isId(id) ? await lock(tx.db, { id }) : []
  if (!announcement) throw new NotFoundError()
  return announcement
}
