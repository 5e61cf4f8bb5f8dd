import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { isVisibleConversation } from '../access/is-visible-conversation.ts'
import { blocksDomainOfId } from '../access/user-domain-blocks.ts'
import type { DeletionMessage } from '../core/stream-topics.ts'
import { visibleTo } from '../access/visibility.ts'
import {
  isExcludedByList,
  isNotBlockedOrMuted,
  isReplyEligible,
  matchesFollowOptions,
  STATUSES_WITH_ATTRIBUTES,
  STORED_ATTRIBUTES,
} from '../access/feed-eligibility.ts'
import { isNotBlockedOrMutedBy } from '../access/feed-visibility.ts'
import { isThreadKnown } from './feeds/audience.ts'
import { isTimelineEnabledFor } from './public/timeline-access.ts'
import { HAS_MEDIA, IN_PUBLIC_TIMELINE, isInChosenLanguage, isNotHiddenFrom } from './public/read-public-timeline.ts'

// Filters the connected accounts to those that receive an event about a status: one statement for any number of
// accounts.

const selectHomeSubscribers = statement<{
  params: { statusId: string; accountIds: readonly string[] }
  row: { id: string }
}>(
  `select viewer.id from unnest($accountIds::bigint[]) viewer (id)
     join feed_entries f on f.account_id = viewer.id and f.status_id = $statusId join statuses s on s.id = f.status_id
   where ${visibleTo('viewer.id')} and ${isNotBlockedOrMutedBy('viewer.id')}`,
)

/** Returns those of the accounts whose home feed shows the status now. */
export async function filterHomeSubscribers(
  read: Read,
  { statusId, accountIds }: { statusId: string; accountIds: readonly string[] },
): Promise<string[]> {
  if (accountIds.length === 0) return []
  const rows = await selectHomeSubscribers(read.db, { statusId, accountIds })
  return rows.map((row) => row.id)
}

/**
 * Returns an SQL condition: the viewer is not among the accounts that an edit removed from the mentions of the direct
 * status `s`. They keep access to it, but receive no later version. A remote status also has silent mentions for its
 * other recipients.
 */
const isStillAddressed = (viewer: string) =>
  `not (s.local and s.visibility = 'direct' and exists (
    select from mentions m where m.status_id = s.id and m.account_id = ${viewer} and m.silent))`

// Most followers have the status in their feed. A feed retains 800 entries, but older posts are edited and read, too.
const selectEditSubscribers = statement<{
  params: { statusId: string; accountIds: readonly string[] }
  row: { id: string }
}>(
  `with viewer as materialized (
     select candidate.id, candidate.id = s.account_id as is_author, f.account_id is not null as is_in_feed
     from unnest($accountIds::bigint[]) candidate (id) join statuses s on s.id = $statusId
       left join feed_entries f on f.account_id = candidate.id and f.status_id = s.id
     where candidate.id = s.account_id or f.account_id is not null or (
       exists (select from follows t where t.account_id = candidate.id and t.target_account_id = s.account_id
         and ${matchesFollowOptions('t', { isReblog: 'false', language: 's.language' })})
       and not ${isExcludedByList('candidate.id', 's.account_id')}))
   select viewer.id from viewer, ${STATUSES_WITH_ATTRIBUTES}
   where s.id = $statusId and ${visibleTo('viewer.id')} and (viewer.is_author or (
     ${isStillAddressed('viewer.id')} and ${isNotBlockedOrMuted('viewer.id', STORED_ATTRIBUTES)}
     and (viewer.is_in_feed or (
       ${isThreadKnown(STORED_ATTRIBUTES)} and ${isReplyEligible('viewer.id', STORED_ATTRIBUTES)}))))`,
)

/**
 * Returns those of the accounts that receive the edit of a status: its author, and those whose home feed shows it or
 * showed it before newer statuses replaced it.
 */
export async function filterEditSubscribers(
  read: Read,
  { statusId, accountIds }: { statusId: string; accountIds: readonly string[] },
): Promise<string[]> {
  if (accountIds.length === 0) return []
  const rows = await selectEditSubscribers(read.db, { statusId, accountIds })
  return rows.map((row) => row.id)
}

