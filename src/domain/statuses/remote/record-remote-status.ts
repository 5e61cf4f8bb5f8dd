import { randomInt } from 'node:crypto'
import { ConflictError, ForbiddenError, NotFoundError } from '../../../lib/errors.ts'
import { findLinksInHtml } from '../../../lib/text/entities/find-links.ts'
import { statement } from '../../../platform/db/statement.ts'
import { usableAccount } from '../../access/usable-account.ts'
import { linkStatus } from '../../cards/link-status.ts'
import type { Tx } from '../../context.ts'
import { recordRemoteEmojis } from '../../emojis/record-remote-emojis.ts'
import type { RemoteEmojiFacts } from '../../emojis/record-remote-emojis.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { recordRemoteMedia } from '../../media/record-remote-media.ts'
import type { RemoteMediaFacts } from '../../media/record-remote-media.ts'
import { recordRemotePoll } from '../../polls/record-remote-poll.ts'
import type { RemotePollFacts } from '../../polls/record-remote-poll.ts'
import { recordRemoteQuote } from '../../quotes/record-remote-quote.ts'
import type { RemoteQuoteFacts } from '../../quotes/record-remote-quote.ts'
import { hasTombstone } from '../../core/tombstones.ts'
import { replyRecipient } from '../parts/reply-recipient.ts'
import { linkReplies } from './link-replies.ts'
import { isLinkableReply } from './is-linkable-reply.ts'
import { isRecent, isPlausibleEditTime } from '../parts/recency.ts'
import { candidateIds } from '../parts/candidate-ids.ts'
import { tagStatus } from '../parts/tag-status.ts'
import type { StatusRow } from '../../access/visibility.ts'

/** A remote status as its origin server describes it. The caller has verified all claims that need verification. */
export interface RemoteStatusFacts {
  uri: string
  /** The URL of its HTML page. */
  url: string
  /** The id of the remote author. */
  accountId: string
  visibility: StatusRow['visibility']
  /** Sanitized HTML. */
  content: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  inReplyTo: string | null
  /** The URI of its conversation, used if its parent is not known. */
  conversation: string | null
  /** Not in the future; null means now. */
  publishedAt: Date | null
  updatedAt: Date | null
  /** The accounts that are both mentioned and addressed, in the order of the text. */
  mentionedIds: readonly string[]
  /** The accounts that are addressed without a mention: they may read the status, and are not notified. */
  silentIds: readonly string[]
  /** Normalised name → the name as written, without `#`. */
  hashtags: ReadonlyMap<string, string>
  emojis: readonly RemoteEmojiFacts[]
  attachments: readonly RemoteMediaFacts[]
  poll: RemotePollFacts | null
  quote: RemoteQuoteFacts | null
  /** Who may quote it: with automatic approval, and with manual approval by the author (FEP-044f). */
  quoteAutomatic: readonly string[]
  quoteManual: readonly string[]
  /** The counters of the origin server; null if it does not report them. */
  repliesCount: number | null
  likesCount: number | null
  sharesCount: number | null
}

interface AuthorRow {
  uri: string
  domain: string
  refreshed_at: Date | null
}

interface ParentRow {
  id: string | null
  account_id: string | null
  in_reply_to_account_id: string | null
  conversation_id: string | null
}

