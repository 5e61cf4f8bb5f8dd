import { isDeepStrictEqual } from 'node:util'
import { NotFound } from '../../lib/errors.ts'
import { linksOfText } from '../../lib/text/firstLinks.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { relinkStatus } from '../cards/link.ts'
import { findUsedEmojis } from '../emojis/find-used.ts'
import { changePoll, findOwnPoll, isSamePoll } from '../polls/change.ts'
import { checkPoll } from '../polls/check.ts'
import type { PollDraft } from '../polls/check.ts'
import { quoteTermsOf } from '../quotes/approval.ts'
import type { QuotePolicy } from '../quotes/approval.ts'
import { changeMedia, findShownMedia, isSameMedia } from './change-media.ts'
import type { MediaChange } from './change-media.ts'
import { changeMentions } from './change-mentions.ts'
import { checkText } from './check-text.ts'
import { findMentions } from './find-mentions.ts'
import { formatContent } from './format-content.ts'
import { keepVersion } from './keep-version.ts'
import { hashtagsOf, retagStatus } from './tag-status.ts'
import type { StatusRow } from './visibility.ts'

/** A status as it shall be; what is left out is cleared, except the language and the quote policy. */
export interface Revision {
  text: string
  spoilerText: string
  sensitive: boolean
  language?: string | undefined
  mediaIds: readonly string[]
  /** Changes to those that it has afterwards. */
  mediaChanges: readonly MediaChange[]
  poll?: PollDraft | undefined
  quotePolicy?: QuotePolicy | undefined
}

interface Before {
  text: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  quote_automatic: string[]
}

/** What an edit leaves as it is. `quote_url`: of what it quotes, as long as that is there. */
interface Fixed {
  visibility: StatusRow['visibility']
  has_quote: boolean
  quote_url: string | null
}

const lock = statement<{ params: { statusId: string; accountId: string }; row: Before }>(
  `select text, spoiler_text, sensitive, language, quote_automatic from statuses
   where id = $statusId and account_id = $accountId and local and reblog_of_id is null
     and deleted_at is null for no key update`,
)
const findTold = statement<{ params: { statusId: string; accountId: string } }>(
  `select from statuses where id = $statusId and account_id = $accountId and local and not local_only
    and deleted_at is null`,
)
const findFixed = statement<{ params: { statusId: string }; row: Fixed }>(
  `select s.visibility, q.id is not null as has_quote, quoted.url as quote_url
   from statuses s left join quotes q on q.status_id = s.id left join statuses quoted on quoted.id = q.quoted_status_id
   where s.id = $statusId`,
)
const update = statement<{
  params: {
    statusId: string
    text: string
    content: string
    spoilerText: string
    sensitive: boolean
    language: string | null
    now: Date
    quoteAutomatic: readonly string[]
    emojiIds: readonly string[]
  }
}>(
  `update statuses set text = $text, content = $content, spoiler_text = $spoilerText, sensitive = $sensitive, language = $language,
     quote_automatic = $quoteAutomatic, emoji_ids = $emojiIds, edited_at = greatest($now::timestamptz, edited_at + interval '1 millisecond', created_at + interval '1 millisecond'),
     version = version + 1
   where id = $statusId`,
)

/** Whether other servers may hear of what somebody makes of a status: it is their own, and not for here only. */
export async function isToldElsewhere(
  read: Pick<Read, 'db'>,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  return (await findTold(read.db, { statusId, accountId })).length > 0
}

/**
 * Replaces what somebody's own status says; to whom it is shown, what it answers and what it quotes stays. What it said before goes
 * into its history. False when nothing would be different: then nothing happens.
 * @throws NotFound also for a boost and for somebody else's status · ValidationFailed · Unprocessable for uploads that
 *   are too many or not the author's
 */
export async function editStatus(
  tx: Tx,
  { accountId, statusId, revision }: { accountId: string; statusId: string; revision: Revision },
): Promise<boolean> {
  const [before] = await lock(tx.db, { statusId, accountId })
  if (!before) throw new NotFound()
  const [fixed] = await findFixed(tx.db, { statusId })
  const { visibility, has_quote: hasQuote, quote_url: quoteUrl } = fixed!
  const { text, spoilerText } = checkText({ ...revision, hasMedia: revision.mediaIds.length > 0, hasQuote })
  const { quotePolicy } = revision
  const next = {
    text,
    spoiler_text: spoilerText,
    sensitive: revision.sensitive || spoilerText !== '',
    language: normalizeLanguage(revision.language ?? '') ?? before.language,
    quote_automatic: quotePolicy === undefined ? before.quote_automatic : quoteTermsOf(quotePolicy, visibility),
  }
  const media = { ids: [...new Set(revision.mediaIds)], changes: revision.mediaChanges }
  const poll = {
    before: await findOwnPoll(tx, { statusId }),
    next: revision.poll ? checkPoll({ draft: revision.poll, now: tx.now }) : null,
  }
  const isSame =
    isDeepStrictEqual({ ...before }, next) &&
    isSamePoll(poll.before, poll.next) &&
    isSameMedia(await findShownMedia(tx, { statusId }), media)
  if (isSame) return false
  await keepVersion(tx, { statusId })
  await changeMedia(tx, { statusId, accountId, ...media })
  const { formerVoterIds } = await changePoll(tx, { statusId, accountId, ...poll })
  const mentions = await findMentions(tx, { text })
  const newlyMentionedIds = await changeMentions(tx, { statusId, mentionedIds: mentions.map((one) => one.id) })
  await retagStatus(tx, { statusId, tags: hashtagsOf(text) })
  const content = formatContent(tx, { text, mentions, quoteUrl })
  await update(tx.db, {
    statusId,
    text,
    content,
    spoilerText,
    sensitive: next.sensitive,
    language: next.language,
    now: tx.now,
    quoteAutomatic: next.quote_automatic,
    emojiIds: await findUsedEmojis(tx, { texts: [text, spoilerText, ...(poll.next?.options ?? [])] }),
  })
  const isPlain = media.ids.length === 0 && !hasQuote
  await relinkStatus(tx, { statusId, urls: isPlain ? linksOfText(text) : [], spread: false })
  tx.emit('status.edited', { statusId, newlyMentionedIds, formerVoterIds })
  return true
}
