import { UnprocessableError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { extractHashtags, extractUrls } from '../../lib/text/entities/extract-entities.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { findUsedEmojis } from '../emojis/find-used-emojis.ts'
import { findMentions } from '../text/find-mentions.ts'
import { formatContent } from '../text/format-content.ts'

const MAX_CHARACTERS = 10_000
const DAY_MS = 86_400_000

/** A new announcement to all local users. */
export interface AnnouncementDraft {
  text: string
  /** The start and end of the announced event; null: not stated. */
  startsAt: Date | null
  endsAt: Date | null
  /** Only the dates of `startsAt` and `endsAt` count, in UTC. */
  allDay: boolean
}

const insert = statement<{
  params: {
    text: string
    content: string
    startsAt: Date | null
    endsAt: Date | null
    allDay: boolean
    mentionIds: readonly string[]
    statusIds: readonly string[]
    tags: readonly string[]
    emojiIds: readonly string[]
    now: Date
  }
  row: { id: string }
}>(
  `insert into announcements (text, content, starts_at, ends_at, all_day, mentioned_ids, status_ids, tags, emoji_ids,
     published_at, updated_at)
   values ($text, $content, $startsAt, $endsAt, $allDay, $mentionIds, $statusIds, $tags, $emojiIds, $now, $now)
     returning id`,
)
const findStatuses = statement<{ params: { pages: readonly string[]; urls: readonly string[] }; row: { id: string } }>(
  `select id from statuses where (id = any($pages::bigint[]) and local or uri = any($urls)) and deleted_at is null
    order by id`,
)

/**
 * Publishes an announcement to all local users, until it ends or is removed. Returns its id.
 * @throws UnprocessableError, with a message for the administrator
 */
export async function publishAnnouncement(
  tx: Tx,
  { startsAt, endsAt, allDay, ...draft }: AnnouncementDraft,
): Promise<string> {
  const text = cleanText(draft.text).trim()
  if (text === '') throw new UnprocessableError('The text of an announcement must not be blank')
  if (text.length > MAX_CHARACTERS)
    throw new UnprocessableError(`An announcement has at most ${MAX_CHARACTERS} characters`)
  if (allDay && !startsAt && !endsAt)
    throw new UnprocessableError('An all-day announcement needs a start, an end, or both')
  const endedAt = endsAt && (allDay ? new Date(Math.floor(endsAt.getTime() / DAY_MS + 1) * DAY_MS) : endsAt)
  if (endedAt && endedAt <= tx.now) throw new UnprocessableError('The end of the announcement is in the past')
  if (startsAt && endsAt && startsAt > endsAt) throw new UnprocessableError('The announcement ends before it starts')
  const mentions = await findMentions(tx, { text })
  const [row] = await insert(tx.db, {
    text,
    content: formatContent(tx, { text, mentions, quoteUrl: null }),
    startsAt,
    endsAt,
    allDay,
    mentionIds: mentions.map(({ id }) => id),
    statusIds: await findLinkedStatuses(tx, text),
    tags: [...new Set(extractHashtags(text).map((tag) => tag.name))],
    emojiIds: await findUsedEmojis(tx, { texts: [text] }),
    now: tx.now,
  })
  const announcementId = row!.id
  tx.emit('announcement.published', { announcementId })
  if (endedAt) tx.emit('announcement.ended', { announcementId }, endedAt)
  return announcementId
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
