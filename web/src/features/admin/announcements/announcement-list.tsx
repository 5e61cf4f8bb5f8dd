import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { AdminAnnouncement } from '../../../lib/api/admin-entities.ts'
import { formatFullTime } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { formatUtcDay } from '../../../lib/i18n/utc-day.ts'
import { AnnouncementText } from '../../announcements/announcement-text.tsx'
import { customEmojisQuery } from '../../emojis/custom-emojis.ts'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { draftOf } from './announcement-draft.ts'
import { announcementsQuery, createAnnouncement, deleteAnnouncement, setPublished } from './announcement-queries.ts'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'
import styles from './announcements.module.css'

/** All announcements, also drafts and ended ones, the newest first. */
export function AnnouncementList() {
  const query = useInfiniteQuery(announcementsQuery)
  return (
    <AdminList query={query} empty={message('web.admin.announcements.empty')}>
      {(announcement) => <Announcement announcement={announcement} />}
    </AdminList>
  )
}

/** A link to the form of a new announcement. */
export function NewAnnouncementLink() {
  return (
    <Link to="/admin/announcements/$id" params={{ id: 'new' }} className="button button-small">
      {message('web.admin.announcements.new')}
    </Link>
  )
}

const NAME_CHARACTERS = 60

function Announcement({ announcement }: { announcement: AdminAnnouncement }) {
  const article = useRef<HTMLElement>(null)
  const { data: emojis = [] } = useQuery(customEmojisQuery)
  const queryClient = useQueryClient()
  const { id, text, content, published } = announcement
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin'] })
  const name = text.length > NAME_CHARACTERS ? `${text.slice(0, NAME_CHARACTERS)}…` : text
  const publish = (isPublished: boolean) =>
    void runOrReport(async () => {
      await setPublished(id, isPublished)
      showDecision({
        text: message(isPublished ? 'web.admin.announcements.published' : 'web.admin.announcements.unpublished'),
        undo: () => setPublished(id, !isPublished).then(refresh),
      })
      await refresh()
    })
  const remove = () =>
    void runOrReport(async () => {
      await deleteAnnouncement(id)
      focusNeighbour(article.current)
      showDecision({
        text: message('web.admin.announcements.deleted'),
        // An ended announcement could not be created again.
        undo: announcement.ended ? null : () => createAnnouncement(draftOf(announcement)).then(refresh),
      })
      await refresh()
    })
  return (
    <article ref={article} className={row.row} tabIndex={0} aria-label={name}>
      <div className={row.body}>
        <p className={styles.state} data-state={stateOf(announcement)}>
          {stateText(announcement)}
        </p>
        <AnnouncementText announcement={{ content, emojis, mentions: [], tags: [] }} />
        <EventTimes announcement={announcement} />
      </div>
      <p className={admin.actions}>
        {!announcement.ended && (
          <button type="button" className="button button-line button-small" onClick={() => publish(!published)}>
            {message(published ? 'web.admin.announcements.unpublish' : 'web.admin.announcements.publish')}
            <span className="unseen"> {name}</span>
          </button>
        )}
        <Link
          to="/admin/announcements/$id"
          params={{ id }}
          className="button button-line button-small"
          aria-label={message('web.admin.edit-name', { name })}
        >
          {message('web.admin.edit')}
        </Link>
        <button
          type="button"
          className="button button-line button-small"
          aria-label={message('web.admin.delete-name', { name })}
          onClick={remove}
        >
          {message('web.admin.delete')}
        </button>
      </p>
    </article>
  )
}

type State = 'ended' | 'published' | 'scheduled' | 'draft'

function stateOf({ ended, published, scheduledAt }: AdminAnnouncement): State {
  if (ended) return 'ended'
  if (published) return 'published'
  return scheduledAt === null ? 'draft' : 'scheduled'
}

function stateText(announcement: AdminAnnouncement): string {
  const { publishedAt, scheduledAt } = announcement
  const state = stateOf(announcement)
  const time = state === 'published' ? publishedAt : scheduledAt
  if (state === 'draft' || state === 'ended' || time === null) return message(`web.admin.announcements.state.${state}`)
  return `${message(`web.admin.announcements.state.${state}`)} · ${formatFullTime(new Date(time))}`
}

/** When the announced event is. */
function EventTimes({ announcement: { startsAt, endsAt, allDay } }: { announcement: AdminAnnouncement }) {
  const format = (time: string) => (allDay ? formatUtcDay : formatFullTime)(new Date(time))
  if (startsAt === null && endsAt === null) return null
  return (
    <p className={admin.soft}>
      {[
        ...(startsAt === null ? [] : [message('web.admin.announcements.from', { time: format(startsAt) })]),
        ...(endsAt === null ? [] : [message('web.admin.announcements.until', { time: format(endsAt) })]),
      ].join(' · ')}
    </p>
  )
}
