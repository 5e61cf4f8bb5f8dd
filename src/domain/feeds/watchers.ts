import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { isWantedTalk } from '../conversations/wanted.ts'
import { blocksDomainOfId } from '../relationships/domain-blocking.ts'
import type { DeletionNews } from '../stream-news.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { notSilencedBy } from './shown.ts'
import { isOpenFor } from './access.ts'
import { HAS_MEDIA, IN_PUBLIC, isReadBy, wantedBy } from './public.ts'

// Who of those who watch just now is told of a status. Each question is one statement, however many they are.

const keepHome = statement<{ params: { statusId: string; accountIds: readonly string[] }; row: { id: string } }>(
  `select w.id from unnest($accountIds::bigint[]) w (id)
     join feed_entries f on f.account_id = w.id and f.status_id = $statusId join statuses s on s.id = f.status_id
   where ${visibleTo('w.id')} and ${notSilencedBy('w.id')}`,
)

/** Of these people, those who would find the status if they read their home feed now. */
export async function keepHomeWatchers(
  read: Read,
  { statusId, accountIds }: { statusId: string; accountIds: readonly string[] },
): Promise<string[]> {
  if (accountIds.length === 0) return []
  const rows = await keepHome(read.db, { statusId, accountIds })
  return rows.map((row) => row.id)
}

const keepMentioned = statement<{ params: { statusId: string; accountIds: readonly string[] }; row: { id: string } }>(
  `select w.id from unnest($accountIds::bigint[]) w (id)
     join mentions m on m.account_id = w.id and m.status_id = $statusId and not m.silent
       join statuses s on s.id = m.status_id
   where ${visibleTo('w.id')} and ${notSilencedBy('w.id')}`,
)

/** Of these people, those whom the status mentions and who want to hear its author. */
export async function keepMentionedWatchers(
  read: Read,
  { statusId, accountIds }: { statusId: string; accountIds: readonly string[] },
): Promise<string[]> {
  if (accountIds.length === 0) return []
  const rows = await keepMentioned(read.db, { statusId, accountIds })
  return rows.map((row) => row.id)
}

const keepInTalk = statement<{ params: { statusId: string; accountIds: readonly string[] }; row: { id: string } }>(
  `select c.account_id as id from account_conversation_statuses e
     join account_conversations c on c.id = e.account_conversation_id join statuses s on s.id = e.status_id
   where e.status_id = $statusId and c.account_id = any($accountIds::bigint[])
     and ${visibleTo('c.account_id')} and ${isWantedTalk('c.account_id', 'c.participant_ids')}`,
)

/** Of these people, those who have the status in one of their conversations. */
export async function keepConversationWatchers(
  read: Read,
  { statusId, accountIds }: { statusId: string; accountIds: readonly string[] },
): Promise<string[]> {
  if (accountIds.length === 0) return []
  const rows = await keepInTalk(read.db, { statusId, accountIds })
  return rows.map((row) => row.id)
}

/** Where a public status belongs, and who of those asked about would find it in their public timeline now. */
export interface PublicWatchers {
  local: boolean
  hasMedia: boolean
  accountIds: string[]
}

/** Whether nothing keeps the public status `s` from somebody `w`. */
const MAY_HEAR = `${visibleTo('w.id')} and ${wantedBy('w.id')} and ${isReadBy('w.id')}`

const findPublic = statement<{
  params: { statusId: string; accountIds: readonly string[] }
  row: { local: boolean; has_media: boolean; watchers: string[] }
}>(
  `select s.local, ${HAS_MEDIA} as has_media, array(
     select w.id from unnest($accountIds::bigint[]) w (id) where ${MAY_HEAR}
       and ${isOpenFor('w.id', 'live')}) as watchers
   from statuses s where s.id = $statusId and ${IN_PUBLIC}`,
)

/** null for a status that public timelines do not hold. */
export async function findPublicWatchers(
  read: Read,
  { statusId, accountIds }: { statusId: string; accountIds: readonly string[] },
): Promise<PublicWatchers | null> {
  const [row] = await findPublic(read.db, { statusId, accountIds })
  return row ? { local: row.local, hasMedia: row.has_media, accountIds: row.watchers } : null
}

/** What the timelines of hashtags hold: answers, too, but no boosts, and nobody who is limited. */
const IN_TOPICS = `s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
  and not exists (select from accounts limited where limited.id = s.account_id and limited.silenced_at is not null)
  and exists (select from status_tags st where st.status_id = s.id)`

