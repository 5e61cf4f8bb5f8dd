import { NotFoundError, UnprocessableError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { mapValues, resultOf, valueOf } from '../../../lib/results.ts'
import type { Result } from '../../../lib/results.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { checkPoll } from '../../polls/check-poll.ts'
import type { CheckedPoll, PollDraft } from '../../polls/check-poll.ts'
import type { QuotePolicy } from '../../quotes/quote-approval.ts'
import { findQuotable } from '../../quotes/find-quotable.ts'
import type { QuotableStatus } from '../../quotes/find-quotable.ts'
import { checkQuote, visibilityWithQuote } from '../../quotes/quote-status.ts'
import { checkTagsAllowed, findDisallowedTags } from '../../tags/disallowed-tags.ts'
import { checkText } from '../../text/check-text.ts'
import { findMentionsOfAll } from '../../text/find-mentions.ts'
import type { MentionedAccount } from '../../text/find-mentions.ts'
import { lockVisibleOriginals } from '../../access/visibility.ts'
import type { StatusRow } from '../../access/visibility.ts'
import { hashtagsOf } from '../parts/tag-status.ts'

export interface StatusDraft {
  text: string
  spoilerText: string
  visibility?: StatusRow['visibility']
  sensitive?: boolean
  language?: string
  inReplyToId?: string
  mediaIds: readonly string[]
  poll?: PollDraft | undefined
  quotedId?: string
  /** Who may quote the status; the author's default if left out. */
  quotePolicy?: QuotePolicy
  localOnly: boolean
  /** If given, the ids of the only accounts that the text may mention. */
  allowedMentions?: readonly string[]
}

/**
 * Thrown if a text mentions accounts that are not in the request's `allowed_mentions`. The route adds the rendered
 * accounts to the response.
 */
export class UnexpectedMentionsError extends UnprocessableError {
  readonly accountIds: string[]

  constructor(accountIds: string[]) {
    super('Post would be sent to unexpected accounts')
    this.accountIds = accountIds
  }
}

export interface DraftAuthor {
  locked: boolean
  silenced: boolean
  username: string
  default_privacy: StatusRow['visibility'] | null
  default_sensitive: boolean
  default_language: string | null
  default_quote_policy: QuotePolicy
  locale: string
}

const findAuthors = statement<{ params: { accountIds: readonly string[] }; row: DraftAuthor & { id: string } }>(
  `select a.id, a.locked, a.silenced_at is not null as silenced, a.username,
     u.default_privacy, u.default_sensitive, u.default_language, u.default_quote_policy, u.locale
   from accounts a join users u on u.account_id = a.id where a.id = any($accountIds::bigint[])`,
)

/** A draft and the account that posts it. */
export interface AuthoredDraft {
  accountId: string
  draft: StatusDraft
}

/** A draft that passed validation, with the statuses and accounts that it refers to. */
export interface CheckedDraft {
  text: string
  spoilerText: string
  author: DraftAuthor
  /** The status replied to. For a reply to a reblog: the reblogged status. */
  parent: StatusRow | null
  quoted: QuotableStatus | null
  visibility: StatusRow['visibility']
  localOnly: boolean
  mentioned: MentionedAccount[]
  poll: CheckedPoll | null
}

/**
 * Validates a draft and loads what it refers to.
 * @throws ValidationError; NotFoundError if the parent is not visible to the author, or if the author cannot see or may
 *   not quote the quoted status; UnexpectedMentionsError
 */
export async function checkDraft(tx: Tx, authored: AuthoredDraft): Promise<CheckedDraft> {
  const [checked] = await checkDrafts(tx, [authored])
  return valueOf(checked!)
}

/** Does the same for several drafts, each with its own error. */
export async function checkDrafts<Authored extends AuthoredDraft>(
  tx: Tx,
  all: readonly Authored[],
): Promise<Result<Authored & CheckedDraft>[]> {
  const withContent = all.map((authored) => resultOf(() => ({ ...authored, ...contentOf(authored.draft) })))
  return mapValues(withContent, async (drafts) => checkReferences(tx, drafts))
}

/** Returns the text and the content warning as they are stored. @throws ValidationError */
function contentOf({ text, spoilerText, mediaIds, quotedId }: StatusDraft): { text: string; spoilerText: string } {
  const hasQuote = quotedId !== undefined && quotedId !== ''
  return checkText({ text, spoilerText, hasMedia: mediaIds.length > 0, hasQuote })
}

async function checkReferences<Draft extends AuthoredDraft & { text: string; spoilerText: string }>(
  tx: Tx,
  drafts: readonly Draft[],
): Promise<Result<Draft & CheckedDraft>[]> {
  const tagsOfAll = drafts.map(({ text }) => [...hashtagsOf(text).keys()])
  const [rows, disallowed] = await Promise.all([
    findAuthors(tx.db, { accountIds: [...new Set(drafts.map(({ accountId }) => accountId))] }),
    findDisallowedTags(tx, { names: tagsOfAll.flat() }),
  ])
  const authors = new Map(rows.map(({ id, ...author }) => [id, author]))
  const parents = await findParents(tx, drafts)
  const quotedStatuses = await findQuotedStatuses(tx, drafts)
  const mentionedOfAll = await findMentionsOfAll(tx, { texts: drafts })
  return drafts.map((checked, n) =>
    resultOf(() => {
      const { accountId, draft } = checked
      const author = authors.get(accountId)
      if (!author) throw new NotFoundError()
      const parent = valueOf(parents[n] ?? null)
      const quoted = valueOf(quotedStatuses[n] ?? null)
      const mentioned = mentionedOfAll[n]!
      checkAllowedMentions({ mentioned, accountId, allowed: draft.allowedMentions })
      const visibility = visibilityWithQuote(chooseVisibility(author, draft.visibility), quoted)
      // A quote of a local-only status is local-only too: other servers must not learn of that status through the quote.
      const localOnly = draft.localOnly || quoted?.local_only === true
      checkQuote({ quoted, accountId, visibility, localOnly, mentioned })
      if (visibility === 'public') checkTagsAllowed({ names: tagsOfAll[n]!, disallowed })
      const poll = draft.poll ? checkPoll({ draft: draft.poll, now: tx.now }) : null
      return { ...checked, author, parent, quoted, visibility, localOnly, mentioned, poll }
    }),
  )
}

function chooseVisibility(
  author: DraftAuthor,
  requested: StatusRow['visibility'] | undefined,
): StatusRow['visibility'] {
  const visibility = requested ?? author.default_privacy ?? (author.locked ? 'private' : 'public')
  return author.silenced && visibility === 'public' ? 'unlisted' : visibility
}

/** Returns the statuses replied to; for replies to reblogs, the reblogged statuses. */
async function findParents(tx: Tx, drafts: readonly AuthoredDraft[]): Promise<Result<StatusRow | null>[]> {
  const named = drafts.map(({ accountId, draft }) => ({ id: draft.inReplyToId ?? '', viewerId: accountId }))
  const found = (
    await lockVisibleOriginals(
      tx,
      named.filter(({ id }) => isId(id)),
    )
  ).values()
  return named.map(({ id }) => {
    if (id === '') return null
    const parent = isId(id) ? found.next().value : null
    return parent ?? new NotFoundError('The post you are trying to reply to does not appear to exist.')
  })
}

/** Returns the statuses that are quoted, which are few, so each has its own statements. */
async function findQuotedStatuses(tx: Tx, drafts: readonly AuthoredDraft[]): Promise<Result<QuotableStatus | null>[]> {
  const found: Result<QuotableStatus | null>[] = []
  for (const { accountId, draft } of drafts) {
    found.push(
      await findQuotable(tx, { accountId, quotedId: draft.quotedId }).catch((err: unknown) => {
        if (err instanceof NotFoundError) return err
        throw err
      }),
    )
  }
  return found
}

function checkAllowedMentions({
  mentioned,
  accountId,
  allowed,
}: {
  mentioned: readonly MentionedAccount[]
  accountId: string
  allowed: readonly string[] | undefined
}): void {
  if (allowed === undefined) return
  const unexpected = mentioned.map((one) => one.id).filter((id) => id !== accountId && !allowed.includes(id))
  if (unexpected.length > 0) throw new UnexpectedMentionsError(unexpected)
}
