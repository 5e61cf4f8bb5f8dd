import { NotFoundError, UnprocessableError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import type { PollDraft } from '../../polls/check-poll.ts'
import type { QuotePolicy } from '../../quotes/quote-approval.ts'
import { findQuotable } from '../../quotes/find-quotable.ts'
import type { QuotableStatus } from '../../quotes/find-quotable.ts'
import { checkQuote, visibilityWithQuote } from '../../quotes/quote-status.ts'
import { checkText } from '../../text/check-text.ts'
import { findMentions } from '../../text/find-mentions.ts'
import type { MentionedAccount } from '../../text/find-mentions.ts'
import { lockVisibleOriginal } from '../../access/visibility.ts'
import type { StatusRow } from '../../access/visibility.ts'

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

const findAuthor = statement<{ params: { accountId: string }; row: DraftAuthor }>(
  `select a.locked, a.silenced_at is not null as silenced, a.username,
     u.default_privacy, u.default_sensitive, u.default_language, u.default_quote_policy, u.locale
   from accounts a join users u on u.account_id = a.id where a.id = $accountId`,
)

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
}

/**
 * Validates a draft and loads what it refers to.
 * @throws ValidationError; NotFoundError if the parent is not visible to the author, or if the author cannot see or may
 *   not quote the quoted status; UnexpectedMentionsError
 */
export async function checkDraft(
  tx: Tx,
  { accountId, draft }: { accountId: string; draft: StatusDraft },
): Promise<CheckedDraft> {
  const content = checkText({
    text: draft.text,
    spoilerText: draft.spoilerText,
    hasMedia: draft.mediaIds.length > 0,
    hasQuote: draft.quotedId !== undefined && draft.quotedId !== '',
  })
  const author = await findAuthorRow(tx, accountId)
  const parent = await findParent(tx, { accountId, inReplyToId: draft.inReplyToId })
  const quoted = await findQuotable(tx, { accountId, quotedId: draft.quotedId })
  const mentioned = await findMentions(tx, { text: content.text })
  checkAllowedMentions({ mentioned, accountId, allowed: draft.allowedMentions })
  const visibility = visibilityWithQuote(chooseVisibility(author, draft.visibility), quoted)
  // A quote of a local-only status is local-only too: other servers must not learn of that status through the quote.
  const localOnly = draft.localOnly || quoted?.local_only === true
  checkQuote({ quoted, accountId, visibility, localOnly, mentioned })
  return { ...content, author, parent, quoted, visibility, localOnly, mentioned }
}

async function findAuthorRow(tx: Tx, accountId: string): Promise<DraftAuthor> {
  const [author] = await findAuthor(tx.db, { accountId })
  if (!author) throw new NotFoundError()
  return author
}

function chooseVisibility(
  author: DraftAuthor,
  requested: StatusRow['visibility'] | undefined,
): StatusRow['visibility'] {
  const visibility = requested ?? author.default_privacy ?? (author.locked ? 'private' : 'public')
  return author.silenced && visibility === 'public' ? 'unlisted' : visibility
}

/** Returns the status replied to; for a reply to a reblog, the reblogged status. */
async function findParent(
  tx: Tx,
  { accountId, inReplyToId }: { accountId: string; inReplyToId: string | undefined },
): Promise<StatusRow | null> {
  if (inReplyToId === undefined || inReplyToId === '') return null
  const absent = new NotFoundError('The post you are trying to reply to does not appear to exist.')
  if (!isId(inReplyToId)) throw absent
  return lockVisibleOriginal(tx, { id: inReplyToId, viewerId: accountId }).catch((err: unknown) => {
    throw err instanceof NotFoundError ? absent : err
  })
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
