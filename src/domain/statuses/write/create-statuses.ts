import { findLinksInText } from '../../../lib/text/entities/find-links.ts'
import { mapValues, valueOf } from '../../../lib/results.ts'
import type { Result } from '../../../lib/results.ts'
import { isBlank } from '../../../lib/text/is-blank.ts'
import { normalizeLanguage } from '../../../lib/text/language.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { StatusRow } from '../../access/visibility.ts'
import { linkStatuses } from '../../cards/link-status.ts'
import type { Tx } from '../../context.ts'
import { findUsedEmojisOfAll } from '../../emojis/find-used-emojis.ts'
import { insertPoll } from '../../polls/insert-poll.ts'
import { countQuote } from '../../quotes/count-quote.ts'
import { storedQuotePolicy } from '../../quotes/quote-approval.ts'
import { quoteStatus } from '../../quotes/quote-status.ts'
import { formatContent } from '../../text/format-content.ts'
import { adjustOriginCounters } from '../counters/adjust-origin-counters.ts'
import { countReplies } from '../counters/count-replies.ts'
import { lockStatusCounters } from '../counters/lock-status-counters.ts'
import { claimMedia } from '../parts/claim-media.ts'
import { replyRecipient } from '../parts/reply-recipient.ts'
import { attachTags, hashtagsOf, prepareTags } from '../parts/tag-status.ts'
import type { TagReach } from '../parts/tag-status.ts'
import { checkDrafts } from './check-drafts.ts'
import type { AuthoredDraft, CheckedDraft, DraftAuthor } from './check-drafts.ts'
import { insertStatuses } from './insert-statuses.ts'
import type { NewStatusRow } from './insert-statuses.ts'

const insertMentions = statement<{ params: { statusIds: readonly string[]; mentionedIds: readonly string[] } }>(
  `insert into mentions (status_id, account_id)
   select mentioned.status_id, mentioned.id
   from unnest($statusIds::bigint[], $mentionedIds::bigint[]) with ordinality mentioned (status_id, id, place)
     order by mentioned.place`,
)

/** A status to post. `applicationId`: the application that posts it; null for none. */
export interface NewStatus extends AuthoredDraft {
  applicationId: string | null
}

type CheckedStatus = NewStatus & CheckedDraft

/**
 * Posts a status. Returns its id.
 * @throws the errors of `checkDraft` and `claimMedia`
 */
export async function createStatus(tx: Tx, status: NewStatus): Promise<string> {
  const [created] = await createStatuses(tx, [status])
  return valueOf(created!)
}

/**
 * Posts statuses, with a number of statements that hardly depends on how many there are. Returns their ids in the same
 * order; for a draft that `checkDrafts` refuses, which has no effect, the error.
 * @throws UnprocessableError as `claimMedia`, when statuses were already written: the transaction cannot be committed
 */
export async function createStatuses(tx: Tx, all: readonly NewStatus[]): Promise<Result<string>[]> {
  return mapValues(await checkDrafts(tx, all), async (checked) => writeAll(tx, checked))
}

async function writeAll(tx: Tx, all: readonly CheckedStatus[]): Promise<string[]> {
  if (all.length === 0) return []
  const emojiIds = await findUsedEmojisOfAll(
    tx,
    all.map(({ text, spoilerText, draft }) => [text, spoilerText, ...(draft.poll?.options ?? [])]),
  )
  // Transactions that write statuses lock hashtags first, then the counters of other statuses, then those of the
  // authors, so that they cannot deadlock.
  const tagged = all.map((status) => ({ tags: hashtagsOf(status.text), reach: tagReachOf(status) }))
  const tagIds = await prepareTags(tx, tagged)
  await countInOthers(tx, all)
  const ids = await insertStatuses(
    tx,
    all.map((status, n) => rowOf(tx, { ...status, emojiIds: emojiIds[n]! })),
  )
  const added = all.map((status, n) => ({ ...status, statusId: ids[n]! }))
  await attachParts(tx, added)
  await attachTags(
    tx,
    added.map(({ statusId }, n) => ({ statusId, tagIds: tagIds[n]!, reach: tagged[n]!.reach })),
  )
  const links = added.map(({ statusId, text, draft, quoted, mentioned }) => ({
    statusId,
    urls: draft.mediaIds.length === 0 && !quoted ? findLinksInText(text) : [],
    hasMentions: mentioned.length > 0,
  }))
  await linkStatuses(tx, { statuses: links, delayed: false })
  for (const statusId of ids) tx.emit('status.created', { statusId })
  return ids
}

