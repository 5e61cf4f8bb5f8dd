import { isDeepStrictEqual } from 'node:util'
import { NotFoundError } from '../../../lib/errors.ts'
import { findLinksInText } from '../../../lib/text/entities/find-links.ts'
import { normalizeLanguage } from '../../../lib/text/language.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { relinkStatus } from '../../cards/link-status.ts'
import { findUsedEmojis } from '../../emojis/find-used-emojis.ts'
import { changePoll, lockOwnPoll, isSamePoll } from '../../polls/change-poll.ts'
import { checkPoll } from '../../polls/check-poll.ts'
import type { PollDraft } from '../../polls/check-poll.ts'
import { storedQuotePolicy } from '../../quotes/quote-approval.ts'
import type { QuotePolicy } from '../../quotes/quote-approval.ts'
import { changeMedia, findAttachedMedia, isSameMedia } from '../parts/change-media.ts'
import type { MediaChange } from '../parts/change-media.ts'
import { changeMentions } from '../parts/change-mentions.ts'
import { checkTagsAllowed, findDisallowedTags } from '../../tags/disallowed-tags.ts'
import { checkText } from '../../text/check-text.ts'
import { findMentions } from '../../text/find-mentions.ts'
import { formatContent } from '../../text/format-content.ts'
import { saveVersion } from '../parts/save-version.ts'
import { hashtagsOf, retagStatus } from '../parts/tag-status.ts'
import type { StatusRow } from '../../access/visibility.ts'

/** The status after an edit. Properties that are left out are cleared, except the language and the quote policy. */
export interface StatusRevision {
  text: string
  spoilerText: string
  sensitive: boolean
  language?: string | undefined
  mediaIds: readonly string[]
  /** Changes to attachments in `mediaIds`. */
  mediaChanges: readonly MediaChange[]
  poll?: PollDraft | undefined
  quotePolicy?: QuotePolicy | undefined
}

interface StoredStatus {
  text: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  quote_automatic: string[]
}

/** What an edit does not change. `quote_url`: the URL of the quoted status; null if that does not exist any more. */
interface UneditableFields {
  visibility: StatusRow['visibility']
  has_quote: boolean
  quote_url: string | null
}

const lockOwnStatus = statement<{ params: { statusId: string; accountId: string }; row: StoredStatus }>(
  `select text, spoiler_text, sensitive, language, quote_automatic from statuses
   where id = $statusId and account_id = $accountId and local and reblog_of_id is null
     and deleted_at is null for no key update`,
)
const findFederated = statement<{ params: { statusId: string; accountId: string } }>(
  `select from statuses where id = $statusId and account_id = $accountId and local and not local_only
    and deleted_at is null`,
)
const findUneditableFields = statement<{ params: { statusId: string }; row: UneditableFields }>(
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

/** Returns whether other servers receive changes to the status: it is the account's own, and not local-only. */
export async function isFederated(
  read: Pick<Read, 'db'>,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  return (await findFederated(read.db, { statusId, accountId })).length > 0
}

/**
 * Edits a status of the account. Visibility, parent and quoted status cannot be changed. The former version is added to
 * the history. Returns false, and does nothing, if the revision is equal to the current version.
 * Mastodon: PUT /api/v1/statuses/:id
 * @throws NotFoundError also for a reblog and for another account's status; ValidationError; UnprocessableError for
 *   uploads that are too many or not the author's
 */
export async function editStatus(
  tx: Tx,
  { accountId, statusId, revision }: { accountId: string; statusId: string; revision: StatusRevision },
): Promise<boolean> {
  const [before] = await lockOwnStatus(tx.db, { statusId, accountId })
  if (!before) throw new NotFoundError()
  const [fixed] = await findUneditableFields(tx.db, { statusId })
  const { visibility, has_quote: hasQuote, quote_url: quoteUrl } = fixed!
  const { text, spoilerText } = checkText({ ...revision, hasMedia: revision.mediaIds.length > 0, hasQuote })
  const { quotePolicy } = revision
  const next = {
    text,
    spoiler_text: spoilerText,
    sensitive: revision.sensitive || spoilerText !== '',
    language: normalizeLanguage(revision.language ?? '') ?? before.language,
    quote_automatic: quotePolicy === undefined ? before.quote_automatic : storedQuotePolicy(quotePolicy, visibility),
  }
  const media = { ids: [...new Set(revision.mediaIds)], changes: revision.mediaChanges }
  const poll = {
    before: await lockOwnPoll(tx, { statusId }),
    next: revision.poll ? checkPoll({ draft: revision.poll, now: tx.now }) : null,
  }
  const isSame =
    isDeepStrictEqual({ ...before }, next) &&
    isSamePoll(poll.before, poll.next) &&
    isSameMedia(await findAttachedMedia(tx, { statusId }), media)
  if (isSame) return false
  const tags = hashtagsOf(text)
  if (visibility === 'public') {
    const names = [...tags.keys()]
    checkTagsAllowed({ names, disallowed: await findDisallowedTags(tx, { names }) })
  }
  await saveVersion(tx, { statusId })
  await changeMedia(tx, { statusId, accountId, ...media })
  const { formerVoterIds } = await changePoll(tx, { statusId, accountId, ...poll })
  const mentions = await findMentions(tx, { accountId, text })
  const { newlyMentionedIds, isChanged } = await changeMentions(tx, {
    statusId,
    mentionedIds: mentions.map((one) => one.id),
  })
  const isRetagged = await retagStatus(tx, { statusId, local: true, tags })
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
  await relinkStatus(tx, { statusId, urls: isPlain ? findLinksInText(text) : [], delayed: false })
  const audienceChanged = isChanged || isRetagged || next.language !== before.language
  tx.emit('status.updated', { statusId, newlyMentionedIds, audienceChanged, formerVoterIds })
  return true
}
