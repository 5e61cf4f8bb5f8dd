import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { isActiveAnnouncement } from './is-active-announcement.ts'
import { isEndedAnnouncement } from './is-ended-announcement.ts'

/** An announcement as the staff see it. */
export interface StaffAnnouncement {
  id: string
  /** As typed. */
  text: string
  /** HTML. */
  content: string
  startsAt: Date | null
  endsAt: Date | null
  allDay: boolean
  /** null: a draft. */
  publishedAt: Date | null
  /** When a draft is published; null: not scheduled. */
  scheduledAt: Date | null
  updatedAt: Date
  isOver: boolean
}

const COLUMNS = `a.id, a.text, a.content, a.starts_at as "startsAt", a.ends_at as "endsAt", a.all_day as "allDay",
  a.published_at as "publishedAt", a.scheduled_at as "scheduledAt", a.updated_at as "updatedAt",
  ${isEndedAnnouncement('$now')} as "isOver"`
const KEYSET = keysetClause('a.id')

// Ordered by the start of the announced event, or else by the time of publication.
const selectActive = statement<{ params: { now: Date }; row: { id: string } }>(
  `select a.id from announcements a where ${isActiveAnnouncement('$now')} order by coalesce(a.starts_at, a.published_at), a.id`,
)
const selectAll = statement<{ params: { now: Date }; row: StaffAnnouncement }>(
  `select ${COLUMNS} from announcements a order by a.id desc`,
)
const find = statement<{ params: { now: Date; id: string }; row: StaffAnnouncement }>(
  `select ${COLUMNS} from announcements a where a.id = $id`,
)
const listDescending = statement<{ params: PageParameters & { now: Date }; row: StaffAnnouncement }>(
  `select ${COLUMNS} from announcements a where ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters & { now: Date }; row: StaffAnnouncement }>(
  `select ${COLUMNS} from announcements a where ${KEYSET.where} ${KEYSET.ascending}`,
)

/** Returns the ids of the published announcements that have not ended (Mastodon: GET /api/v1/announcements). */
export async function listActiveAnnouncements(read: Read, { now }: { now: Date }): Promise<string[]> {
  return (await selectActive(read.db, { now })).map((row) => row.id)
}

/** Returns all announcements, including drafts and ended ones, newest first. */
export async function listAnnouncements(read: Read, { now }: { now: Date }): Promise<StaffAnnouncement[]> {
  return selectAll(read.db, { now })
}

/** Returns a page of all announcements, including drafts and ended ones, newest first. */
export async function listAnnouncementPage(
  read: Read,
  { page, now }: { page: Page; now: Date },
): Promise<StaffAnnouncement[]> {
  const params = { ...pageParameters(page), now }
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/** Returns one announcement. @throws NotFoundError */
export async function getAnnouncement(read: Read, { id, now }: { id: string; now: Date }): Promise<StaffAnnouncement> {
  const [row] = isId(id) ? await find(read.db, { id, now }) : []
  if (!row) throw new NotFoundError()
  return row
}