function rowOf(
  tx: Tx,
  {
    accountId,
    applicationId,
    draft,
    text,
    spoilerText,
    author,
    parent,
    quoted,
    visibility,
    localOnly,
    mentioned,
    emojiIds,
  }: CheckedStatus & { emojiIds: readonly string[] },
): NewStatusRow {
  return {
    account_id: accountId,
    username: author.username,
    text,
    content: formatContent(tx, { text, mentions: mentioned, quoteUrl: quoted?.url ?? null }),
    spoiler_text: spoilerText,
    visibility,
    // Also if the warning has become the text.
    sensitive: (draft.sensitive ?? author.default_sensitive) || !isBlank(draft.spoilerText),
    language: chooseLanguage(author, draft.language),
    in_reply_to_id: parent?.id ?? null,
    in_reply_to_account_id: parent ? replyRecipient(parent, accountId) : null,
    conversation_id: parent?.conversation_id ?? null,
    application_id: applicationId,
    local_only: localOnly,
    quote_automatic: storedQuotePolicy(draft.quotePolicy ?? author.default_quote_policy, visibility),
    emoji_ids: emojiIds,
  }
}

/** Adds uploads, polls and quotes, which few statuses have, to each status, and mentions to all. */
async function attachParts(tx: Tx, added: readonly (CheckedStatus & { statusId: string })[]): Promise<void> {
  for (const { statusId, accountId, draft, poll } of added) {
    await claimMedia(tx, { statusId, accountId, mediaIds: draft.mediaIds })
    if (poll) await insertPoll(tx, { statusId, accountId, poll })
  }
  const mentions = added.flatMap(({ statusId, mentioned }) => mentioned.map(({ id }) => ({ statusId, id })))
  if (mentions.length > 0) {
    await insertMentions(tx.db, {
      statusIds: mentions.map(({ statusId }) => statusId),
      mentionedIds: mentions.map(({ id }) => id),
    })
  }
  for (const { statusId, accountId, quoted } of added) {
    if (quoted) await quoteStatus(tx, { statusId, accountId, quoted })
  }
}

function isPublicOrUnlisted(visibility: StatusRow['visibility']): boolean {
  return visibility === 'public' || visibility === 'unlisted'
}

/** Only public statuses of accounts that are not limited count as uses of their hashtags. */
function tagReachOf({ visibility, localOnly, author }: CheckedDraft): TagReach {
  if (localOnly || !isPublicOrUnlisted(visibility)) return 'hidden'
  return visibility === 'public' && !author.silenced ? 'counted' : 'listed'
}

/** Counts new statuses in the counters of the statuses that they reply to and quote. */
async function countInOthers(tx: Tx, all: readonly CheckedDraft[]): Promise<void> {
  const quoted = all.flatMap((status) => status.quoted ?? [])
  const parents = all.flatMap(({ parent, visibility }) => (parent && isPublicOrUnlisted(visibility) ? [parent] : []))
  if (quoted.length > 0 && quoted.length + parents.length > 1)
    await lockStatusCounters(tx, { ids: [...new Set([...quoted, ...parents].map(({ id }) => id))] })
  // A quote of a remote status is counted when its author accepts it.
  for (const { id: quotedId, local } of quoted) if (local) await countQuote(tx, { quotedId, by: 1 })
  await countReplies(tx, { parentIds: parents.map(({ id }) => id) })
  const remoteParents = parents.filter(({ local }) => !local)
  await adjustOriginCounters(tx, { statusIds: remoteParents.map(({ id }) => id), counter: 'replies', by: 1 })
}

function chooseLanguage(author: DraftAuthor, requested: string | undefined): string {
  return normalizeLanguage(requested ?? '') ?? author.default_language ?? normalizeLanguage(author.locale) ?? 'en'
}
