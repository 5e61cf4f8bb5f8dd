import { ForbiddenError } from '../../../lib/errors.ts'
import { findLinksInHtml } from '../../../lib/text/entities/find-links.ts'
import { statement } from '../../../platform/db/statement.ts'
import { relinkStatus } from '../../cards/link-status.ts'
import type { Tx } from '../../context.ts'
import { recordRemoteEmojis } from '../../emojis/record-remote-emojis.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { recordRemoteMedia } from '../../media/record-remote-media.ts'
import { recordRemotePoll, removePoll, updateRemoteTallies } from '../../polls/record-remote-poll.ts'
import { updateRemoteQuote } from '../../quotes/record-remote-quote.ts'
import { changeMentions } from '../parts/change-mentions.ts'
import { saveVersion } from '../parts/save-version.ts'
import { isPlausibleEditTime } from '../parts/recency.ts'
import { isPlain } from './remote-status-facts.ts'
import type { RemoteStatusFacts } from './remote-status-facts.ts'
import { retagStatus } from '../parts/tag-status.ts'
import { pruneVersions } from './prune-versions.ts'
import { compareVersions, lockStatus } from './stored-version.ts'
import type { StoredVersion } from './stored-version.ts'

const updateOriginCounts = statement<{
  params: { statusId: string; repliesCount: number | null; sharesCount: number | null; likesCount: number | null }
}>(
  `update statuses set origin_replies_count = coalesce($repliesCount, origin_replies_count),
     origin_reblogs_count = coalesce($sharesCount, origin_reblogs_count),
     origin_favourites_count = coalesce($likesCount, origin_favourites_count)
   where id = $statusId`,
)
const update = statement<{
  params: {
    statusId: string
    content: string
    spoilerText: string
    sensitive: boolean
    language: string | null
    url: string
    emojiIds: readonly string[]
    updatedAt: Date
    isEdit: boolean
  }
}>(
  `update statuses set content = $content, spoiler_text = $spoilerText, sensitive = $sensitive, language = $language, url = $url, emoji_ids = $emojiIds,
     edited_at = case when $isEdit then $updatedAt::timestamptz else edited_at end,
     origin_updated_at = case when $isEdit then origin_updated_at else $updatedAt end, version = version + 1
   where id = $statusId`,
)
const updateQuotePolicy = statement<{
  params: { statusId: string; quoteAutomatic: readonly string[]; quoteManual: readonly string[] }
}>(
  `update statuses set quote_automatic = $quoteAutomatic, quote_manual = $quoteManual
   where id = $statusId and (quote_automatic, quote_manual) is distinct from ($quoteAutomatic::text[],
     $quoteManual::text[])`,
)
const updateDate = statement<{ params: { statusId: string; updatedAt: Date } }>(
  `update statuses set origin_updated_at = $updatedAt where id = $statusId`,
)

/** The result of an update. `refreshed`: no edit, so nothing of what the author wrote or attached changed. */
export type RemoteChange = 'edited' | 'refreshed'

/**
 * Applies an update of a remote status by its author. Only a version that is newer than the stored one changes the
 * content; if that is an edit, the former version is added to the history. Visibility and parent cannot be changed.
 * Returns null if the status is not known.
 * @throws ForbiddenError if the status belongs to another account
 */
export async function updateRemoteStatus(
  tx: Tx,
  facts: RemoteStatusFacts,
): Promise<{ statusId: string; change: RemoteChange } | null> {
  await lockUris(tx, { uris: [facts.uri] })
  const [before] = await lockStatus(tx.db, { uri: facts.uri })
  if (!before) return null
  if (before.account_id !== facts.accountId) throw new ForbiddenError()
  const { id: statusId, updated_at: storedAt } = before
  const { updatedAt } = facts
  if (updatedAt !== null && updatedAt < storedAt) return { statusId, change: 'refreshed' }
  const newerAt = updatedAt !== null && updatedAt > storedAt && isPlausibleEditTime(tx, updatedAt) ? updatedAt : null
  const isNewer = newerAt !== null
  await updateQuotePolicy(tx.db, { statusId, quoteAutomatic: facts.quoteAutomatic, quoteManual: facts.quoteManual })
  const isRequoted = await updateRemoteQuote(tx, { statusId, accountId: facts.accountId, quote: facts.quote, isNewer })
  if (newerAt !== null) {
    const difference = isRequoted ? 'edited' : compareVersions(before, facts)
    // The status may have been edited and then edited back. The version in between must be ignored if it arrives later.
    if (difference === 'same') {
      await updateDate(tx.db, { statusId, updatedAt: newerAt })
      // Their images may have changed.
      await recordEmojis(tx, { before, facts })
    } else await applyVersion(tx, { before, facts, updatedAt: newerAt, isEdit: difference === 'edited' })
    if (difference === 'edited') return { statusId, change: 'edited' }
  }
  // The counters in an edit are those of the time of the edit, and lack later interactions recorded here. An update
  // without an edit was sent because of its counters.
  await updateOriginCounts(tx.db, {
    statusId,
    repliesCount: facts.repliesCount,
    sharesCount: facts.sharesCount,
    likesCount: facts.likesCount,
  })
  if (facts.poll) await updateRemoteTallies(tx, { statusId, accountId: facts.accountId, poll: facts.poll })
  return { statusId, change: 'refreshed' }
}

/** Applies a newer version that differs from the stored one. `isEdit`: in more than `compareVersions` calls `described`. */
async function applyVersion(
  tx: Tx,
  {
    before,
    facts,
    updatedAt,
    isEdit,
  }: { before: StoredVersion; facts: RemoteStatusFacts; updatedAt: Date; isEdit: boolean },
): Promise<void> {
  const statusId = before.id
  const { accountId, content, spoilerText, poll } = facts
  if (isEdit) {
    await saveVersion(tx, { statusId })
    await pruneVersions(tx, { statusId })
  }
  await recordRemoteMedia(tx, [{ statusId, accountId, media: facts.attachments }])
  if (poll) await recordRemotePoll(tx, { statusId, accountId, poll })
  else await removePoll(tx, { statusId })
  const { mentionedIds, silentIds } = facts
  const { newlyMentionedIds, isChanged } = await changeMentions(tx, {
    statusId,
    mentionedIds: mentionedIds.filter((id) => id !== accountId),
    silentIds: silentIds.filter((id) => id !== accountId),
  })
  const isRetagged = await retagStatus(tx, { statusId, local: false, tags: facts.hashtags })
  const emojiIds = await recordEmojis(tx, { before, facts })
  await update(tx.db, {
    statusId,
    content,
    spoilerText,
    sensitive: facts.sensitive,
    language: facts.language,
    url: facts.url,
    emojiIds,
    updatedAt,
    isEdit,
  })
  const urls = isPlain(facts) ? [...facts.attachedPages, ...findLinksInHtml(content)] : []
  await relinkStatus(tx, { statusId, urls, delayed: true })
  const audienceChanged = isChanged || isRetagged || facts.language !== before.language
  tx.emit(isEdit ? 'status.updated' : 'status.described', { statusId, newlyMentionedIds, audienceChanged })
}

/** Records the custom emojis of a status, and returns their ids. */
async function recordEmojis(
  tx: Tx,
  { before: { domain }, facts }: { before: StoredVersion; facts: RemoteStatusFacts },
): Promise<string[]> {
  const { content, spoilerText, poll, emojis } = facts
  return recordRemoteEmojis(tx, { domain, emojis, texts: [content, spoilerText, ...(poll?.options ?? [])] })
}
