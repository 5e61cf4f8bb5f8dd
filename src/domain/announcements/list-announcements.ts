import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { isEndedAnnouncement } from './is-ended-announcement.ts'

// Ordered by the start of the announced event, or else by the time of publication.
const selectActive = statement<{ params: { now: Date }; row: { id: string } }>(
  `select a.id from announcements a where not ${isEndedAnnouncement('$now')} order by coalesce(a.starts_at, a.published_at), a.id`,
)
const selectAll = statement<{ params: { now: Date }; row: AnnouncementSummary }>(
  `select a.id, a.text, a.starts_at as "startsAt", a.ends_at as "endsAt", a.all_day as "allDay",
     a.published_at as "publishedAt", ${isEndedAnnouncement('$now')} as "isOver" from announcements a order by a.id desc`,
)

/** An announcement as the CLI lists it. */
export interface AnnouncementSummary {
  id: string
  text: string
  startsAt: Date | null
  endsAt: Date | null
  allDay: boolean
  publishedAt: Date
  isOver: boolean
}

/** Returns the ids of the announcements that have not ended (Mastodon: GET /api/v1/announcements). */
export async function listActiveAnnouncements(read: Read, { now }: { now: Date }): Promise<string[]> {
  return (await selectActive(read.db, { now })).map((row) => row.id)
}

/** Returns all announcements, including ended ones, newest first. */
export async function listAnnouncements(read: Read, { now }: { now: Date }): Promise<AnnouncementSummary[]> {
  return selectAll(read.db, { now })
}
