import type { CachedRead, Read } from '../../domain/context.ts'
import { visibleTo } from '../../domain/access/visibility.ts'
import type { Announcement } from '../../entities/instance/announcement.ts'
import type { Status } from '../../entities/statuses/status.ts'
import type { AnnouncementReaction } from '../../entities/notifications/stream-event.ts'
import { entityJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { displayDomain } from '../../lib/usernames.ts'
import type { Config } from '../../platform/config/config.ts'
import { statement } from '../../platform/db/statement.ts'
import { emojisOf, renderCustomEmojis } from '../emojis/render-emojis.ts'
import type { EmojiRow } from '../emojis/render-emojis.ts'
import { renderStatusMap } from '../statuses/render-statuses.ts'

interface AnnouncementRow {
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
  emojis: EmojiRow[] | null
  reactions: { name: string; count: number; me: boolean; emojis: EmojiRow[] | null }[] | null
}

// Reactions are ordered by the first use of each.
const select = statement<{
  params: { ids: readonly string[]; viewerId: string | null }
  row: AnnouncementRow
  notNull: 'published_at'
}>(
  `select a.id, a.content, a.starts_at, a.ends_at, a.all_day, a.published_at, a.updated_at, a.status_ids, a.tags,
     exists (select from announcement_dismissals d where d.announcement_id = a.id and d.account_id = $viewerId) as read,
     (select jsonb_agg(jsonb_build_object('id', m.id::text, 'username', m.username, 'domain', m.domain, 'url', m.url)
        order by m.id) from accounts m where m.id = any(a.mentioned_ids) and m.suspended_at is null) as mentions,
     ${emojisOf('a.emoji_ids')} as emojis,
     (select jsonb_agg(jsonb_build_object('name', r.name, 'count', r.count, 'me', r.me, 'emojis', r.emojis)
        order by r.first) from (
          select r.name, count(*)::int as count, coalesce(bool_or(r.account_id = $viewerId),
            false) as me, min(r.id) as first,
            ${emojisOf('array_remove(array[min(r.emoji_id)], null)')} as emojis
          from announcement_reactions r where r.announcement_id = a.id group by r.name) r) as reactions
   from announcements a where a.id = any($ids::bigint[]) and a.published_at is not null`,
)
const selectPublic = statement<{ params: { linked: readonly string[]; viewerId: string | null }; row: { id: string } }>(
  `select s.id from statuses s where s.id = any($linked::bigint[]) and ${visibleTo('$viewerId')}`,
)

/**
 * Returns announcements in the order of the ids, for a viewer (null for anonymous); unknown ids and drafts are omitted.
 * They contain the publicly visible statuses that their texts link to.
 */
export async function renderAnnouncements(
  read: CachedRead,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string | null },
): Promise<EntityJson<Announcement>[]> {
  if (ids.length === 0) return []
  const rows = new Map((await select(read.db, { ids, viewerId })).map((row) => [row.id, row]))
  const linked = [...rows.values()].flatMap((row) => row.status_ids)
  const visible =
    linked.length === 0 ? [] : (await selectPublic(read.db, { linked, viewerId: null })).map((row) => row.id)
  const statuses = await renderStatusMap(read, { ids: visible, viewerId })
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const shown = row.status_ids.flatMap((statusId) => statuses.get(statusId) ?? [])
    return [announcementJson(read.config, { row, viewerId, statuses: shown })]
  })
}

function announcementJson(
  config: Config,
  { row, viewerId, statuses }: { row: AnnouncementRow; viewerId: string | null; statuses: EntityJson<Status>[] },
): EntityJson<Announcement> {
  return entityJson<Announcement>({
    id: row.id,
    content: row.content,
    starts_at: row.starts_at?.toISOString() ?? null,
    ends_at: row.ends_at?.toISOString() ?? null,
    all_day: row.all_day,
    published_at: row.published_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    read: viewerId === null ? undefined : row.read,
    mentions: (row.mentions ?? []).map(({ id, username, domain, url }) => ({
      id,
      username,
      url,
      acct: domain === null ? username : `${username}@${displayDomain(domain)}`,
    })),
    statuses,
    tags: row.tags.map((name) => ({ name, url: `${config.origin}/tags/${encodeURIComponent(name)}` })),
    emojis: renderCustomEmojis(config, row.emojis),
    reactions: (row.reactions ?? []).map(({ name, count, me, emojis }) => {
      const [image] = renderCustomEmojis(config, emojis)
      return {
        name,
        count,
        me: viewerId === null ? undefined : me,
        url: image?.url,
        static_url: image?.static_url,
      }
    }),
  })
}

const selectReaction = statement<{
  params: { announcementId: string; name: string }
  row: { count: number; emojis: EmojiRow[] | null }
}>(
  `select r.count, ${emojisOf('r.emoji_ids')} as emojis
   from announcements a cross join lateral (
     select count(*)::int as count, array_remove(array[min(r.emoji_id)], null) as emoji_ids
     from announcement_reactions r where r.announcement_id = a.id and r.name = $name) r
   where a.id = $announcementId`,
)

/** Returns a reaction to an announcement with its number; null if the announcement no longer exists. */
export async function renderReaction(
  read: Read,
  { announcementId, name }: { announcementId: string; name: string },
): Promise<EntityJson<AnnouncementReaction> | null> {
  const [row] = await selectReaction(read.db, { announcementId, name })
  if (!row) return null
  const [image] = renderCustomEmojis(read.config, row.emojis)
  return entityJson<AnnouncementReaction>({
    name,
    count: row.count,
    announcement_id: announcementId,
    url: image?.url,
    static_url: image?.static_url,
  })
}
