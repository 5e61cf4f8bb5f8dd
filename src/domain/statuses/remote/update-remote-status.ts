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
import type { RemoteStatusFacts } from './remote-status-facts.ts'
import { retagStatus } from '../parts/tag-status.ts'
import { pruneVersions } from './prune-versions.ts'
import { isSameVersion, lockStatus } from './stored-version.ts'
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
    editedAt: Date
  }
}>(
  `update statuses set content = $content, spoiler_text = $spoilerText, sensitive = $sensitive, language = $language, url = $url, emoji_ids = $emojiIds,
     edited_at = $editedAt, version = version + 1
   where id = $statusId`,
)
const updateQuotePolicy = statement<{
  params: { statusId: string; quoteAutomatic: readonly string[]; quoteManual: readonly string[] }
}>(
  `update statuses set quote_automatic = $quoteAutomatic, quote_manual = $quoteManual
   where id = $statusId and (quote_automatic, quote_manual) is distinct from ($quoteAutomatic::text[],
     $quoteManual::text[])`,
)
const updateEditedAt = statement<{ params: { statusId: string; updatedAt: Date } }>(
  `update statuses set edited_at = $updatedAt, version = version + 1 where id = $statusId`,
)

/**
 * The result of an update. `counted`: the content is not newer or not different; only poll tallies and counters
 * changed, and of an older version nothing.
 */
export type RemoteChange = 'edited' | 'counted'

/**
 * Applies an update of a remote status by its author. Only a version that is newer than the stored one changes the
 * content; the former version is added to the history. Visibility and parent cannot be changed. Returns null if the
 * status is not known.
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
  const statusId = before.id
  const isEdit = facts.updatedAt !== null && isNewer(tx, before, facts.updatedAt)
  if (!isEdit && isOlder(before, facts.updatedAt)) return { statusId, change: 'counted' }
  await updateQuotePolicy(tx.db, { statusId, quoteAutomatic: facts.quoteAutomatic, quoteManual: facts.quoteManual })
  await updateRemoteQuote(tx, { statusId, accountId: facts.accountId, quote: facts.quote, isEdit })
  if (facts.updatedAt !== null && isEdit) {
    if (!isSameVersion(before, facts)) {
      await applyEdit(tx, { before, facts, editedAt: facts.updatedAt })
      return { statusId, change: 'edited' }
    }
    // The status may have been edited and then edited back. The version in between must be ignored if it arrives later.
    await updateEditedAt(tx.db, { statusId, updatedAt: facts.updatedAt })
  }
  // The counters in an edit are those of the time of the edit, and lack later interactions recorded here. An update
  // without an edit, with no date or with that of the last edit, was sent because of its counters.
  if (!isEdit)
    await updateOriginCounts(tx.db, {
      statusId,
      repliesCount: facts.repliesCount,
      sharesCount: facts.sharesCount,
      likesCount: facts.likesCount,
    })
  if (facts.poll) await updateRemoteTallies(tx, { statusId, accountId: facts.accountId, poll: facts.poll })
  return { statusId, change: 'counted' }
}

function isNewer(tx: Tx, { created_at, edited_at }: StoredVersion, updatedAt: Date): boolean {
  return isPlausibleEditTime(tx, updatedAt) && updatedAt > (edited_at ?? created_at)
}

/**
 * Returns whether the update precedes the last edit. An update without an edit has the date of the last edit, or none.
 */
function isOlder({ created_at, edited_at }: StoredVersion, updatedAt: Date | null): boolean {
  return updatedAt !== null && updatedAt < (edited_at ?? created_at)
}

async function applyEdit(
  tx: Tx,
  { before, facts, editedAt }: { before: StoredVersion; facts: RemoteStatusFacts; editedAt: Date },
): Promise<void> {
  const statusId = before.id
  const { accountId, content, spoilerText, poll } = facts
  await saveVersion(tx, { statusId })
  await pruneVersions(tx, { statusId })
  await recordRemoteMedia(tx, [{ statusId, accountId, media: facts.attachments }])
  if (poll) await recordRemotePoll(tx, { statusId, accountId, poll })
  else await removePoll(tx, { statusId })
  const { mentionedIds, silentIds } = facts
  const { newlyMentionedIds, isChanged } = await changeMentions(tx, {
    statusId,
    mentionedIds: mentionedIds.filter((id) => id !== accountId),
    silentIds: silentIds.filter((id) => id !== accountId),
  })
  const isRetagged = await retagStatus(tx, { statusId, tags: facts.hashtags })
  const texts = [content, spoilerText, ...(poll?.options ?? [])]
  const emojiIds = await recordRemoteEmojis(tx, { domain: before.domain, emojis: facts.emojis, texts })
  await update(tx.db, {
    statusId,
    content,
    spoilerText,
    sensitive: facts.sensitive,
    language: facts.language,
    url: facts.url,
    emojiIds,
    editedAt,
  })
  const isPlain = facts.attachments.length === 0 && facts.quote === null
  await relinkStatus(tx, { statusId, urls: isPlain ? findLinksInHtml(content) : [], delayed: true })
  const audienceChanged = isChanged || isRetagged || facts.language !== before.language
  tx.emit('status.updated', { statusId, newlyMentionedIds, audienceChanged })
}