const findAuthor = statement<{ params: { accountId: string }; row: AuthorRow; notNull: 'domain' }>(
  `select uri, domain, refreshed_at from accounts where id = $accountId and domain is not null
    and suspended_at is null`,
)
const findByUri = statement<{ params: { uri: string }; row: { id: string; account_id: string; is_live: boolean } }>(
  `select id, account_id, deleted_at is null as is_live from statuses where uri = $uri`,
)
const findParent = statement<{
  params: { uri: string | null; accountId: string; visibility: string }
  row: ParentRow & { id: string; account_id: string }
}>(
  `select p.id, p.account_id, p.in_reply_to_account_id, p.conversation_id from statuses p
   where p.uri = $uri and ${isLinkableReply({ author: '$accountId', visibility: '$visibility', parent: 'p' })} for key share of p`,
)
const findDeletedParentAuthor = statement<{ params: { uri: string | null }; row: ParentRow & { account_id: string } }>(
  `select null::bigint as id, a.id as account_id, null::bigint as in_reply_to_account_id, null::bigint as conversation_id
   from tombstones t join accounts a on a.uri = t.owner_uri where t.uri = $uri order by t.created_at limit 1`,
)
const findConversation = statement<{ params: { uri: string | null }; row: { id: string } }>(
  `select id from conversations where uri = $uri`,
)
const insertConversation = statement<{ params: { uri: string | null; now: Date }; row: { id: string } }>(
  `insert into conversations (uri, created_at) values ($uri, $now) on conflict (uri) do nothing returning id`,
)
const insertStatus = statement<{
  params: {
    id: string | null
    accountId: string
    uri: string
    url: string
    content: string
    spoilerText: string
    visibility: string
    sensitive: boolean
    language: string | null
    inReplyToId: string | null
    inReplyToAccountId: string | null
    inReplyToUri: string | null
    conversationId: string
    publishedAt: Date
    editedAt: Date | null
    emojiIds: readonly string[]
    repliesCount: number | null
    sharesCount: number | null
    likesCount: number | null
    quoteAutomatic: readonly string[] | null
    quoteManual: readonly string[] | null
  }
  row: { id: string }
}>(
  `insert into statuses (id, account_id, uri, url, content, spoiler_text, visibility, sensitive, language,
     in_reply_to_id, in_reply_to_account_id, in_reply_to_uri, conversation_id, created_at, edited_at, emoji_ids,
     origin_replies_count, origin_reblogs_count, origin_favourites_count, quote_automatic, quote_manual, local)
   values (coalesce($id::bigint, next_status_id()), $accountId, $uri, $url, $content, $spoilerText, $visibility, $sensitive, $language, $inReplyToId, $inReplyToAccountId, $inReplyToUri, $conversationId, $publishedAt, $editedAt, $emojiIds,
     $repliesCount, $sharesCount, $likesCount, $quoteAutomatic, $quoteManual, false)
   on conflict do nothing returning id`,
)
// The first `$mentionedCount` recipients are mentioned; the others are only addressed, and so have silent mentions.
const insertMentions = statement<{
  params: { statusId: string; recipientIds: readonly string[]; mentionedCount: number; authorId: string }
}>(
  `insert into mentions (status_id, account_id, silent)
   select $statusId, a.id, recipient.place > $mentionedCount
   from unnest($recipientIds::bigint[]) with ordinality recipient (id, place)
     join accounts a on a.id = recipient.id left join users u on u.account_id = a.id
   where a.id <> $authorId and ${usableAccount()} order by recipient.place
   on conflict (status_id, account_id) do nothing`,
)
const incrementReplies = statement<{ params: { parentId: string } }>(
  `insert into status_stats (status_id, replies_count) values ($parentId, 1)
   on conflict (status_id) do update set replies_count = status_stats.replies_count + 1`,
)
const incrementStatuses = statement<{ params: { accountId: string; difference: number; publishedAt: Date } }>(
  `update account_stats set statuses_count = statuses_count + $difference, last_status_at = greatest(last_status_at,
    $publishedAt)
   where account_id = $accountId`,
)

/**
 * Records a remote status. Idempotent, also if the same status is recorded in parallel. The id of the status, and so
 * its position in timelines, follows its publication time. Only a recently published status is added to feeds and
 * causes notifications (`status.created`); an older one is imported silently (`status.imported`).
 * @throws ForbiddenError if the author is unknown or suspended, or if the URI belongs to another author's status;
 *   NotFoundError if the status was deleted
 */
