import type { AdminAnnouncement } from '../../../lib/api/admin-entities.ts'
import { toLocalTime } from '../../../lib/i18n/local-time.ts'

/** When an announcement is published: when it is saved, at a time, or not yet. */
export type Publication = 'now' | 'scheduled' | 'draft'

/** The fields of the form. Times are values of `datetime-local` fields, those of days of `date` fields; empty: none. */
export interface AnnouncementDraft {
  text: string
  allDay: boolean
  startsAt: string
  endsAt: string
  publication: Publication
  scheduledAt: string
}

export const NEW_ANNOUNCEMENT: AnnouncementDraft = {
  text: '',
  allDay: false,
  startsAt: '',
  endsAt: '',
  publication: 'now',
  scheduledAt: '',
}

const DATE_CHARACTERS = '2026-01-31'.length

export function draftOf(announcement: AdminAnnouncement): AnnouncementDraft {
  const { text, allDay, startsAt, endsAt, published, scheduledAt } = announcement
  // Days are in UTC, so that all users have the same ones.
  const valueOf = (time: string | null) =>
    time === null ? '' : allDay ? time.slice(0, DATE_CHARACTERS) : toLocalTime(new Date(time))
  return {
    text,
    allDay,
    startsAt: valueOf(startsAt),
    endsAt: valueOf(endsAt),
    publication: published ? 'now' : scheduledAt === null ? 'draft' : 'scheduled',
    scheduledAt: scheduledAt === null ? '' : toLocalTime(new Date(scheduledAt)),
  }
}

/** Changes whether the times are days, and converts them. */
export function withAllDay(draft: AnnouncementDraft, allDay: boolean): AnnouncementDraft {
  const convert = (value: string) =>
    value === '' ? '' : allDay ? value.slice(0, DATE_CHARACTERS) : `${value.slice(0, DATE_CHARACTERS)}T00:00`
  return { ...draft, allDay, startsAt: convert(draft.startsAt), endsAt: convert(draft.endsAt) }
}

/** Returns the body of a request. `isPublished`: it has no time of publication any more. */
export function parametersOf(draft: AnnouncementDraft, { isPublished }: { isPublished: boolean }) {
  const timeOf = (value: string) => {
    if (value === '') return ''
    return (draft.allDay ? new Date(`${value}T00:00:00Z`) : new Date(value)).toISOString()
  }
  return {
    text: draft.text,
    allDay: draft.allDay,
    startsAt: timeOf(draft.startsAt),
    endsAt: timeOf(draft.endsAt),
    ...(!isPublished && {
      scheduledAt: draft.publication === 'scheduled' ? new Date(draft.scheduledAt).toISOString() : '',
    }),
  }
}

type Problem = 'text' | 'days' | 'order' | 'past' | 'scheduled' | 'late'
/** What is wrong, by the names of the parameters. */
type Problems = Partial<Record<'text' | 'starts_at' | 'ends_at' | 'scheduled_at', Problem>>

/** Returns what is missing in an announcement or contradicts itself. */
export function findProblems(draft: AnnouncementDraft, { now }: { now: Date }): Problems {
  const problems: Problems = {}
  const { text, allDay, startsAt, endsAt, publication, scheduledAt } = draft
  const end = endOf(draft)
  if (text.trim() === '') problems.text = 'text'
  if (allDay && startsAt === '' && endsAt === '') problems.starts_at = 'days'
  if (startsAt !== '' && endsAt !== '' && startsAt > endsAt) problems.ends_at = 'order'
  else if (end && end <= now) problems.ends_at = 'past'
  if (publication !== 'scheduled') return problems
  const scheduled = new Date(scheduledAt)
  if (scheduledAt === '' || scheduled <= now) problems.scheduled_at = 'scheduled'
  else if (end && scheduled >= end) problems.scheduled_at = 'late'
  return problems
}

const DAY_MS = 86_400_000

function endOf({ allDay, endsAt }: AnnouncementDraft): Date | null {
  if (endsAt === '') return null
  return allDay ? new Date(Date.parse(`${endsAt}T00:00:00Z`) + DAY_MS) : new Date(endsAt)
}
