import { linksOfText } from '../../lib/text/firstLinks.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { linkStatus } from '../cards/link.ts'
import { findUsedEmojis } from '../emojis/find-used.ts'
import { attachPoll } from '../polls/attach.ts'
import { quoteTermsOf } from '../quotes/approval.ts'
import { quoteStatus } from '../quotes/quote.ts'
import { addresseeOf } from './addressee.ts'
import { claimMedia } from './claim-media.ts'
import { checkDraft } from './draft.ts'
import type { Author, Draft } from './draft.ts'
import { formatContent } from './format-content.ts'
import { holdCounters } from './hold-counters.ts'
import { shiftOriginCounter } from './shift-origin-counter.ts'
import { hashtagsOf, tagStatus } from './tag-status.ts'

const insertStatus = statement<{
  params: {
    accountId: string
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
    conversationId: string
    applicationId: string | null
    localOnly: boolean
    quoteAutomatic: readonly string[]
    emojiIds: readonly string[]
  }
  row: { id: string }
}>(
  `insert into statuses (id, account_id, uri, url, text, content, spoiler_text, visibility, sensitive, language,
     in_reply_to_id, in_reply_to_account_id, conversation_id, application_id, local_only, quote_automatic,
     emoji_ids, created_at)
   select id, $accountId::bigint, $origin || '/ap/users/' || $accountId || '/statuses/' || id,
     $origin || '/@' || $username || '/' || id,
     $text, $content, $spoilerText, $visibility, $sensitive, $language, $parentId, $inReplyToAccountId,
       $conversationId, $applicationId, $localOnly, $quoteAutomatic, $emojiIds, to_timestamp((id >> 16) / 1000.0)
   from next_status_id() id returning id`,
)
const insertConversation = statement<{ row: { id: string } }>(`insert into conversations default values returning id`)
const insertMentions = statement<{ params: { statusId: string; mentionedIds: readonly string[] } }>(
  `insert into mentions (status_id, account_id)
   select $statusId, named.id from unnest($mentionedIds::bigint[]) with ordinality named (id, place)
     order by named.place`,
)
const countStatus = statement<{ params: { accountId: string; difference: number; now: Date } }>(
  `update account_stats set statuses_count = statuses_count + $difference, last_status_at = $now where account_id = $accountId`,
)
const countReply = statement<{ params: { parentId: string } }>(
  `insert into status_stats (status_id, replies_count) values ($parentId, 1)
   on conflict (status_id) do update set replies_count = status_stats.replies_count + 1`,
)

/**
 * Posts a status. Returns its id.
 * @throws ValidationFailed · NotFound for a reply or a quote, as `checkDraft` · UnexpectedMentions · Unprocessable
 */
export async function postStatus(
  tx: Tx,
  { accountId, applicationId, draft }: { accountId: string; applicationId: string | null; draft: Draft },
): Promise<string> {
  const checked = await checkDraft(tx, { accountId, draft })
  const { text, spoilerText, author, parent, quoted, visibility, localOnly, mentioned } = checked
  const [row] = await insertStatus(tx.db, {
    accountId,
    origin: tx.config.origin,
    username: author.username,
    text,
    content: formatContent(tx, { text, mentions: mentioned, quoteUrl: quoted?.url ?? null }),
    spoilerText,
    visibility,
    sensitive: (draft.sensitive ?? author.default_sensitive) || spoilerText !== '',
    language: chooseLanguage(author, draft.language),
    parentId: parent?.id ?? null,
    inReplyToAccountId: parent ? addresseeOf(parent, accountId) : null,
    conversationId: parent?.conversation_id ?? (await insertConversation(tx.db))[0]!.id,
    applicationId,
    localOnly,
    quoteAutomatic: quoteTermsOf(draft.quotePolicy ?? author.default_quote_policy, visibility),
    emojiIds: await findUsedEmojis(tx, { texts: [text, spoilerText, ...(draft.poll?.options ?? [])] }),
  })
  const statusId = row!.id
  await claimMedia(tx, { statusId, accountId, mediaIds: draft.mediaIds })
  if (draft.poll) await attachPoll(tx, { statusId, accountId, draft: draft.poll })
  if (mentioned.length > 0) await insertMentions(tx.db, { statusId, mentionedIds: mentioned.map((one) => one.id) })
  if (quoted && parent) await holdCounters(tx, { ids: [quoted.id, parent.id] })
  if (quoted) await quoteStatus(tx, { statusId, accountId, quoted })
  await tagStatus(tx, { statusId, tags: hashtagsOf(text) })
  if (parent && (visibility === 'public' || visibility === 'unlisted')) {
    await countReply(tx.db, { parentId: parent.id })
    await shiftOriginCounter(tx, { statusId: parent.id, counter: 'replies', by: 1 })
  }
  // A direct status is neither counted nor a sign of life, as far as others may know.
  if (visibility !== 'direct') await countStatus(tx.db, { accountId, difference: 1, now: tx.now })
  const isPlain = draft.mediaIds.length === 0 && !quoted
  await linkStatus(tx, { statusId, urls: isPlain ? linksOfText(text) : [], spread: false })
  tx.emit('status.posted', { statusId })
  return statusId
}

function chooseLanguage(author: Author, asked: string | undefined): string {
  return normalizeLanguage(asked ?? '') ?? author.default_language ?? normalizeLanguage(author.locale) ?? 'en'
}
