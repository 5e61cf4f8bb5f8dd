import { ForbiddenError, NotFoundError, RequestError } from '../../../lib/errors.ts'
import { findLinksInHtml } from '../../../lib/text/entities/find-links.ts'
import { statement } from '../../../platform/db/statement.ts'
import { linkStatuses } from '../../cards/link-status.ts'
import type { Tx } from '../../context.ts'
import { isLocalConversation } from '../../conversations/conversation-uri.ts'
import { recordRemoteEmojisOfAll } from '../../emojis/record-remote-emojis.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { recordRemoteMedia } from '../../media/record-remote-media.ts'
import { recordRemotePoll } from '../../polls/record-remote-poll.ts'
import { recordRemoteQuote } from '../../quotes/record-remote-quote.ts'
import { countReplies } from '../counters/count-replies.ts'
import { replyRecipient } from '../parts/reply-recipient.ts'
import { isRecent } from '../parts/recency.ts'
import { tagStatuses } from '../parts/tag-status.ts'
import { findSurroundings } from './find-surroundings.ts'
import type { Surroundings } from './find-surroundings.ts'
import { ensureConversations, insertRemoteStatuses } from './insert-remote-statuses.ts'
import type { NewRemoteStatus } from './insert-remote-statuses.ts'
import { linkReplies } from './link-replies.ts'
import { addReaders, mentionAccounts } from './mention-accounts.ts'
import { isPlain } from './remote-status-facts.ts'
import type { RemoteStatusFacts } from './remote-status-facts.ts'

/** The result of recording a remote status. */
export interface RecordedStatus {
  statusId: string
  isNew: boolean
  /** The id of the parent to which a new status was linked; null also for a status that was recorded before. */
  parentId: string | null
}

// Locks the counters in the order of their ids, so that two transactions do not deadlock.
const incrementStatuses = statement<{
  params: { accountIds: readonly string[]; differences: readonly number[]; publishedAt: readonly Date[] }
}>(
  `with locked as (
     select account_id from account_stats where account_id = any($accountIds::bigint[]) order by account_id
     for no key update
   )
   update account_stats s set statuses_count = statuses_count + c.difference,
     last_status_at = greatest(last_status_at, c.published_at)
   from locked l join (
     select account_id, sum(difference) as difference, max(published_at) as published_at
     from unnest($accountIds::bigint[], $differences::integer[], $publishedAt::timestamptz[])
       as given (account_id, difference, published_at) group by account_id) c on c.account_id = l.account_id
   where s.account_id = l.account_id`,
)

/**
 * Records a remote status. Idempotent, also if the same status is recorded in parallel. The id of the status, and so
 * its position in timelines, follows its publication time. Only a recently published status is added to feeds and
 * causes notifications (`status.created`); an older one is imported silently (`status.imported`).
 * @throws ForbiddenError if the author is unknown or suspended, or if the URI belongs to another author's status;
 *   NotFoundError if the status was deleted
 */
export async function recordRemoteStatus(tx: Tx, facts: RemoteStatusFacts): Promise<RecordedStatus> {
  const [result] = await recordRemoteStatuses(tx, [facts])
  if (result instanceof RequestError) throw result
  return result!
}

/**
 * Records remote statuses as `recordRemoteStatus` does one after the other, with a number of statements that hardly
 * depends on how many there are. Returns the results in their order: instead of throwing, the errors that
 * `recordRemoteStatus` throws.
 */
export async function recordRemoteStatuses(
  tx: Tx,
  all: readonly RemoteStatusFacts[],
): Promise<(RecordedStatus | RequestError)[]> {
  // Of all rounds, because two transactions that lock in several steps may deadlock.
  await lockUris(tx, { uris: all.flatMap(({ uri, inReplyTo }) => (inReplyTo === null ? [uri] : [uri, inReplyTo])) })
  const results: (RecordedStatus | RequestError)[] = []
  while (results.length < all.length) {
    const round = takeIndependent(all.slice(results.length))
    results.push(...(await recordIndependent(tx, round)))
  }
  return results
}