export async function recordRemoteStatus(
  tx: Tx,
  facts: RemoteStatusFacts,
): Promise<{ statusId: string; isNew: boolean }> {
  const { uri, accountId, visibility } = facts
  await lockUris(tx, { uris: facts.inReplyTo === null ? [uri] : [uri, facts.inReplyTo] })
  const [author] = await findAuthor(tx.db, { accountId })
  if (!author) throw new ForbiddenError()
  const [existing] = await findByUri(tx.db, { uri })
  if (existing && existing.account_id !== accountId) throw new ForbiddenError()
  if (existing && !existing.is_live) throw new NotFoundError()
  if (existing) return { statusId: existing.id, isNew: false }
  if (await hasTombstone(tx, { uri, ownerUri: author.uri })) throw new NotFoundError()

  const parent = facts.inReplyTo === null ? null : await resolveParent(tx, facts)
  const conversationId = parent?.conversation_id ?? (await ensureConversation(tx, facts.conversation))
  const publishedAt = facts.publishedAt ?? tx.now
  const statusId = await insert(tx, { facts, author, parent, conversationId, publishedAt })
  const mentionedIds = [...new Set(facts.mentionedIds)]
  const recipientIds = [...mentionedIds, ...facts.silentIds]
  await insertMentions(tx.db, { statusId, recipientIds, mentionedCount: mentionedIds.length, authorId: accountId })
  await tagStatus(tx, { statusId, tags: facts.hashtags })
  if (facts.attachments.length > 0) await recordRemoteMedia(tx, { statusId, accountId, media: facts.attachments })
  if (facts.poll) await recordRemotePoll(tx, { statusId, accountId, poll: facts.poll })
  if (facts.quote) await recordRemoteQuote(tx, { statusId, accountId, quote: facts.quote })
  if (parent?.id && (visibility === 'public' || visibility === 'unlisted'))
    await incrementReplies(tx.db, { parentId: parent.id })
  if (visibility !== 'direct') {
    // The count that the origin reported at `refreshed_at` already includes statuses published before.
    const isCounted = author.refreshed_at !== null && publishedAt <= author.refreshed_at
    await incrementStatuses(tx.db, { accountId, difference: isCounted ? 0 : 1, publishedAt })
  }
  await linkReplies(tx, {
    id: statusId,
    uri,
    accountId,
    inReplyToAccountId: parent ? replyRecipient(parent, accountId) : null,
    conversationId,
  })
  const isPlain = facts.attachments.length === 0 && facts.quote === null
  await linkStatus(tx, { statusId, urls: isPlain ? findLinksInHtml(facts.content) : [], delayed: true })
  tx.emit(isRecent(tx, publishedAt) ? 'status.created' : 'status.imported', { statusId })
  return { statusId, isNew: true }
}

/**
 * Returns the parent of a reply. For a deleted parent only its author is known. A parent that the author of the reply
 * cannot see is treated as unknown.
 */
async function resolveParent(
  tx: Tx,
  { inReplyTo: uri, accountId, visibility }: RemoteStatusFacts,
): Promise<ParentRow | null> {
  const [parent] = await findParent(tx.db, { uri, accountId, visibility })
  return parent ?? (await findDeletedParentAuthor(tx.db, { uri }))[0] ?? null
}

async function ensureConversation(tx: Tx, uri: string | null): Promise<string> {
  const [existing] = uri === null ? [] : await findConversation(tx.db, { uri })
  const [row] = existing ? [existing] : await insertConversation(tx.db, { uri, now: tx.now })
  // If another transaction inserted it in between, the next statement sees its row.
  return row?.id ?? (await findConversation(tx.db, { uri }))[0]!.id
}

async function insert(
  tx: Tx,
  {
    facts,
    author,
    parent,
    conversationId,
    publishedAt,
  }: {
    facts: RemoteStatusFacts
    author: AuthorRow
    parent: ParentRow | null
    conversationId: string
    publishedAt: Date
  },
): Promise<string> {
  const { content, spoilerText, emojis, updatedAt } = facts
  const texts = [content, spoilerText, ...(facts.poll?.options ?? [])]
  const values = {
    accountId: facts.accountId,
    uri: facts.uri,
    url: facts.url,
    content,
    spoilerText,
    visibility: facts.visibility,
    sensitive: facts.sensitive,
    language: facts.language,
    inReplyToId: parent?.id ?? null,
    inReplyToAccountId: parent ? replyRecipient(parent, facts.accountId) : null,
    inReplyToUri: facts.inReplyTo,
    conversationId,
    publishedAt,
    editedAt: updatedAt !== null && updatedAt > publishedAt && isPlausibleEditTime(tx, updatedAt) ? updatedAt : null,
    emojiIds: await recordRemoteEmojis(tx, { domain: author.domain, emojis, texts }),
    repliesCount: facts.repliesCount,
    sharesCount: facts.sharesCount,
    likesCount: facts.likesCount,
    quoteAutomatic: facts.quoteAutomatic,
    quoteManual: facts.quoteManual,
  }
  for (const id of candidateIds(tx, { at: publishedAt, random: randomInt })) {
    const [row] = await insertStatus(tx.db, { id, ...values })
    if (row) return row.id
  }
  throw new ConflictError()
}
