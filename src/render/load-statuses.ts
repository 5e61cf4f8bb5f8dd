import type { Read } from '../domain/context.ts'
import { statement } from '../platform/db/connect.ts'
import { CARD_JSON } from './card-facts.ts'
import type { CardFacts } from './card-facts.ts'

export interface StatusFacts {
  id: string
  uri: string
  url: string
  created_at: Date
  edited_at: Date | null
  content: string
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  sensitive: boolean
  spoiler_text: string
  language: string | null
  in_reply_to_id: string | null
  in_reply_to_account_id: string | null
  local: boolean
  local_only: boolean
  version: number
  is_boost: boolean
  media: MediaFacts[] | null
  mentions: { id: string; username: string; domain: string | null; url: string }[] | null
  tags: string[] | null
  card: CardFacts | null
}

export interface MediaFacts {
  id: string
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  /** Null for a file that lies on another server. */
  file_key: string | null
  preview_key: string | null
  remote_url: string | null
  preview_remote_url: string | null
  /** What opens a file of another server here; 32 hexadecimal digits. */
  proxy_key: string
  meta: object
  description: string | null
  blurhash: string | null
}

/** What `presentMedia` needs of the attachment `m`, as JSON. */
export const MEDIA_JSON = `jsonb_build_object('id', m.id::text, 'type', m.type, 'file_key', m.file_key,
  'preview_key', m.preview_key, 'remote_url', m.remote_url, 'preview_remote_url', m.preview_remote_url,
  'proxy_key', replace(m.proxy_key::text, '-', ''), 'meta', m.meta,
  'description', m.description, 'blurhash', m.blurhash)`

// One statement for a whole page: what hangs on a status comes as JSON beside it, so a page never costs a query a row.
const load = statement<StatusFacts>(
  `select s.id, s.uri, s.url, s.created_at, s.edited_at, s.content, s.visibility, s.sensitive, s.spoiler_text,
     s.language, s.in_reply_to_id, s.in_reply_to_account_id, s.local, s.local_only, s.version,
     s.reblog_of_id is not null as is_boost,
     (select jsonb_agg(${MEDIA_JSON} order by m.position, m.id)
        from media_attachments m where m.status_id = s.id and m.withdrawn_at is null) as media,
     (select jsonb_agg(jsonb_build_object('id', a.id::text, 'username', a.username, 'domain', a.domain, 'url', a.url)
          order by mentions.id)
        from mentions join accounts a on a.id = mentions.account_id
        where mentions.status_id = s.id and not mentions.silent) as mentions,
     (select jsonb_agg(t.name order by t.id) from status_tags st join tags t on t.id = st.tag_id
        where st.status_id = s.id) as tags,
     ${CARD_JSON} as card
   from statuses s where s.id = any($1::bigint[])`,
)

/** Everything that is shown of statuses and does not depend on the viewer, but the counters and the author. */
export async function loadStatuses(read: Read, { ids }: { ids: readonly string[] }): Promise<StatusFacts[]> {
  return ids.length === 0 ? [] : load(read.db, [ids])
}

const loadByIds = statement<MediaFacts>(
  `select m.id, m.type, case when m.state = 'ready' then m.file_key end as file_key, m.preview_key, m.remote_url, m.preview_remote_url,
     replace(m.proxy_key::text, '-', '') as proxy_key, m.meta, m.description, m.blurhash
   from media_attachments m where m.id = any($1::bigint[])`,
)

export async function loadMedia(read: Read, { ids }: { ids: readonly string[] }): Promise<MediaFacts[]> {
  return ids.length === 0 ? [] : loadByIds(read.db, [ids])
}
