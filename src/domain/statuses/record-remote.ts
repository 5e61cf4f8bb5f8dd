import { randomInt } from 'node:crypto'
import { Conflict, Forbidden, NotFound } from '../../lib/errors.ts'
import { linksOfHtml } from '../../lib/text/firstLinks.ts'
import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../accounts/usable.ts'
import { linkStatus } from '../cards/link.ts'
import type { Tx } from '../context.ts'
import { recordRemoteEmojis } from '../emojis/record-remote.ts'
import type { RemoteEmojiFacts } from '../emojis/record-remote.ts'
import { lockUris } from '../lock-uris.ts'
import { recordRemoteMedia } from '../media/record-remote.ts'
import type { RemoteMediaFacts } from '../media/record-remote.ts'
import { recordRemotePoll } from '../polls/record-remote.ts'
import type { RemotePollFacts } from '../polls/record-remote.ts'
import { recordRemoteQuote } from '../quotes/record-remote.ts'
import type { RemoteQuoteFacts } from '../quotes/record-remote.ts'
import { isBuried } from '../tombstones.ts'
import { addresseeOf } from './addressee.ts'
import { adoptReplies } from './adopt-replies.ts'
import { isAnswerable } from './answerable.ts'
import { isNews, isPossible } from './news.ts'
import { pastIds } from './past-ids.ts'
import { tagStatus } from './tag-status.ts'
import type { StatusRow } from './visibility.ts'

/** What somebody of another server wrote, as its origin tells it, with everything proven that has to be. */
export interface RemoteStatusFacts {
  uri: string
  /** Where a browser reads it. */
  url: string
  /** Its author, of another server. */
  accountId: string
  visibility: StatusRow['visibility']
  /** Clean HTML. */
  content: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  inReplyTo: string | null
  /** The name of its thread, if its parent is not known. */
  conversation: string | null
  /** Not in the future; null: now. */
  publishedAt: Date | null
  updatedAt: Date | null
  /** Who is mentioned and addressed, in the order of the text. Who is mentioned but not addressed does not belong here. */
  mentionedIds: readonly string[]
  /** Who is addressed without a mention: they may read it, and are not told. */
  silentIds: readonly string[]
  /** Normalised name → the name as written, without `#`. */
  hashtags: ReadonlyMap<string, string>
  emojis: readonly RemoteEmojiFacts[]
  attachments: readonly RemoteMediaFacts[]
  poll: RemotePollFacts | null
  quote: RemoteQuoteFacts | null
  /** Whom its author lets quote it: at once, and after being asked. */
  quoteAutomatic: readonly string[]
  quoteManual: readonly string[]
  /** What the origin counts; null: it does not tell. */
  repliesCount: number | null
  likesCount: number | null
  sharesCount: number | null
}

interface Author {
  uri: string
  domain: string
  refreshed_at: Date | null
}

interface Parent {
  id: string | null
  account_id: string | null
  in_reply_to_account_id: string | null
  conversation_id: string | null
}

