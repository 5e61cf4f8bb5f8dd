import { NotFoundError, ValidationError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { extractHashtags, extractUrls } from '../../lib/text/entities/extract-entities.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { findUsedEmojis } from '../emojis/find-used-emojis.ts'
import { findMentions } from '../text/find-mentions.ts'
import { formatContent } from '../text/format-content.ts'
import { endOfAnnouncement } from './end-of-announcement.ts'
import { recordAnnouncementAction } from './record-announcement-action.ts'

const MAX_CHARACTERS = 10_000

/** What an announcement says about an event. */
export interface AnnouncementDraft {
  text: string
  /** The start and end of the announced event; null: not stated. */
  startsAt: Date | null
  endsAt: Date | null
  /** Only the dates of `startsAt` and `endsAt` count, in UTC. */
  allDay: boolean
}

interface ScheduledDraft extends AnnouncementDraft {
  /** When it is published; null: not scheduled. */
  scheduledAt: Date | null
}

export type AnnouncementChanges = { [Name in keyof ScheduledDraft]?: ScheduledDraft[Name] | undefined }

interface WrittenAnnouncement extends ScheduledDraft {
  content: string
  mentionIds: readonly string[]
  statusIds: readonly string[]
  tags: readonly string[]
  emojiIds: readonly string[]
}

const insert = statement<{
  params: WrittenAnnouncement & { publishedAt: Date | null; now: Date }
  row: { id: string }
}>(
  `insert into announcements (text, content, starts_at, ends_at, all_day, mentioned_ids, status_ids, tags, emoji_ids,
     published_at, scheduled_at, updated_at)
   values ($text, $content, $startsAt, $endsAt, $allDay, $mentionIds, $statusIds, $tags, $emojiIds, $publishedAt,
     $scheduledAt, $now) returning id`,
)
const lock = statement<{
  params: { id: string }
  row: AnnouncementDraft & { scheduledAt: Date | null; published: boolean }
}>(
  `select text, starts_at as "startsAt", ends_at as "endsAt", all_day as "allDay", scheduled_at as "scheduledAt",
     published_at is not null as published from announcements where id = $id for no key update`,
)
const update = statement<{ params: WrittenAnnouncement & { id: string; now: Date } }>(
  `update announcements set text = $text, content = $content, starts_at = $startsAt, ends_at = $endsAt,
     all_day = $allDay, mentioned_ids = $mentionIds, status_ids = $statusIds, tags = $tags, emoji_ids = $emojiIds,
     scheduled_at = $scheduledAt, updated_at = $now where id = $id`,
)
const findStatuses = statement<{ params: { pages: readonly string[]; urls: readonly string[] }; row: { id: string } }>(
  `select id from statuses where (id = any($pages::bigint[]) and local or uri = any($urls)) and deleted_at is null
    order by id`,
)

/**
 * Creates an announcement to all local users and publishes it at once, until it ends or is removed; with `scheduledAt`,
 * publishes it at that time; with `published: false`, leaves it a draft. Returns its id.
 * @throws ValidationError
 */
export async function createAnnouncement(
  tx: Tx,
  {
    by,
    published = true,
    scheduledAt = null,
    ...draft
  }: AnnouncementDraft & { by: Actor; published?: boolean; scheduledAt?: Date | null },
): Promise<string> {
  const end = checkTimes({ ...draft, scheduledAt })
  if (scheduledAt && scheduledAt <= tx.now) throw invalid('scheduled_at', IN_THE_PAST)
  if (end && end <= tx.now) throw invalid('ends_at', IN_THE_PAST)
  const written = await writeText(tx, { ...draft, scheduledAt })
  const isPublished = published && scheduledAt === null
  const [row] = await insert(tx.db, { ...written, publishedAt: isPublished ? tx.now : null, now: tx.now })
  const announcementId = row!.id
  await record(tx, { by, action: 'create', id: announcementId, written, details: { published: isPublished } })
  if (scheduledAt) tx.emit('announcement.due', { announcementId }, scheduledAt)
  if (!isPublished) return announcementId
  tx.emit('announcement.published', { announcementId })
  if (end) tx.emit('announcement.ended', { announcementId }, end)
  return announcementId
}

/**
 * Changes an announcement; undefined: unchanged. Users see the changes of a published one at once.
 * @throws NotFoundError; ValidationError
 */
export async function updateAnnouncement(
  tx: Tx,
  {
    id,
    by,
    changes,
  }: {
    id: string
    by: Actor
    changes: AnnouncementChanges
  },
): Promise<void> {
  const [before] = isId(id) ? await lock(tx.db, { id }) : []
  if (!before) throw new NotFoundError()
  const draft = {
    text: changes.text ?? before.text,
    startsAt: changes.startsAt === undefined ? before.startsAt : changes.startsAt,
    endsAt: changes.endsAt === undefined ? before.endsAt : changes.endsAt,
    allDay: changes.allDay ?? before.allDay,
    scheduledAt: changes.scheduledAt === undefined ? before.scheduledAt : changes.scheduledAt,
  }
  if (before.published && draft.scheduledAt)
    throw invalid('scheduled_at', 'cannot be set, because the announcement is already published')
  if (changes.scheduledAt && changes.scheduledAt <= tx.now) throw invalid('scheduled_at', IN_THE_PAST)
  const end = checkTimes(draft)
  const endBefore = endOfAnnouncement(before)
  const isEndChanged = end?.getTime() !== endBefore?.getTime()
  if (isEndChanged && end && end <= tx.now) throw invalid('ends_at', IN_THE_PAST)
  const written = await writeText(tx, draft)
  await update(tx.db, { ...written, id, now: tx.now })
  await record(tx, { by, action: 'update', id, written })
  const { scheduledAt } = draft
  if (scheduledAt && changes.scheduledAt) tx.emit('announcement.due', { announcementId: id }, scheduledAt)
  if (!before.published || (end && end <= tx.now)) return
  tx.emit('announcement.updated', { announcementId: id })
  if (end && isEndChanged) tx.emit('announcement.ended', { announcementId: id }, end)
}

const IN_THE_PAST = 'is in the past'

function invalid(attribute: string, text: string, code = 'ERR_INVALID'): ValidationError {
  return new ValidationError([{ attribute, code, text }])
}

/** Returns when an announcement ends; null: never. @throws ValidationError if its times contradict each other */
function checkTimes({ startsAt, endsAt, allDay, scheduledAt }: Omit<ScheduledDraft, 'text'>): Date | null {
  if (allDay && !startsAt && !endsAt)
    throw invalid('starts_at', "can't be blank for an all-day announcement without an end", 'ERR_BLANK')
  if (startsAt && endsAt && startsAt > endsAt) throw invalid('ends_at', 'is before the start')
  const end = endOfAnnouncement({ endsAt, allDay })
  if (scheduledAt && end && scheduledAt >= end) throw invalid('scheduled_at', 'is not before the end')
  return end
}

/** Returns an announcement with its HTML and the entities of its text. @throws ValidationError */
async function writeText(tx: Tx, draft: ScheduledDraft): Promise<WrittenAnnouncement> {
  const text = cleanText(draft.text).trim()
  if (text === '') throw invalid('text', "can't be blank", 'ERR_BLANK')
  if (text.length > MAX_CHARACTERS)
    throw invalid('text', `is too long (maximum is ${MAX_CHARACTERS} characters)`, 'ERR_TOO_LONG')
  const mentions = await findMentions(tx, { accountId: null, text })
  return {
    ...draft,
    text,
    content: formatContent(tx, { text, mentions, quoteUrl: null }),
    mentionIds: mentions.map(({ id }) => id),
    statusIds: await findLinkedStatuses(tx, text),
    tags: [...new Set(extractHashtags(text).map((tag) => tag.name))],
    emojiIds: await findUsedEmojis(tx, { texts: [text] }),
  }
}

async function record(
  tx: Tx,
  {
    written: { text, startsAt, endsAt, allDay, scheduledAt },
    details,
    ...entry
  }: {
    by: Actor
    action: 'create' | 'update'
    id: string
    written: WrittenAnnouncement
    details?: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const times = { starts_at: startsAt, ends_at: endsAt, all_day: allDay, scheduled_at: scheduledAt }
  await recordAnnouncementAction(tx, { ...entry, text, details: { ...times, ...details } })
}

/** Returns the ids of statuses that a text links to, by their URI or by the URL of their page on this server. */
async function findLinkedStatuses(tx: Tx, text: string): Promise<string[]> {
  const urls = extractUrls(text).map(({ url }) => url)
  if (urls.length === 0) return []
  const pages = urls.map(
    (url) => /^\/@[^/]+\/(\d+)$/.exec(url.startsWith(`${tx.config.origin}/`) ? new URL(url).pathname : '')?.[1],
  )
  return (await findStatuses(tx.db, { pages: pages.filter((id) => id !== undefined && isId(id)), urls })).map(
    ({ id }) => id,
  )
}
