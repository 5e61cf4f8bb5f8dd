import type { Read } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import { quoteApprovalUri } from '../../../domain/quotes/quote-approval-uri.ts'
import type { Visibility } from '../audience.ts'
import { selectEmojis } from './write-emoji.ts'
import type { EmojiRow } from './write-emoji.ts'

/**
 * The properties of a note that change without its status and are loaded each time, and the version of its cache entry.
 */
export interface NoteState {
  id: string
  version: number
  /** Its author is limited, so the note is addressed to fewer of the mentioned accounts. */
  silenced: boolean
  /** The media of all its author's statuses are marked as sensitive. */
  sensitized: boolean
  /** The images of its custom emojis, which the staff may replace, disable or delete; null: none. */
  emoji_images: string | null
  favourites_count: number
  reblogs_count: number
  /** The first six publicly visible replies by the author. */
  self_replies: { id: string; uri: string }[] | null
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

// Only local statuses that are federated: a local-only status has no document at all.
const FEDERATED = 's.local and not s.local_only and s.deleted_at is null'

const loadStates = statement<{ params: { ids: readonly string[] }; row: NoteState }>(
  `select s.id, s.version, author.silenced_at is not null as silenced,
     author.sensitized_at is not null as sensitized,
     (select string_agg(e.image_key, ' ' order by e.id) from custom_emojis e
        where e.id = any(s.emoji_ids) and e.domain is null and not e.disabled) as emoji_images,
     coalesce(st.favourites_count, 0) as favourites_count, coalesce(st.reblogs_count, 0) as reblogs_count,
     (select jsonb_agg(jsonb_build_object('id', r.id::text, 'uri', r.uri) order by r.id) from (
        select r.id, r.uri from statuses r
        where r.in_reply_to_id = s.id and r.account_id = s.account_id and r.visibility in ('public', 'unlisted')
          and not r.local_only and r.deleted_at is null
        order by r.id limit 6) r) as self_replies,
     (select jsonb_build_object('options', p.options, 'tallies', p.tallies, 'multiple', p.multiple,
          'hide_totals', p.hide_totals, 'voters_count', p.voters_count,
          'expires_at', (extract(epoch from p.expires_at) * 1000)::bigint)
        from polls p where p.status_id = s.id) as poll
   from statuses s join accounts author on author.id = s.account_id
     left join status_stats st on st.status_id = s.id
   where s.id = any($ids::bigint[]) and s.reblog_of_id is null and ${FEDERATED}`,
)

/** Returns the states of those statuses that are federated notes. */
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

/** The quote of a note, and the URL of its quote authorization. */
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
  /** Of a group only: a note that mentions a group is addressed to its followers, too. */
  followers_url: string | null
  /** Whether the note is addressed to the mentioned account. */
  addressed: boolean
}

// A note that replies to a local-only status does not reveal its URI. A note of a limited author is only addressed to
// mentioned accounts that follow the author or requested to.
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
          case when q.state = 'accepted' and q.account_id <> q.quoted_account_id
            then ${quoteApprovalUri('q', 'quoted_author')} end)
        from quotes q left join accounts quoted_author on quoted_author.id = q.quoted_account_id
        where q.status_id = s.id) as quote
   from statuses s join accounts author on author.id = s.account_id
     left join statuses parent on parent.id = s.in_reply_to_id
   where s.id = any($ids::bigint[]) and s.reblog_of_id is null and ${FEDERATED}`,
)

/** Loads the properties of notes that only an edit changes, with one statement for any number of notes. */
export async function loadNotes(read: Read, { ids }: { ids: readonly string[] }): Promise<NoteRow[]> {
  return ids.length === 0 ? [] : loadRows(read.db, { ids })
}

export interface ReblogRow {
  id: string
  uri: string
  account_id: string
  visibility: Visibility
  created_at: Date
  original_id: string
  original_uri: string
  original_author_uri: string
  /** The original is followers-only and by the same account, so other servers could not fetch it. */
  embedsOriginal: boolean
}

const loadReblogRows = statement<{ params: { ids: readonly string[] }; row: ReblogRow }>(
  `select s.id, s.uri, s.account_id, s.visibility, s.created_at, o.id as original_id, o.uri as original_uri,
     author.uri as original_author_uri, o.visibility = 'private' and o.account_id = s.account_id as "embedsOriginal"
   from statuses s join statuses o on o.id = s.reblog_of_id join accounts author on author.id = o.account_id
   where s.id = any($ids::bigint[]) and ${FEDERATED} and not o.local_only and o.deleted_at is null`,
)

/** Returns those statuses that are federated reblogs. */
export async function loadReblogs(read: Read, { ids }: { ids: readonly string[] }): Promise<ReblogRow[]> {
  return ids.length === 0 ? [] : loadReblogRows(read.db, { ids })
}
