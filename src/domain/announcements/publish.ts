import { Unprocessable } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { extractHashtags, extractUrls } from '../../lib/text/extract.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { findUsedEmojis } from '../emojis/find-used.ts'
import { findMentions } from '../statuses/find-mentions.ts'
import { formatContent } from '../statuses/format-content.ts'

const MAX_CHARACTERS = 10_000
const DAY_MS = 86_400_000

/** What is told to everybody here. */
export interface AnnouncementDraft {
  text: string
  /** When what it tells of begins and ends; null: it does not say. */
  startsAt: Date | null
  endsAt: Date | null
  /** Only the days of the two count, in UTC. */
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
 * Tells something to everybody here, until it is over or taken away. Returns its id.
 * @throws Unprocessable, with a sentence for the owner
 */
export async function publishAnnouncement(
  tx: Tx,
  { startsAt, endsAt, allDay, ...draft }: AnnouncementDraft,
): Promise<string> {
  const text = cleanText(draft.text).trim()
  if (text === '') throw new Unprocessable('An announcement says something')
  if (text.length > MAX_CHARACTERS) throw new Unprocessable(`An announcement has at most ${MAX_CHARACTERS} characters`)
  if (allDay && !startsAt && !endsAt) throw new Unprocessable('Which days? Say when it starts, ends, or both')
  const over = endsAt && (allDay ? new Date(Math.floor(endsAt.getTime() / DAY_MS + 1) * DAY_MS) : endsAt)
  if (over && over <= tx.now) throw new Unprocessable('That is over already')
  if (startsAt && endsAt && startsAt > endsAt) throw new Unprocessable('It ends before it starts')
  const mentions = await findMentions(tx, { text })
  const [row] = await insert(tx.db, {
    text,
    content: formatContent(tx, { text, mentions, quoteUrl: null }),
    startsAt,
    endsAt,
    allDay,
    mentionIds: mentions.map((one) => one.id),
    statusIds: await findLinked(tx, text),
    tags: [...new Set(extractHashtags(text).map((tag) => tag.name))],
    emojiIds: await findUsedEmojis(tx, { texts: [text] }),
    now: tx.now,
  })
  const announcementId = row!.id
  tx.emit('announcement.published', { announcementId })
  if (over) tx.emit('announcement.ended', { announcementId }, over)
  return announcementId
}

/** The statuses to which it links, be it by the address of their pages here. */
async function findLinked(tx: Tx, text: string): Promise<string[]> {
  const urls = extractUrls(text).map(({ url }) => url)
  if (urls.length === 0) return []
  const pages = urls.map(
    (url) => /^\/@[^/]+\/(\d+)$/.exec(url.startsWith(`${tx.config.origin}/`) ? new URL(url).pathname : '')?.[1],
  )
  return (await findStatuses(tx.db, { pages: pages.filter((id) => id !== undefined && isId(id)), urls })).map(
    (one) => one.id,
  )
}