const selectMentionedSubscribers = statement<{
  params: { statusId: string; accountIds: readonly string[] }
  row: { id: string }
}>(
  `select viewer.id from unnest($accountIds::bigint[]) viewer (id)
     join mentions m on m.account_id = viewer.id and m.status_id = $statusId and not m.silent
       join statuses s on s.id = m.status_id
   where ${visibleTo('viewer.id')} and ${isNotBlockedOrMutedBy('viewer.id')}`,
)

/** Returns those of the accounts that the status mentions, unless a block or mute hides it. */
export async function filterMentionedSubscribers(
  read: Read,
  { statusId, accountIds }: { statusId: string; accountIds: readonly string[] },
): Promise<string[]> {
  if (accountIds.length === 0) return []
  const rows = await selectMentionedSubscribers(read.db, { statusId, accountIds })
  return rows.map((row) => row.id)
}

const selectConversationSubscribers = statement<{
  params: { statusId: string; accountIds: readonly string[] }
  row: { id: string }
}>(
  `select c.account_id as id from account_conversation_statuses e
     join account_conversations c on c.id = e.account_conversation_id join statuses s on s.id = e.status_id
   where e.status_id = $statusId and c.account_id = any($accountIds::bigint[])
     and ${visibleTo('c.account_id')} and ${isStillAddressed('c.account_id')}
     and ${isVisibleConversation('c.account_id', 'c.participant_ids')}`,
)

/** Returns those of the accounts that have the status in one of their conversations, and receive its later versions. */
export async function filterConversationSubscribers(
  read: Read,
  { statusId, accountIds }: { statusId: string; accountIds: readonly string[] },
): Promise<string[]> {
  if (accountIds.length === 0) return []
  const rows = await selectConversationSubscribers(read.db, { statusId, accountIds })
  return rows.map((row) => row.id)
}

/** The public timelines that contain a status, and the accounts to which they show it now. */
export interface PublicSubscribers {
  local: boolean
  hasMedia: boolean
  accountIds: string[]
}

/**
 * The common table expression `hiding`: those of the accounts that block or mute an account which the status mentions.
 * Found for all of them at once, because a status may have hundreds of mentions, and thousands of accounts read it.
 */
const HIDING = `hiding as materialized (
     select hidden.account_id
     from mentions m join (
       select b.account_id, b.target_account_id from blocks b union all
       select mute.account_id, mute.target_account_id from mutes mute where mute.expires_at is null or mute.expires_at > now()
     ) hidden on hidden.target_account_id = m.account_id
     where m.status_id = $statusId and not m.silent and hidden.account_id = any($accountIds::bigint[]))`

/**
 * SQL condition: the status `s` of another account mentions no account that the account `viewer` blocks or mutes
 * (`HIDING`). As in Mastodon, this applies to the streams and to home feeds, but not to pages of public timelines.
 */
const MENTIONS_NO_HIDDEN_ACCOUNT = `(s.account_id = viewer.id or viewer.id not in (select account_id from hiding))`

/** SQL condition: the streams show the public status `s` to the account `viewer`. */
const IS_VISIBLE_TO_SUBSCRIBER = `${visibleTo('viewer.id')} and ${isNotHiddenFrom('viewer.id')}
  and ${MENTIONS_NO_HIDDEN_ACCOUNT} and ${isInChosenLanguage('viewer.id')}`

const selectPublicSubscribers = statement<{
  params: { statusId: string; accountIds: readonly string[] }
  row: { local: boolean; has_media: boolean; subscribers: string[] }
}>(
  `with ${HIDING}
   select s.local, ${HAS_MEDIA} as has_media, array(
     select viewer.id from unnest($accountIds::bigint[]) viewer (id) where ${IS_VISIBLE_TO_SUBSCRIBER}
       and ${isTimelineEnabledFor('viewer.id', 'live')}) as subscribers
   from statuses s where s.id = $statusId and ${IN_PUBLIC_TIMELINE}`,
)

/** Filters the accounts to those whose public streams show the status; null if public timelines do not contain it. */
export async function findPublicSubscribers(
  read: Read,
  { statusId, accountIds }: { statusId: string; accountIds: readonly string[] },
): Promise<PublicSubscribers | null> {
  const [row] = await selectPublicSubscribers(read.db, { statusId, accountIds })
  return row ? { local: row.local, hasMedia: row.has_media, accountIds: row.subscribers } : null
}

/** SQL condition: hashtag timelines contain the status, also replies, but no reblogs and no limited accounts. */
const IN_TAG_TIMELINES = `s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
  and not exists (select from accounts limited where limited.id = s.account_id and limited.silenced_at is not null)
  and exists (select from status_tags st where st.status_id = s.id)`

