import type { Read } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { quoteApprovalUri } from '../../domain/quotes/addresses.ts'
import type { Visibility } from './audience.ts'
import { selectEmojis } from './write-emoji.ts'
import type { EmojiRow } from './write-emoji.ts'

/** What is asked anew each time, since it changes without the status: whether a kept note counts, and its counters. */
export interface NoteState {
  id: string
  version: number
  /** Its author is limited: then it reaches fewer of those whom it mentions. */
  silenced: boolean
  favourites_count: number
  reblogs_count: number
  /** The author's own replies that everybody may see: the first six. */
  own_replies: { id: string; uri: string }[] | null
  poll: PollRow | null
}

export interface PollRow {
  options: string[]
  tallies: number[]
  multiple: boolean
  hide_totals: boolean
  voters_count: number | null
  /** In milliseconds since 1970. */
  expires_at: number | null
}

// Only what was written here and is meant for others: whatever is local only has no document at all.
const SENDABLE = 's.local and not s.local_only and s.deleted_at is null'

const loadStates = statement<{ params: { ids: readonly string[] }; row: NoteState }>(
  `select s.id, s.version, author.silenced_at is not null as silenced,
     coalesce(st.favourites_count, 0) as favourites_count, coalesce(st.reblogs_count, 0) as reblogs_count,
     (select jsonb_agg(jsonb_build_object('id', r.id::text, 'uri', r.uri) order by r.id) from (
        select r.id, r.uri from statuses r
        where r.in_reply_to_id = s.id and r.account_id = s.account_id and r.visibility in ('public', 'unlisted')
          and not r.local_only and r.deleted_at is null
        order by r.id limit 6) r) as own_replies,
     (select jsonb_build_object('options', p.options, 'tallies', p.tallies, 'multiple', p.multiple,
          'hide_totals', p.hide_totals, 'voters_count', p.voters_count,
          'expires_at', (extract(epoch from p.expires_at) * 1000)::bigint)
        from polls p where p.status_id = s.id) as poll
   from statuses s join accounts author on author.id = s.account_id
     left join status_stats st on st.status_id = s.id
   where s.id = any($ids::bigint[]) and s.reblog_of_id is null and ${SENDABLE}`,
)

/** Those of these statuses that are notes for others, and what changes about them. */
export async function loadNoteStates(read: Read, { ids }: { ids: readonly string[] }): Promise<NoteState[]> {
  return ids.length === 0 ? [] : loadStates(read.db, { ids })
}

export interface NoteRow {
  id: string
  account_id: string
  uri: string
  url: string
  created_at: Date
  edited_at: Date | null
  content: string
  spoiler_text: string
  visibility: Visibility
  sensitive: boolean
  language: string | null
  in_reply_to_uri: string | null
  conversation: { id: string; uri: string | null; day: string } | null
  media: MediaRow[] | null
  mentions: MentionRow[] | null
  tags: string[] | null
  emojis: EmojiRow[] | null
  quote: QuoteRow | null
  quote_automatic: string[]
}

/** What a note quotes, and where its author finds consent to that. */
export interface QuoteRow {
  uri: string | null
  state: 'pending' | 'accepted' | 'rejected' | 'revoked' | 'deleted' | 'unauthorized'
  approval_uri: string | null
}

export interface MediaRow {
  type: string
  file_key: string | null
  preview_key: string | null
  remote_url: string | null
  content_type: string
  description: string | null
  blurhash: string | null
  meta: { original?: { width?: number; height?: number; duration?: number }; focus?: { x: number; y: number } }
}

interface MentionRow {
  uri: string
  username: string
  domain: string | null
  /** Of a group: what is said to it is for its followers too. */
  followers_url: string | null
  /** Whether it is sent there. */
  addressed: boolean
}

// A note that answers something local only does not tell of it. What a limited author writes reaches those who chose it.
const loadRows = statement<{ params: { ids: readonly string[] }; row: NoteRow }>(
  `select s.id, s.account_id, s.uri, s.url, s.created_at, s.edited_at, s.content, s.spoiler_text, s.visibility,
     s.sensitive, s.language,
     case when parent.id is null then s.in_reply_to_uri when not parent.local_only then parent.uri end
       as in_reply_to_uri,
     (select jsonb_build_object('id', c.id::text, 'uri', c.uri,
          'day', to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD'))
        from conversations c where c.id = s.conversation_id) as conversation,
     (select jsonb_agg(jsonb_build_object('type', m.type, 'file_key', m.file_key,
          'preview_key', m.preview_key, 'remote_url', m.remote_url,
          'content_type', m.content_type, 'description', m.description, 'blurhash', m.blurhash, 'meta', m.meta)
          order by m.position, m.id)
        from media_attachments m where m.status_id = s.id and m.withdrawn_at is null) as media,
     (select jsonb_agg(jsonb_build_object('uri', a.uri, 'username', a.username, 'domain', a.domain,
          'followers_url', case when a.actor_type = 'Group' then a.followers_url end,
          'addressed', author.silenced_at is null
            or exists (select from follows f where f.account_id = a.id and f.target_account_id = s.account_id)
            or exists (select from follow_requests q where q.account_id = a.id and q.target_account_id = s.account_id))
          order by m.id)
        from mentions m join accounts a on a.id = m.account_id where m.status_id = s.id and not m.silent) as mentions,
     (select jsonb_agg(t.name order by t.id) from status_tags st join tags t on t.id = st.tag_id
        where st.status_id = s.id) as tags,
     ${selectEmojis('s.emoji_ids')} as emojis, s.quote_automatic,
     (select jsonb_build_object('uri', q.quoted_uri, 'state', q.state, 'approval_uri',
          case when q.state = 'accepted' and q.account_id <> q.quoted_account_id then ${quoteApprovalUri('q', 'consenting')} end)
        from quotes q left join accounts consenting on consenting.id = q.quoted_account_id
        where q.status_id = s.id) as quote
   from statuses s join accounts author on author.id = s.account_id
     left join statuses parent on parent.id = s.in_reply_to_id
   where s.id = any($ids::bigint[]) and s.reblog_of_id is null and ${SENDABLE}`,
)

/** Everything that a note says of a status and that only an edit changes. One statement for any number of them. */
export async function loadNotes(read: Read, { ids }: { ids: readonly string[] }): Promise<NoteRow[]> {
  return ids.length === 0 ? [] : loadRows(read.db, { ids })
}

export interface BoostRow {
  id: string
  uri: string
  account_id: string
  visibility: Visibility
  created_at: Date
  original_id: string
  original_uri: string
  original_author_uri: string
  /** The author's own, for followers: nobody else could fetch it. */
  embeds: boolean
}

const loadBoostRows = statement<{ params: { ids: readonly string[] }; row: BoostRow }>(
  `select s.id, s.uri, s.account_id, s.visibility, s.created_at, o.id as original_id, o.uri as original_uri,
     author.uri as original_author_uri, o.visibility = 'private' and o.account_id = s.account_id as embeds
   from statuses s join statuses o on o.id = s.reblog_of_id join accounts author on author.id = o.account_id
   where s.id = any($ids::bigint[]) and ${SENDABLE} and not o.local_only and o.deleted_at is null`,
)

/** Those of these statuses that are boosts for others. */
export async function loadBoosts(read: Read, { ids }: { ids: readonly string[] }): Promise<BoostRow[]> {
  return ids.length === 0 ? [] : loadBoostRows(read.db, { ids })
}
