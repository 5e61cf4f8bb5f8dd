import { randomInt } from 'node:crypto'
import { ConflictError, NotFoundError } from '../../../lib/errors.ts'
import { firstStatusIdAt, timeOfStatusId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import { originalVisibleTo } from '../../access/visibility.ts'
import type { Tx } from '../../context.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { findUsedEmojis } from '../../emojis/find-used-emojis.ts'
import { addEndedPoll } from '../../polls/add-ended-poll.ts'
import type { EndedPoll } from '../../polls/add-ended-poll.ts'
import { storedQuotePolicy } from '../../quotes/quote-approval.ts'
import type { QuotePolicy } from '../../quotes/quote-approval.ts'
import { formatContent } from '../../text/format-content.ts'
import { adjustOriginCounters } from '../counters/adjust-origin-counters.ts'
import { countReplies } from '../counters/count-replies.ts'
import { candidateIds } from '../parts/candidate-ids.ts'
import { claimMedia } from '../parts/claim-media.ts'
import { replyRecipient } from '../parts/reply-recipient.ts'
import { hashtagsOf, retagStatus } from '../parts/tag-status.ts'

/** A post that a user wrote on another server. */
export interface ImportedPost {
  /** Its id on that server. */
  uri: string
  text: string
  spoilerText: string
  visibility: 'public' | 'unlisted' | 'private'
  sensitive: boolean
  language: string | null
  /** Not in the future. */
  publishedAt: Date
  updatedAt: Date | null
  /** The URI of the post replied to. */
  inReplyTo: string | null
  /** Normalised name → the name as written. */
  hashtags: ReadonlyMap<string, string>
  poll: EndedPoll | null
}

interface ParentRow {
  id: string
  account_id: string
  in_reply_to_account_id: string | null
  conversation_id: string | null
}

const findAuthor = statement<{
  params: { accountId: string }
  row: { username: string; silenced: boolean; default_quote_policy: QuotePolicy }
}>(
  `select a.username, a.silenced_at is not null as silenced, u.default_quote_policy
   from accounts a join users u on u.account_id = a.id where a.id = $accountId`,
)
// Also those that staff have deleted and that are retained, so that an import does not bring them back.
const findPresent = statement<{ params: { accountId: string; uris: readonly string[] }; row: { uri: string } }>(
  `select uri from imported_statuses where account_id = $accountId and uri = any($uris::text[])
   union select uri from statuses where account_id = $accountId and uri = any($uris::text[])`,
)
const findParent = statement<{ params: { uri: string; accountId: string }; row: ParentRow }>(
  `select p.id, p.account_id, p.in_reply_to_account_id, p.conversation_id from statuses p
   where (p.uri = $uri
       or p.id = (select i.status_id from imported_statuses i where i.account_id = $accountId and i.uri = $uri))
     and p.reblog_of_id is null and not p.local_only and ${originalVisibleTo('$accountId', 'p')}
   order by p.account_id = $accountId::bigint desc limit 1 for key share of p`,
)
const insertConversation = statement<{ row: { id: string } }>(`insert into conversations default values returning id`)
const insertStatus = statement<{
  params: {
    id: string | null
    accountId: string
    origin: string
    username: string
    text: string
    content: string
    spoilerText: string
    visibility: string
    sensitive: boolean
    language: string | null
    parentId: string | null
    inReplyToAccountId: string | null
    conversationId: string
    quoteAutomatic: readonly string[]
    emojiIds: readonly string[]
    publishedAt: Date
    editedAt: Date | null
  }
  row: { id: string }
}>(
  `insert into statuses (id, account_id, uri, url, text, content, spoiler_text, visibility, sensitive, language,
     in_reply_to_id, in_reply_to_account_id, conversation_id, quote_automatic, emoji_ids, created_at, edited_at)
   select chosen.id, $accountId::bigint, $origin || '/ap/users/' || $accountId || '/statuses/' || chosen.id,
     $origin || '/@' || $username || '/' || chosen.id, $text, $content, $spoilerText, $visibility, $sensitive,
     $language, $parentId, $inReplyToAccountId, $conversationId, $quoteAutomatic, $emojiIds, $publishedAt, $editedAt
   from (select coalesce($id::bigint, next_status_id()) as id) chosen
   on conflict do nothing returning id`,
)
const findLast = statement<{ params: { accountId: string; from: string; until: string }; row: { id: string } }>(
  `select id from statuses where account_id = $accountId and id >= $from::bigint and id < $until::bigint
     and deleted_at is null
   order by id desc limit 1`,
)
const insertOrigin = statement<{ params: { accountId: string; uri: string; statusId: string } }>(
  `insert into imported_statuses (account_id, uri, status_id) values ($accountId, $uri, $statusId)`,
)
const incrementStatuses = statement<{ params: { accountId: string; publishedAt: Date } }>(
  `update account_stats set statuses_count = statuses_count + 1, last_status_at = greatest(last_status_at, $publishedAt)
   where account_id = $accountId`,
)
/** Returns those of the URIs whose posts the account has imported, or has written on this server. */
export async function findPresentPosts(
  tx: Pick<Tx, 'db'>,
  { accountId, uris }: { accountId: string; uris: readonly string[] },
): Promise<Set<string>> {
  return new Set((await findPresent(tx.db, { accountId, uris })).map((row) => row.uri))
}

/**
 * Creates a status of the account for a post that the user wrote on another server. Its id, and so its position in
 * lists, follows the date of the post. Returns the id; null if the post is present already, and nothing was done.
 * Mentions stay plain text. Nobody is notified, and the status is neither added to feeds nor delivered nor counted as a
 * use of its hashtags and links.
 * @throws the errors of `claimMedia`
 */
export async function importStatus(
  tx: Tx,
  { accountId, post, mediaIds }: { accountId: string; post: ImportedPost; mediaIds: readonly string[] },
): Promise<string | null> {
  const { uri, text, publishedAt } = post
  await lockUris(tx, { uris: [uri] })
  if ((await findPresentPosts(tx, { accountId, uris: [uri] })).size > 0) return null
  const [author] = await findAuthor(tx.db, { accountId })
  if (!author) throw new NotFoundError()
  const [parent] = post.inReplyTo === null ? [] : await findParent(tx.db, { uri: post.inReplyTo, accountId })
  const visibility = author.silenced && post.visibility === 'public' ? 'unlisted' : post.visibility
  const statusId = await insert(tx, {
    at: publishedAt,
    values: {
      accountId,
      origin: tx.config.origin,
      username: author.username,
      text,
      content: formatContent(tx, { text, mentions: [], quoteUrl: null }),
      spoilerText: post.spoilerText,
      visibility,
      sensitive: post.sensitive || post.spoilerText !== '',
      language: post.language,
      parentId: parent?.id ?? null,
      inReplyToAccountId: parent ? replyRecipient(parent, accountId) : null,
      conversationId: parent?.conversation_id ?? (await insertConversation(tx.db))[0]!.id,
      quoteAutomatic: storedQuotePolicy(author.default_quote_policy, visibility),
      emojiIds: await findUsedEmojis(tx, { texts: [text, post.spoilerText, ...(post.poll?.options ?? [])] }),
      publishedAt,
      editedAt: post.updatedAt !== null && post.updatedAt <= tx.now ? post.updatedAt : null,
    },
  })
  await insertOrigin(tx.db, { accountId, uri, statusId })
  await claimMedia(tx, { statusId, accountId, mediaIds })
  if (post.poll) await addEndedPoll(tx, { statusId, accountId, poll: post.poll })
  await retagStatus(tx, { statusId, local: true, tags: new Map([...post.hashtags, ...hashtagsOf(text)]) })
  if (parent && visibility !== 'private') {
    await countReplies(tx, { parentIds: [parent.id] })
    await adjustOriginCounters(tx, { statusIds: [parent.id], counter: 'replies', by: 1 })
  }
  await incrementStatuses(tx.db, { accountId, publishedAt })
  tx.emit('status.imported', { statusId })
  return statusId
}

async function insert(
  tx: Tx,
  { at, values }: { at: Date; values: Omit<Parameters<typeof insertStatus>[1], 'id'> },
): Promise<string> {
  // Dates have no fractions of seconds in most archives, so a post follows those of the same second before it.
  const until = firstStatusIdAt(new Date(at.getTime() + 1_000))
  const [last] = await findLast(tx.db, { accountId: values.accountId, from: firstStatusIdAt(at), until })
  const start = last ? new Date(timeOfStatusId(last.id).getTime() + 1) : at
  for (const id of candidateIds(tx, { at: start, random: randomInt })) {
    const [row] = await insertStatus(tx.db, { id, ...values })
    if (row) return row.id
  }
  throw new ConflictError()
}