/** Returns the first statuses, up to one that another of them replies to, quotes or equals, or the other way round. */
function takeIndependent(all: readonly RemoteStatusFacts[]): readonly RemoteStatusFacts[] {
  const uris = new Set<string>()
  const references = new Set<string>()
  const end = all.findIndex(({ uri, inReplyTo, quote }) => {
    const own = [inReplyTo, quote?.uri].filter((one) => typeof one === 'string')
    if (uris.has(uri) || references.has(uri) || own.some((one) => uris.has(one))) return true
    uris.add(uri)
    for (const one of own) references.add(one)
    return false
  })
  return end === -1 ? all : all.slice(0, end)
}

/** Records statuses that do not refer to each other. */
async function recordIndependent(
  tx: Tx,
  all: readonly RemoteStatusFacts[],
): Promise<(RecordedStatus | RequestError)[]> {
  const surroundings = await findSurroundings(tx, { all })
  const results = all.map((facts, n) => resultWithoutInsert(facts, surroundings[n]!))
  await addReaders(tx, readersOf(all, results))
  const added = await insertAll(
    tx,
    all.flatMap((facts, n) => (results[n] === null ? [{ facts, around: surroundings[n]! }] : [])),
  )
  const recorded = added.values()
  return results.map((result) => {
    if (result !== null) return result
    const { id: statusId, parentId } = recorded.next().value!
    return { statusId, isNew: true, parentId }
  })
}

/** Returns the result if the status is not to be inserted, else null. */
function resultWithoutInsert(
  { accountId }: RemoteStatusFacts,
  { author, existing, isDeleted }: Surroundings,
): RecordedStatus | RequestError | null {
  if (!author || (existing && existing.accountId !== accountId)) return new ForbiddenError()
  if (existing) return existing.isLive ? { statusId: existing.id, isNew: false, parentId: null } : new NotFoundError()
  return isDeleted ? new NotFoundError() : null
}

/** A status that was inserted. */
interface AddedStatus extends NewRemoteStatus {
  id: string
  around: Surroundings
}

async function insertAll(
  tx: Tx,
  all: readonly { facts: RemoteStatusFacts; around: Surroundings }[],
): Promise<AddedStatus[]> {
  if (all.length === 0) return []
  const prepared = await prepare(tx, all)
  const ids = await insertRemoteStatuses(tx, prepared)
  const added = prepared.map((status, n) => ({ ...status, id: ids[n]! }))
  await addMentions(tx, added)
  await tagStatuses(
    tx,
    added.map(({ id, facts }) => ({ statusId: id, tags: facts.hashtags })),
  )
  await addParts(tx, added)
  await count(tx, added)
  for (const { id, facts, around } of added) if (around.hasWaitingReplies) await linkReplies(tx, { id, uri: facts.uri })
  await link(tx, added)
  for (const { facts } of added)
    if (facts.replyUris.length > 0) tx.emit('replies.listed', { statusUri: facts.uri, replyUris: [...facts.replyUris] })
  for (const { id, publishedAt } of added)
    tx.emit(isRecent(tx, publishedAt) ? 'status.created' : 'status.imported', { statusId: id })
  return added
}

