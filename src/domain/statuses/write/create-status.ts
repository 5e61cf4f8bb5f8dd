import { findLinksInText } from '../../../lib/text/entities/find-links.ts'
import { normalizeLanguage } from '../../../lib/text/language.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { linkStatus } from '../../cards/link-status.ts'
import { findUsedEmojis } from '../../emojis/find-used-emojis.ts'
import { attachPoll } from '../../polls/attach-poll.ts'
import { storedQuotePolicy } from '../../quotes/quote-approval.ts'
import { countQuote } from '../../quotes/count-quote.ts'
import { quoteStatus } from '../../quotes/quote-status.ts'
import { replyRecipient } from '../parts/reply-recipient.ts'
import { claimMedia } from '../parts/claim-media.ts'
import { checkDraft } from './check-draft.ts'
import type { CheckedDraft, DraftAuthor, StatusDraft } from './check-draft.ts'
import { formatContent } from '../../text/format-content.ts'
import { lockStatusCounters } from '../counters/lock-status-counters.ts'
import { adjustOriginCounter } from '../counters/adjust-origin-counter.ts'
import { attachTags, hashtagsOf, prepareTags } from '../parts/tag-status.ts'
import type { StatusRow } from '../../access/visibility.ts'

// With the conversation that it begins, and with the counters of its author. A direct status must not be visible in the
// public counter and the public date of the last status.
const insertStatus = statement<{
  params: {
    accountId: string
    now: Date
    origin: string
    username: string
    text: string
    content: string
    spoilerText: string
    visibility: string
    sensitive: boolean
    language: string
    parentId: string | null
    inReplyToAccountId: string | null
    /** null: the status begins a conversation. */
    conversationId: string | null
    applicationId: string | null
    localOnly: boolean
    quoteAutomatic: readonly string[]
    emojiIds: readonly string[]
  }
  row: { id: string }
}>(
  `with conversation as (
     insert into conversations (created_at) select now() where $conversationId::bigint is null returning id
   ), counted as (
     update account_stats set statuses_count = statuses_count + 1, last_status_at = $now
     where account_id = $accountId and $visibility <> 'direct'
   )
   insert into statuses (id, account_id, uri, url, text, content, spoiler_text, visibility, sensitive, language,
     in_reply_to_id, in_reply_to_account_id, conversation_id, application_id, local_only, quote_automatic,
     emoji_ids, created_at)
   select id, $accountId::bigint, $origin || '/ap/users/' || $accountId || '/statuses/' || id,
     $origin || '/@' || $username || '/' || id,
     $text, $content, $spoilerText, $visibility, $sensitive, $language, $parentId, $inReplyToAccountId,
       coalesce($conversationId, (select conversation.id from conversation)), $applicationId, $localOnly,
       $quoteAutomatic, $emojiIds, to_timestamp((id >> 16) / 1000.0)
   from next_status_id() id returning id`,
)
const insertMentions = statement<{ params: { statusId: string; mentionedIds: readonly string[] } }>(
  `insert into mentions (status_id, account_id)
   select $statusId, mentioned.id from unnest($mentionedIds::bigint[]) with ordinality mentioned (id, place)
     order by mentioned.place`,
)
const incrementReplies = statement<{ params: { parentId: string } }>(
  `insert into status_stats (status_id, replies_count) values ($parentId, 1)
   on conflict (status_id) do update set replies_count = status_stats.replies_count + 1`,
)

/**
 * Posts a status. Returns its id.
 * @throws the errors of `checkDraft`, `claimMedia` and `attachPoll`
 */
export async function createStatus(
  tx: Tx,
  { accountId, applicationId, draft }: { accountId: string; applicationId: string | null; draft: StatusDraft },
): Promise<string> {
  const checked = await checkDraft(tx, { accountId, draft })
  const { text, spoilerText, author, parent, quoted, visibility, localOnly, mentioned } = checked
  const emojiIds = await findUsedEmojis(tx, { texts: [text, spoilerText, ...(draft.poll?.options ?? [])] })
  // Transactions that write statuses lock hashtags first, then the counters of other statuses, then those of the
  // author, so that they cannot deadlock.
  const tagReach = tagReachOf(checked)
  const tagIds = await prepareTags(tx, { tags: hashtagsOf(text), reach: tagReach })
  await countInOthers(tx, { parent, quoted, visibility })
  const [row] = await insertStatus(tx.db, {
    accountId,
    now: tx.now,
    origin: tx.config.origin,
    username: author.username,
    text,
    content: formatContent(tx, { text, mentions: mentioned, quoteUrl: quoted?.url ?? null }),
    spoilerText,
    visibility,
    sensitive: (draft.sensitive ?? author.default_sensitive) || spoilerText !== '',
    language: chooseLanguage(author, draft.language),
    parentId: parent?.id ?? null,
    inReplyToAccountId: parent ? replyRecipient(parent, accountId) : null,
    conversationId: parent?.conversation_id ?? null,
    applicationId,
    localOnly,
    quoteAutomatic: storedQuotePolicy(draft.quotePolicy ?? author.default_quote_policy, visibility),
    emojiIds,
  })
  const statusId = row!.id
  await claimMedia(tx, { statusId, accountId, mediaIds: draft.mediaIds })
  if (draft.poll) await attachPoll(tx, { statusId, accountId, draft: draft.poll })
  if (mentioned.length > 0) await insertMentions(tx.db, { statusId, mentionedIds: mentioned.map((one) => one.id) })
  if (quoted) await quoteStatus(tx, { statusId, accountId, quoted })
  await attachTags(tx, { statusId, tagIds, isCounted: tagReach === 'counted' })
  const urls = draft.mediaIds.length === 0 && !quoted ? findLinksInText(text) : []
  await linkStatus(tx, { statusId, urls, hasMentions: mentioned.length > 0, delayed: false })
  tx.emit('status.created', { statusId })
  return statusId
}

function isPublicOrUnlisted(visibility: StatusRow['visibility']): boolean {
  return visibility === 'public' || visibility === 'unlisted'
}

/** Only public statuses of accounts that are not limited count as uses of their hashtags. */
function tagReachOf({ visibility, localOnly, author }: CheckedDraft): 'counted' | 'listed' | 'hidden' {
  if (localOnly || !isPublicOrUnlisted(visibility)) return 'hidden'
  return visibility === 'public' && !author.silenced ? 'counted' : 'listed'
}

/** Counts a new status in the counters of the statuses that it replies to and quotes. */
async function countInOthers(
  tx: Tx,
  { parent, quoted, visibility }: Pick<CheckedDraft, 'parent' | 'quoted' | 'visibility'>,
): Promise<void> {
  if (quoted && parent) await lockStatusCounters(tx, { ids: [quoted.id, parent.id] })
  // A quote of a remote status is counted when its author accepts it.
  if (quoted?.local) await countQuote(tx, { quotedId: quoted.id, by: 1 })
  if (!parent || !isPublicOrUnlisted(visibility)) return
  await incrementReplies(tx.db, { parentId: parent.id })
  if (!parent.local) await adjustOriginCounter(tx, { statusId: parent.id, counter: 'replies', by: 1 })
}

function chooseLanguage(author: DraftAuthor, requested: string | undefined): string {
  return normalizeLanguage(requested ?? '') ?? author.default_language ?? normalizeLanguage(author.locale) ?? 'en'
}
