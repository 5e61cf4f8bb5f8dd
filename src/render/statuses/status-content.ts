import type { Read } from '../../domain/context.ts'
import type { StatusContent } from '../../entities/statuses/status.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import { displayDomain } from '../../lib/usernames.ts'
import type { Config } from '../../platform/config/config.ts'
import { statement } from '../../platform/db/statement.ts'
import { statusCardJson } from '../cards/card-row.ts'
import type { CardRow } from '../cards/card-row.ts'
import { MEDIA_JSON, mediaAttachment } from '../media/render-media.ts'
import type { MediaRow } from '../media/render-media.ts'

/** The columns of a status that change only with its version. */
export interface StatusContentRow {
  id: string
  uri: string
  url: string
  created_at: Date
  edited_at: Date | null
  text: string
  content: string
  shown_visibility: 'public' | 'unlisted' | 'private' | 'direct'
  spoiler_text: string
  language: string | null
  in_reply_to_id: string | null
  in_reply_to_account_id: string | null
  local: boolean
  local_only: boolean
  version: number
  is_reblog: boolean
  media: MediaRow[] | null
  mentions: { id: string; username: string; domain: string | null; url: string }[] | null
  tags: string[] | null
  card: CardRow | null
}

/**
 * Returns an SQL expression for the visibility that clients see. A direct remote status that addresses accounts without
 * mentioning them has a limited audience, which Mastodon shows as `private`.
 */
function shownVisibility(s: string): string {
  return `case when ${s}.visibility = 'direct' and not ${s}.local
       and exists (select from mentions m where m.status_id = ${s}.id and m.silent) then 'private'
     else ${s}.visibility end`
}

/** Returns the columns of a `StatusContentRow`, from an alias of `statuses`. Nested rows are JSON columns. */
export function contentColumns(s: string): string {
  return `${s}.id, ${s}.uri, ${s}.url, ${s}.created_at, ${s}.edited_at, ${s}.text, ${s}.content, ${s}.spoiler_text,
     ${shownVisibility(s)} as shown_visibility, ${s}.language, ${s}.in_reply_to_id, ${s}.in_reply_to_account_id, ${s}.local, ${s}.local_only, ${s}.version,
     ${s}.reblog_of_id is not null as is_reblog,
     (select jsonb_agg(${MEDIA_JSON} order by m.position, m.id)
        from media_attachments m where m.status_id = ${s}.id and m.withdrawn_at is null) as media,
     (select jsonb_agg(jsonb_build_object('id', a.id::text, 'username', a.username, 'domain', a.domain, 'url', a.url)
          order by mentions.id)
        from mentions join accounts a on a.id = mentions.account_id
        where mentions.status_id = ${s}.id and not mentions.silent) as mentions,
     (select jsonb_agg(t.name order by t.id) from status_tags st join tags t on t.id = st.tag_id
        where st.status_id = ${s}.id) as tags,
     ${statusCardJson(s)} as card`
}

// One statement for a complete page, so that a page needs no query for each status.
const select = statement<{ params: { ids: readonly string[] }; row: StatusContentRow }>(
  `select ${contentColumns('s')} from statuses s where s.id = any($ids::bigint[])`,
)

export async function loadStatusContents(read: Read, { ids }: { ids: readonly string[] }): Promise<StatusContentRow[]> {
  return ids.length === 0 ? [] : select(read.db, { ids })
}

/** Returns the fields of a status that change only with its version. */
export function statusContent(config: Config, row: StatusContentRow): Complete<StatusContent> {
  return {
    id: row.id,
    uri: row.uri,
    url: row.url,
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
    content: row.is_reblog ? '' : row.content,
    text: undefined,
    visibility: row.shown_visibility,
    spoiler_text: row.spoiler_text,
    language: row.language,
    in_reply_to_id: row.in_reply_to_id,
    in_reply_to_account_id: row.in_reply_to_account_id,
    media_attachments: (row.media ?? []).map((media) => mediaAttachment(config, media)),
    mentions: (row.mentions ?? []).map(({ id, username, domain, url }) => ({
      id,
      username,
      url,
      acct: domain === null ? username : `${username}@${displayDomain(domain)}`,
    })),
    tags: (row.tags ?? []).map((name) => ({ name, url: `${config.origin}/tags/${encodeURIComponent(name)}` })),
    local_only: row.local_only ? true : undefined,
  }
}