async function prepare(
  tx: Tx,
  all: readonly { facts: RemoteStatusFacts; around: Surroundings }[],
): Promise<(NewRemoteStatus & { around: Surroundings })[]> {
  const knownConversation = ({ parent, conversationId }: Surroundings) => parent?.conversation_id ?? conversationId
  const alone = all.filter(({ around }) => knownConversation(around) === null)
  // A remote server must not name a thread like one that this server may begin later.
  const uris = alone.map(({ facts: { conversation: uri } }) =>
    uri && isLocalConversation(tx.config, uri) ? null : uri,
  )
  const created = (await ensureConversations(tx, { uris })).values()
  const emojiIds = await recordRemoteEmojisOfAll(
    tx,
    all.map(({ facts: { content, spoilerText, emojis, poll }, around: { author } }) => ({
      domain: author!.domain,
      emojis,
      texts: [content, spoilerText, ...(poll?.options ?? [])],
    })),
  )
  return all.map(({ facts, around }, n) => ({
    facts,
    around,
    parentId: around.parent?.id ?? null,
    recipientId: around.parent ? replyRecipient(around.parent, facts.accountId) : null,
    conversationId: knownConversation(around) ?? created.next().value!,
    publishedAt: facts.publishedAt ?? tx.now,
    emojiIds: emojiIds[n]!,
  }))
}

async function addMentions(tx: Tx, added: readonly AddedStatus[]): Promise<void> {
  const mentions = added.flatMap(({ id, facts: { accountId, mentionedIds, silentIds } }) => {
    const mentionOf = (isSilent: boolean) => (recipientId: string) => ({
      statusId: id,
      authorId: accountId,
      recipientId,
      isSilent,
    })
    return [...mentionedIds.map(mentionOf(false)), ...silentIds.map(mentionOf(true))]
  })
  await mentionAccounts(tx, mentions)
}

/** Returns the accounts in whose inboxes statuses arrived that were stored already. */
function readersOf(
  all: readonly RemoteStatusFacts[],
  results: readonly (RecordedStatus | RequestError | null)[],
): { statusId: string; authorId: string; recipientId: string }[] {
  return all.flatMap(({ accountId: authorId, readerId: recipientId }, n) => {
    const result = results[n]
    if (recipientId === null || !result || result instanceof RequestError) return []
    return [{ statusId: result.statusId, authorId, recipientId }]
  })
}

async function addParts(tx: Tx, added: readonly AddedStatus[]): Promise<void> {
  const illustrated = added.filter(({ facts }) => facts.attachments.length > 0)
  if (illustrated.length > 0)
    await recordRemoteMedia(
      tx,
      illustrated.map(({ id, facts }) => ({ statusId: id, accountId: facts.accountId, media: facts.attachments })),
    )
  for (const { id: statusId, facts } of added) {
    const { accountId, poll, quote } = facts
    if (poll) await recordRemotePoll(tx, { statusId, accountId, poll })
    if (quote) await recordRemoteQuote(tx, { statusId, accountId, quote })
  }
}

async function count(tx: Tx, added: readonly AddedStatus[]): Promise<void> {
  const isCountedReply = ({ facts: { visibility } }: AddedStatus) =>
    visibility === 'public' || visibility === 'unlisted'
  const parentIds = added.filter(isCountedReply).flatMap(({ parentId }) => parentId ?? [])
  await countReplies(tx, { parentIds })
  const posts = added.filter(({ facts }) => facts.visibility !== 'direct')
  if (posts.length === 0) return
  await incrementStatuses(tx.db, {
    accountIds: posts.map(({ facts }) => facts.accountId),
    // The count that the origin reported at `refreshedAt` already includes statuses published before.
    differences: posts.map(({ publishedAt, around: { author } }) =>
      author!.refreshedAt !== null && publishedAt <= author!.refreshedAt ? 0 : 1,
    ),
    publishedAt: posts.map(({ publishedAt }) => publishedAt),
  })
}

async function link(tx: Tx, added: readonly AddedStatus[]): Promise<void> {
  const plain = added.filter(({ facts }) => isPlain(facts))
  const statuses = plain.map(({ id, facts: { attachedPages, content, mentionedIds, silentIds } }) => ({
    statusId: id,
    urls: [...attachedPages, ...findLinksInHtml(content)],
    hasMentions: mentionedIds.length + silentIds.length > 0,
  }))
  await linkStatuses(tx, { statuses, delayed: true })
}
