import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { isOver } from './over.ts'

// In the order of what they tell of, else of when they were told.
const list = statement<{ params: { now: Date }; row: { id: string } }>(
  `select a.id from announcements a where not ${isOver('$now')} order by coalesce(a.starts_at, a.published_at), a.id`,
)
const listAll = statement<{ params: { now: Date }; row: AnnouncementSummary }>(
  `select a.id, a.text, a.starts_at as "startsAt", a.ends_at as "endsAt", a.all_day as "allDay",
     a.published_at as "publishedAt", ${isOver('$now')} as "isOver" from announcements a order by a.id desc`,
)

/** What the owner sees of an announcement. */
export interface AnnouncementSummary {
  id: string
  text: string
  startsAt: Date | null
  endsAt: Date | null
  allDay: boolean
  publishedAt: Date
  isOver: boolean
}

/** The announcements of now, by their ids. */
export async function readAnnouncements(read: Read, { now }: { now: Date }): Promise<string[]> {
  return (await list(read.db, { now })).map((row) => row.id)
}

/** All of them, also those that are over, the newest first. */
export async function listAnnouncements(read: Read, { now }: { now: Date }): Promise<AnnouncementSummary[]> {
  return listAll(read.db, { now })
}
