import { isEndedAnnouncement } from './is-ended-announcement.ts'

/** Returns an SQL condition: whether the announcement `a` is published and has not ended at the time `now`. */
export function isActiveAnnouncement(now: string): string {
  return `(a.published_at is not null and not ${isEndedAnnouncement(now)})`
}