const selectTagSubscribers = statement<{
  params: { statusId: string; accountIds: readonly string[] }
  row: { local: boolean; tags: string[]; subscribers: string[] }
}>(
  `with ${HIDING}
   select s.local, array(
       select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id) as tags,
     array(select viewer.id from unnest($accountIds::bigint[]) viewer (id)
       where ${IS_VISIBLE_TO_SUBSCRIBER} and ${isTimelineEnabledFor('viewer.id', 'topic')}) as subscribers
   from statuses s where s.id = $statusId and ${IN_TAG_TIMELINES}`,
)

/**
 * Returns the hashtags of a status, and those of the accounts whose hashtag streams show it; null if hashtag timelines
 * do not contain it.
 */
export async function findTagSubscribers(
  read: Read,
  { statusId, accountIds }: { statusId: string; accountIds: readonly string[] },
): Promise<{ local: boolean; tags: string[]; accountIds: string[] } | null> {
  const [row] = await selectTagSubscribers(read.db, { statusId, accountIds })
  return row ? { local: row.local, tags: row.tags, accountIds: row.subscribers } : null
}

const selectRelationships = statement<{
  params: { authorId: string; rebloggedAuthorId: string | null; accountIds: readonly string[]; tags: readonly string[] }
  row: {
    id: string
    follows: boolean
    follows_tags: boolean
    blocked: boolean
    muted: boolean
  }
}>(
  `select viewer.id,
     exists (select from follows f where f.account_id = viewer.id and f.target_account_id = $authorId) as follows,
     exists (select from tag_follows f join tags t on t.id = f.tag_id
       where f.account_id = viewer.id and t.name = any($tags)) as follows_tags,
     exists (select from blocks b where (b.account_id = viewer.id and b.target_account_id in ($authorId, $rebloggedAuthorId))
       or (b.account_id in ($authorId, $rebloggedAuthorId) and b.target_account_id = viewer.id))
       or ${blocksDomainOfId('viewer.id', '$authorId')} or ${blocksDomainOfId('viewer.id', '$rebloggedAuthorId')} as blocked,
     exists (select from mutes m where m.account_id = viewer.id and m.target_account_id in ($authorId, $rebloggedAuthorId)
       and (m.expires_at is null or m.expires_at > now())) as muted
   from unnest($accountIds::bigint[]) viewer (id)`,
)

/**
 * Filters the accounts to those that receive the deletion of a status on their own stream, and on public streams. An
 * account that could not see the status does not receive its deletion.
 */
export async function selectDeletionRecipients(
  read: Read,
  { deletion, accountIds }: { deletion: DeletionMessage; accountIds: readonly string[] },
): Promise<{ home: string[]; public: string[] }> {
  if (accountIds.length === 0) return { home: [], public: [] }
  const rows = await selectRelationships(read.db, {
    authorId: deletion.authorId,
    rebloggedAuthorId: deletion.rebloggedAuthorId ?? null,
    accountIds,
    tags: deletion.tags,
  })
  const mentioned = new Set(deletion.mentionedIds)
  const isAuthor = (id: string) => id === deletion.authorId
  const home = rows.filter(({ id, follows, follows_tags, blocked, muted }) =>
    isAuthor(id)
      ? deletion.toAuthor
      : !blocked && (mentioned.has(id) || (!muted && ((deletion.toFollowers && follows) || follows_tags))),
  )
  const publicRows = rows.filter(({ id, blocked, muted }) => isAuthor(id) || (!blocked && !muted))
  return { home: home.map((row) => row.id), public: publicRows.map((row) => row.id) }
}

const selectPublicStatuses = statement<{ params: { statusIds: readonly string[] }; row: { id: string } }>(
  `select s.id from statuses s
   where s.id = any($statusIds::bigint[]) and (${IN_PUBLIC_TIMELINE} or ${IN_TAG_TIMELINES}) order by s.id`,
)

/** Returns those of the statuses that public timelines or hashtag timelines contain, oldest first. */
export async function filterPublicStatuses(
  read: Pick<Read, 'db'>,
  { statusIds }: { statusIds: readonly string[] },
): Promise<string[]> {
  const rows = await selectPublicStatuses(read.db, { statusIds })
  return rows.map((row) => row.id)
}
