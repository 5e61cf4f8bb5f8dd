import type { StaffAnnouncement } from '../../../domain/announcements/list-announcements.ts'
import type { AdminAnnouncement } from '../../../entities/admin/settings/admin-announcement.ts'

export function renderAdminAnnouncement(announcement: StaffAnnouncement): AdminAnnouncement {
  const { id, text, content, startsAt, endsAt, allDay, publishedAt, scheduledAt, updatedAt, isOver } = announcement
  return {
    id,
    text,
    content,
    starts_at: startsAt?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
    all_day: allDay,
    ended: isOver,
    published: publishedAt !== null,
    published_at: publishedAt?.toISOString() ?? null,
    scheduled_at: scheduledAt?.toISOString() ?? null,
    updated_at: updatedAt.toISOString(),
  }
}
