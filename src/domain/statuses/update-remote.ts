import { isDeepStrictEqual } from 'node:util'
import { Forbidden } from '../../lib/errors.ts'
import { linksOfHtml } from '../../lib/text/firstLinks.ts'
import { statement } from '../../platform/db/statement.ts'
import { relinkStatus } from '../cards/link.ts'
import type { Tx } from '../context.ts'
import { recordRemoteEmojis } from '../emojis/record-remote.ts'
import { lockUris } from '../lock-uris.ts'
import { recordRemoteMedia } from '../media/record-remote.ts'
import { recordRemotePoll, removePoll, retallyRemotePoll } from '../polls/record-remote.ts'
import { updateRemoteQuote } from '../quotes/record-remote.ts'
import { changeMentions } from './change-mentions.ts'
import { keepVersion } from './keep-version.ts'
import { isPossible } from './news.ts'
import type { RemoteStatusFacts } from './record-remote.ts'
import { retagStatus } from './tag-status.ts'
import { trimVersions } from './trim-versions.ts'

interface Before {
  id: string
  account_id: string
  domain: string
  created_at: Date
  edited_at: Date | null
  content: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  media: { url: string; description: string | null }[]
  poll: { options: string[]; multiple: boolean } | null
}

const lock = statement<{ params: { factUri: string }; row: Before; notNull: 'domain' }>(
  `select s.id, s.account_id, a.domain, s.created_at, s.edited_at, s.content, s.spoiler_text, s.sensitive, s.language,
     coalesce((select jsonb_agg(jsonb_build_object('url', m.remote_url, 'description', m.description) order by m.position)
       from media_attachments m where m.status_id = s.id and m.withdrawn_at is null), '[]') as media,
     (select jsonb_build_object('options', p.options, 'multiple', p.multiple) from polls p where p.status_id = s.id)
       as poll
   from statuses s join accounts a on a.id = s.account_id
   where s.uri = $factUri and not s.local and s.reblog_of_id is null and s.deleted_at is null for no key update of s`,
)
const count = statement<{
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
    factUrl: string
    emojiIds: readonly string[]
    editedAt: Date
  }
}>(
  `update statuses set content = $content, spoiler_text = $spoilerText, sensitive = $sensitive, language = $language, url = $factUrl, emoji_ids = $emojiIds,
     edited_at = $editedAt, version = version + 1
   where id = $statusId`,
)
const changeTerms = statement<{
  params: { statusId: string; quoteAutomatic: readonly string[]; quoteManual: readonly string[] }
}>(
  `update statuses set quote_automatic = $quoteAutomatic, quote_manual = $quoteManual
   where id = $statusId and (quote_automatic, quote_manual) is distinct from ($quoteAutomatic::text[],
     $quoteManual::text[])`,
)
const keepDate = statement<{ params: { statusId: string; updatedAt: Date } }>(
  `update statuses set edited_at = $updatedAt, version = version + 1 where id = $statusId`,
)

/** What came of it. `counted`: what it says is not newer, or not different; only votes and counters are. */
export type Change = 'edited' | 'counted'

/**
 * Takes in that somebody elsewhere changed a status of theirs. Only what is newer than what is known changes its text,
 * with its history kept; to whom it is shown and what it answers stays. Null when no such status is known.
 * @throws Forbidden when it is somebody else's
 */
export async function updateRemoteStatus(
  tx: Tx,
  facts: RemoteStatusFacts,
): Promise<{ statusId: string; change: Change } | null> {
  await lockUris(tx, { uris: [facts.uri] })
  const [before] = await lock(tx.db, { factUri: facts.uri })
  if (!before) return null
  if (before.account_id !== facts.accountId) throw new Forbidden()
  const statusId = before.id
  const isEdit = facts.updatedAt !== null && isNewer(tx, before, facts.updatedAt)
  if (isEdit || !isOlder(before, facts.updatedAt)) {
    await changeTerms(tx.db, { statusId, quoteAutomatic: facts.quoteAutomatic, quoteManual: facts.quoteManual })
    await updateRemoteQuote(tx, { statusId, accountId: facts.accountId, quote: facts.quote, isEdit })
  }
  if (facts.updatedAt !== null && isEdit) {
    if (!isSame(before, facts)) {
      await write(tx, { before, facts, editedAt: facts.updatedAt })
      return { statusId, change: 'edited' }
    }
    // It may have been edited there and back: what was in between must not count when it comes later.
    await keepDate(tx.db, { statusId, updatedAt: facts.updatedAt })
  }
  // The figures of an edit are those of its moment, and lag behind what happened here since. News that are no edit were
  // sent for their figures.
  if (facts.updatedAt === null)
    await count(tx.db, {
      statusId,
      repliesCount: facts.repliesCount,
      sharesCount: facts.sharesCount,
      likesCount: facts.likesCount,
    })
  if (facts.poll) await retallyRemotePoll(tx, { statusId, accountId: facts.accountId, poll: facts.poll })
  return { statusId, change: 'counted' }
}

function isNewer(tx: Tx, { created_at, edited_at }: Before, updatedAt: Date): boolean {
  return isPossible(tx, updatedAt) && updatedAt > (edited_at ?? created_at)
}

/** What is sent again without an edit has the date of the last one, or none. */
function isOlder({ created_at, edited_at }: Before, updatedAt: Date | null): boolean {
  return updatedAt !== null && updatedAt < (edited_at ?? created_at)
}

function isSame(before: Before, facts: RemoteStatusFacts): boolean {
  const { poll } = facts
  return isDeepStrictEqual(
    [before.content, before.spoiler_text, before.sensitive, before.language, before.media, before.poll],
    [
      facts.content,
      facts.spoilerText,
      facts.sensitive,
      facts.language,
      facts.attachments.map(({ url, description }) => ({ url, description })),
      poll && { options: [...poll.options], multiple: poll.multiple },
    ],
  )
}

async function write(
  tx: Tx,
  { before, facts, editedAt }: { before: Before; facts: RemoteStatusFacts; editedAt: Date },
): Promise<void> {
  const statusId = before.id
  const { accountId, content, spoilerText, poll } = facts
  await keepVersion(tx, { statusId })
  await trimVersions(tx, { statusId })
  await recordRemoteMedia(tx, { statusId, accountId, media: facts.attachments })
  if (poll) await recordRemotePoll(tx, { statusId, accountId, poll })
  else await removePoll(tx, { statusId })
  const { mentionedIds, silentIds } = facts
  const newlyMentionedIds = await changeMentions(tx, {
    statusId,
    mentionedIds: mentionedIds.filter((id) => id !== accountId),
    silentIds: silentIds.filter((id) => id !== accountId),
  })
  await retagStatus(tx, { statusId, tags: facts.hashtags })
  const texts = [content, spoilerText, ...(poll?.options ?? [])]
  const emojiIds = await recordRemoteEmojis(tx, { domain: before.domain, emojis: facts.emojis, texts })
  await update(tx.db, {
    statusId,
    content,
    spoilerText,
    sensitive: facts.sensitive,
    language: facts.language,
    factUrl: facts.url,
    emojiIds,
    editedAt,
  })
  const isPlain = facts.attachments.length === 0 && facts.quote === null
  await relinkStatus(tx, { statusId, urls: isPlain ? linksOfHtml(content) : [], spread: true })
  tx.emit('status.edited', { statusId, newlyMentionedIds })
}
