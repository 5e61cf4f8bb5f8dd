import { linksOfText } from '../../lib/text/firstLinks.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { statement } from '../../platform/db/connect.ts'
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

const insertStatus = statement<{ id: string }>(
  `insert into statuses (id, account_id, uri, url, text, content, spoiler_text, visibility, sensitive, language,
     in_reply_to_id, in_reply_to_account_id, conversation_id, application_id, local_only, quote_automatic,
     emoji_ids, created_at)
   select id, $1::bigint, $2 || '/ap/users/' || $1 || '/statuses/' || id, $2 || '/@' || $3 || '/' || id,
     $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, to_timestamp((id >> 16) / 1000.0)
   from next_status_id() id returning id`,
)
const insertConversation = statement<{ id: string }>(`insert into conversations default values returning id`)
const insertMentions = statement(
  `insert into mentions (status_id, account_id)
   select $1, named.id from unnest($2::bigint[]) with ordinality named (id, place) order by named.place`,
)
const countStatus = statement(
  `update account_stats set statuses_count = statuses_count + $2, last_status_at = $3 where account_id = $1`,
)
const countReply = statement(
  `insert into status_stats (status_id, replies_count) values ($1, 1)
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
  const [row] = await insertStatus(tx.db, [
    accountId,
    tx.config.origin,
    author.username,
    text,
    formatContent(tx, { text, mentions: mentioned, quoteUrl: quoted?.url ?? null }),
    spoilerText,
    visibility,
    (draft.sensitive ?? author.default_sensitive) || spoilerText !== '',
    chooseLanguage(author, draft.language),
    parent?.id ?? null,
    parent ? addresseeOf(parent, accountId) : null,
    parent?.conversation_id ?? (await insertConversation(tx.db, []))[0]!.id,
    applicationId,
    localOnly,
    quoteTermsOf(draft.quotePolicy ?? author.default_quote_policy, visibility),
    await findUsedEmojis(tx, { texts: [text, spoilerText, ...(draft.poll?.options ?? [])] }),
  ])
  const statusId = row!.id
  await claimMedia(tx, { statusId, accountId, mediaIds: draft.mediaIds })
  if (draft.poll) await attachPoll(tx, { statusId, accountId, draft: draft.poll })
  if (mentioned.length > 0) await insertMentions(tx.db, [statusId, mentioned.map((one) => one.id)])
  if (quoted && parent) await holdCounters(tx, { ids: [quoted.id, parent.id] })
  if (quoted) await quoteStatus(tx, { statusId, accountId, quoted })
  await tagStatus(tx, { statusId, tags: hashtagsOf(text) })
  if (parent && (visibility === 'public' || visibility === 'unlisted')) {
    await countReply(tx.db, [parent.id])
    await shiftOriginCounter(tx, { statusId: parent.id, counter: 'replies', by: 1 })
  }
  // A direct status is neither counted nor a sign of life, as far as others may know.
  if (visibility !== 'direct') await countStatus(tx.db, [accountId, 1, tx.now])
  const isPlain = draft.mediaIds.length === 0 && !quoted
  await linkStatus(tx, { statusId, urls: isPlain ? linksOfText(text) : [], spread: false })
  tx.emit('status.posted', { statusId })
  return statusId
}

function chooseLanguage(author: Author, asked: string | undefined): string {
  return normalizeLanguage(asked ?? '') ?? author.default_language ?? normalizeLanguage(author.locale) ?? 'en'
}