const findTopical = statement<{
  params: { statusId: string; accountIds: readonly string[] }
  row: { local: boolean; tags: string[]; watchers: string[] }
}>(
  `select s.local, array(
       select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id) as tags,
     array(select w.id from unnest($accountIds::bigint[]) w (id)
       where ${MAY_HEAR} and ${isOpenFor('w.id', 'topic')}) as watchers
   from statuses s where s.id = $statusId and ${IN_TOPICS}`,
)

/** The hashtags of a status, and who of those asked about would find it in their timelines now; null: nobody would. */
export async function findTopicWatchers(
  read: Read,
  { statusId, accountIds }: { statusId: string; accountIds: readonly string[] },
): Promise<{ local: boolean; tags: string[]; accountIds: string[] } | null> {
  const [row] = await findTopical(read.db, { statusId, accountIds })
  return row ? { local: row.local, tags: row.tags, accountIds: row.watchers } : null
}

const keepLists = statement<{
  params: { statusId: string; listIds: readonly string[] }
  row: { list_id: string; account_id: string }
}>(
  `select l.id as list_id, l.account_id
   from list_entries e join lists l on l.id = e.list_id join statuses s on s.id = e.status_id
   where e.status_id = $statusId and e.list_id = any($listIds::bigint[])
     and ${visibleTo('l.account_id')} and ${notSilencedBy('l.account_id')}`,
)

/** Of these lists, those whose owners would find the status there if they read them now. */
export async function keepListWatchers(
  read: Read,
  { statusId, listIds }: { statusId: string; listIds: readonly string[] },
): Promise<{ listId: string; accountId: string }[]> {
  if (listIds.length === 0) return []
  const rows = await keepLists(read.db, { statusId, listIds })
  return rows.map((row) => ({ listId: row.list_id, accountId: row.account_id }))
}

const relate = statement<{
  params: { authorId: string; boostedAuthorId: string | null; accountIds: readonly string[]; tags: readonly string[] }
  row: {
    id: string
    follows: boolean
    follows_tags: boolean
    blocked: boolean
    muted: boolean
  }
}>(
  `select w.id,
     exists (select from follows f where f.account_id = w.id and f.target_account_id = $authorId) as follows,
     exists (select from tag_follows f join tags t on t.id = f.tag_id
       where f.account_id = w.id and t.name = any($tags)) as follows_tags,
     exists (select from blocks b where (b.account_id = w.id and b.target_account_id in ($authorId, $boostedAuthorId))
       or (b.account_id in ($authorId, $boostedAuthorId) and b.target_account_id = w.id))
       or ${blocksDomainOfId('w.id', '$authorId')} or ${blocksDomainOfId('w.id', '$boostedAuthorId')} as blocked,
     exists (select from mutes m where m.account_id = w.id and m.target_account_id in ($authorId, $boostedAuthorId)
       and (m.expires_at is null or m.expires_at > now())) as muted
   from unnest($accountIds::bigint[]) w (id)`,
)

/**
 * Of these people, those who may hear that a status is gone: on their own stream, and on the public ones.
 * Nobody hears of what was kept from them.
 */
export async function keepDeletionWatchers(
  read: Read,
  { news, accountIds }: { news: DeletionNews; accountIds: readonly string[] },
): Promise<{ home: string[]; public: string[] }> {
  if (accountIds.length === 0) return { home: [], public: [] }
  const rows = await relate(read.db, {
    authorId: news.authorId,
    boostedAuthorId: news.boostedAuthorId ?? null,
    accountIds,
    tags: news.tags,
  })
  const mentioned = new Set(news.mentionedIds)
  const isAuthor = (id: string) => id === news.authorId
  const home = rows.filter(
    ({ id, follows, follows_tags, blocked, muted }) =>
      isAuthor(id) ||
      (!blocked &&
        (mentioned.has(id) || (!muted && ((news.toFollowers && follows) || (news.toPublic && follows_tags))))),
  )
  const open = rows.filter(({ id, blocked, muted }) => news.toPublic && (isAuthor(id) || (!blocked && !muted)))
  return { home: home.map((row) => row.id), public: open.map((row) => row.id) }
}

const findInPublic = statement<{ params: { statusId: string } }>(
  `select from statuses s where s.id = $statusId and (${IN_PUBLIC} or ${IN_TOPICS})`,
)

/** Whether public timelines hold the status, or those of hashtags. */
export async function isInPublic(read: Read, { statusId }: { statusId: string }): Promise<boolean> {
  const rows = await findInPublic(read.db, { statusId })
  return rows.length > 0
}
