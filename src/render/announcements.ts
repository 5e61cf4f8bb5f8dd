import type { Read } from '../domain/context.ts'
import { visibleTo } from '../domain/statuses/visibility.ts'
import type { Announcement } from '../entities/announcement.ts'
import type { Status } from '../entities/status.ts'
import type { AnnouncementReaction } from '../entities/stream-event.ts'
import { displayDomain } from '../lib/usernames.ts'
import { statement } from '../platform/db/connect.ts'
import { emojisOf, presentEmojis } from './emojis.ts'
import type { EmojiFacts } from './emojis.ts'
import { renderStatusMap } from './statuses.ts'

interface Row {
  id: string
  content: string
  starts_at: Date | null
  ends_at: Date | null
  all_day: boolean
  published_at: Date
  updated_at: Date
  read: boolean
  status_ids: string[]
  tags: string[]
  mentions: { id: string; username: string; domain: string | null; url: string }[] | null
  emojis: EmojiFacts[] | null
  reactions: { name: string; count: number; me: boolean; emojis: EmojiFacts[] | null }[] | null
}

// $2 the viewer, null for nobody in particular. Reactions stand in the order in which each was first made.
const load = statement<Row>(
  `select a.id, a.content, a.starts_at, a.ends_at, a.all_day, a.published_at, a.updated_at, a.status_ids, a.tags,
     exists (select from announcement_dismissals d where d.announcement_id = a.id and d.account_id = $2) as read,
     (select jsonb_agg(jsonb_build_object('id', m.id::text, 'username', m.username, 'domain', m.domain, 'url', m.url)
        order by m.id) from accounts m where m.id = any(a.mentioned_ids) and m.suspended_at is null) as mentions,
     ${emojisOf('a.emoji_ids')} as emojis,
     (select jsonb_agg(jsonb_build_object('name', r.name, 'count', r.count, 'me', r.me, 'emojis', r.emojis)
        order by r.first) from (
          select r.name, count(*)::int as count, coalesce(bool_or(r.account_id = $2), false) as me, min(r.id) as first,
            ${emojisOf('array_remove(array[min(r.emoji_id)], null)')} as emojis
          from announcement_reactions r where r.announcement_id = a.id group by r.name) r) as reactions
   from announcements a where a.id = any($1::bigint[])`,
)
const keepOpen = statement<{ id: string }>(
  `select s.id from statuses s where s.id = any($1::bigint[]) and ${visibleTo('$2')}`,
)

/**
 * Announcements in the order of the ids, as this viewer sees them (null: as anybody does); unknown ids are left out. Of
 * statuses that they link to, those come along that are for everybody.
 */
export async function renderAnnouncements(
  read: Read,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string | null },
): Promise<Announcement[]> {
  if (ids.length === 0) return []
  const rows = new Map((await load(read.db, [ids, viewerId])).map((row) => [row.id, row]))
  const linked = [...rows.values()].flatMap((row) => row.status_ids)
  const open = linked.length === 0 ? [] : (await keepOpen(read.db, [linked, null])).map((row) => row.id)
  const statuses = await renderStatusMap(read, { ids: open, viewerId })
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const shown = row.status_ids.map((one) => statuses.get(one)).filter((status) => status !== undefined)
    return [present(read, { row, viewerId, statuses: shown.map((status) => JSON.parse(status) as Status) })]
  })
}

function present(
  { config }: Read,
  { row, viewerId, statuses }: { row: Row; viewerId: string | null; statuses: Status[] },
): Announcement {
  return {
    id: row.id,
    content: row.content,
    starts_at: row.starts_at?.toISOString() ?? null,
    ends_at: row.ends_at?.toISOString() ?? null,
    all_day: row.all_day,
    published_at: row.published_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ...(viewerId !== null && { read: row.read }),
    mentions: (row.mentions ?? []).map(({ id, username, domain, url }) => ({
      id,
      username,
      url,
      acct: domain === null ? username : `${username}@${displayDomain(domain)}`,
    })),
    statuses,
    tags: row.tags.map((name) => ({ name, url: `${config.origin}/tags/${encodeURIComponent(name)}` })),
    emojis: presentEmojis(config, row.emojis),
    reactions: (row.reactions ?? []).map(({ name, count, me, emojis }) => {
      const [picture] = presentEmojis(config, emojis)
      return {
        name,
        count,
        ...(viewerId !== null && { me }),
        ...(picture && { url: picture.url, static_url: picture.static_url }),
      }
    }),
  }
}

const count = statement<{ count: number }>(
  `select (select count(*)::int from announcement_reactions r where r.announcement_id = a.id and r.name = $2) as count
   from announcements a where a.id = $1`,
)

/** How often an announcement has a reaction now; null when it is gone. */
export async function renderReactionCount(
  read: Read,
  { announcementId, name }: { announcementId: string; name: string },
): Promise<AnnouncementReaction | null> {
  const [row] = await count(read.db, [announcementId, name])
  return row ? { name, count: row.count, announcement_id: announcementId } : null
}