const findAuthor = statement<{ params: { accountId: string }; row: Author; notNull: 'domain' }>(
  `select uri, domain, refreshed_at from accounts where id = $accountId and domain is not null
    and suspended_at is null`,
)
const findByUri = statement<{ params: { uri: string }; row: { id: string; account_id: string; is_live: boolean } }>(
  `select id, account_id, deleted_at is null as is_live from statuses where uri = $uri`,
)
const findParent = statement<{
  params: { uri: string | null; accountId: string; visibility: string }
  row: Parent & { id: string; account_id: string }
}>(
  `select p.id, p.account_id, p.in_reply_to_account_id, p.conversation_id from statuses p
   where p.uri = $uri and ${isAnswerable({ author: '$accountId', visibility: '$visibility', parent: 'p' })} for key share of p`,
)
const findLostParent = statement<{ params: { uri: string | null }; row: Parent & { account_id: string } }>(
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
// The first `$length` accounts are mentioned; the others are only addressed, and so have silent mentions.
const insertMentions = statement<{
  params: { statusId: string; silent: readonly string[]; length: number; accountId: string }
}>(
  `insert into mentions (status_id, account_id, silent)
   select $statusId, a.id, named.place > $length from unnest($silent::bigint[]) with ordinality named (id, place)
     join accounts a on a.id = named.id left join users u on u.account_id = a.id
   where a.id <> $accountId and ${usableAccount()} order by named.place
   on conflict (status_id, account_id) do nothing`,
)
const countReply = statement<{ params: { parentId: string } }>(
  `insert into status_stats (status_id, replies_count) values ($parentId, 1)
   on conflict (status_id) do update set replies_count = status_stats.replies_count + 1`,
)
const countStatus = statement<{ params: { accountId: string; difference: number; publishedAt: Date } }>(
  `update account_stats set statuses_count = statuses_count + $difference, last_status_at = greatest(last_status_at,
    $publishedAt)
   where account_id = $accountId`,
)

/**
 * Records a status of another server. However often, and however many at once, it is one. Its place among the others
 * is that of the moment when it was published, and only what was published lately is news.
 * @throws Forbidden when its author may not be heard, or another has it · NotFound when it was deleted
 */
export async function recordRemoteStatus(
  tx: Tx,
  facts: RemoteStatusFacts,
): Promise<{ statusId: string; isNew: boolean }> {
  const { uri, accountId, visibility } = facts
  await lockUris(tx, { uris: facts.inReplyTo === null ? [uri] : [uri, facts.inReplyTo] })
  const [author] = await findAuthor(tx.db, { accountId })
  if (!author) throw new Forbidden()
  const [known] = await findByUri(tx.db, { uri })
  if (known && known.account_id !== accountId) throw new Forbidden()
  if (known && !known.is_live) throw new NotFound()
  if (known) return { statusId: known.id, isNew: false }
  if (await isBuried(tx, { uri, ownerUri: author.uri })) throw new NotFound()

  const parent = facts.inReplyTo === null ? null : await findParentOf(tx, facts)
  const conversationId = parent?.conversation_id ?? (await ensureConversation(tx, facts.conversation))
  const publishedAt = facts.publishedAt ?? tx.now
  const statusId = await insert(tx, { facts, author, parent, conversationId, publishedAt })
  const named = [...new Set(facts.mentionedIds)]
  await insertMentions(tx.db, { statusId, silent: [...named, ...facts.silentIds], length: named.length, accountId })
  await tagStatus(tx, { statusId, tags: facts.hashtags })
  if (facts.attachments.length > 0) await recordRemoteMedia(tx, { statusId, accountId, media: facts.attachments })
  if (facts.poll) await recordRemotePoll(tx, { statusId, accountId, poll: facts.poll })
  if (facts.quote) await recordRemoteQuote(tx, { statusId, accountId, quote: facts.quote })
  if (parent?.id && (visibility === 'public' || visibility === 'unlisted'))
    await countReply(tx.db, { parentId: parent.id })
  if (visibility !== 'direct') {
    // What was there when the origin was asked is in its figure already.
    const isCounted = author.refreshed_at !== null && publishedAt <= author.refreshed_at
    await countStatus(tx.db, { accountId, difference: isCounted ? 0 : 1, publishedAt })
  }
  await adoptReplies(tx, {
    id: statusId,
    uri,
    accountId,
    inReplyToAccountId: parent ? addresseeOf(parent, accountId) : null,
    conversationId,
  })
  const isPlain = facts.attachments.length === 0 && facts.quote === null
  await linkStatus(tx, { statusId, urls: isPlain ? linksOfHtml(facts.content) : [], spread: true })
  tx.emit(isNews(tx, publishedAt) ? 'status.posted' : 'status.imported', { statusId })
  return { statusId, isNew: true }
}

/** Of a parent that was deleted, only whose it was is still known. One that the author cannot see is as unknown. */
async function findParentOf(
  tx: Tx,
  { inReplyTo: uri, accountId, visibility }: RemoteStatusFacts,
): Promise<Parent | null> {
  const [parent] = await findParent(tx.db, { uri, accountId, visibility })
  return parent ?? (await findLostParent(tx.db, { uri }))[0] ?? null
}

async function ensureConversation(tx: Tx, uri: string | null): Promise<string> {
  const [known] = uri === null ? [] : await findConversation(tx.db, { uri })
  const [row] = known ? [known] : await insertConversation(tx.db, { uri, now: tx.now })
  // Made by another transaction in between: the next statement sees it.
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
  }: { facts: RemoteStatusFacts; author: Author; parent: Parent | null; conversationId: string; publishedAt: Date },
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
    inReplyToAccountId: parent ? addresseeOf(parent, facts.accountId) : null,
    inReplyToUri: facts.inReplyTo,
    conversationId,
    publishedAt,
    editedAt: updatedAt !== null && updatedAt > publishedAt && isPossible(tx, updatedAt) ? updatedAt : null,
    emojiIds: await recordRemoteEmojis(tx, { domain: author.domain, emojis, texts }),
    repliesCount: facts.repliesCount,
    sharesCount: facts.sharesCount,
    likesCount: facts.likesCount,
    quoteAutomatic: facts.quoteAutomatic,
    quoteManual: facts.quoteManual,
  }
  for (const id of pastIds(tx, { at: publishedAt, random: randomInt })) {
    const [row] = await insertStatus(tx.db, { id, ...values })
    if (row) return row.id
  }
  throw new Conflict()
}
