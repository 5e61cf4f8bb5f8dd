import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { PollDraft } from '../polls/check.ts'
import type { QuotePolicy } from '../quotes/approval.ts'
import { findQuotable } from '../quotes/find-quotable.ts'
import type { Quotable } from '../quotes/find-quotable.ts'
import { checkQuoting, visibilityOfQuoting } from '../quotes/quote.ts'
import { checkText } from './check-text.ts'
import { findMentions } from './find-mentions.ts'
import type { MentionedAccount } from './find-mentions.ts'
import { findVisibleStatus } from './visibility.ts'
import type { StatusRow } from './visibility.ts'

export interface Draft {
  text: string
  spoilerText: string
  visibility?: StatusRow['visibility']
  sensitive?: boolean
  language?: string
  inReplyToId?: string
  mediaIds: readonly string[]
  poll?: PollDraft | undefined
  quotedId?: string
  /** Whom its author lets quote it; left out: as they always do. */
  quotePolicy?: QuotePolicy
  localOnly: boolean
  /** When given, the only accounts that the text may mention. */
  allowedMentions?: readonly string[]
}

/** Thrown when a text would reach people that its author did not name. The door adds the accounts. */
export class UnexpectedMentions extends Unprocessable {
  readonly accountIds: string[]

  constructor(accountIds: string[]) {
    super('Post would be sent to unexpected accounts')
    this.accountIds = accountIds
  }
}

export interface Author {
  locked: boolean
  silenced: boolean
  username: string
  default_privacy: StatusRow['visibility'] | null
  default_sensitive: boolean
  default_language: string | null
  default_quote_policy: QuotePolicy
  locale: string
}

const findAuthor = statement<{ params: { accountId: string }; row: Author }>(
  `select a.locked, a.silenced_at is not null as silenced, a.username,
     u.default_privacy, u.default_sensitive, u.default_language, u.default_quote_policy, u.locale
   from accounts a join users u on u.account_id = a.id where a.id = $accountId`,
)

/** A draft that can be posted now, with what it refers to. */
export interface CheckedDraft {
  text: string
  spoilerText: string
  author: Author
  /** What it answers; of a boost, what that boosts. */
  parent: StatusRow | null
  quoted: Quotable | null
  visibility: StatusRow['visibility']
  localOnly: boolean
  mentioned: MentionedAccount[]
}

/**
 * Judges what somebody wants to post.
 * @throws ValidationFailed · NotFound for a reply to what the author can't see, and for a quote of that or of what they
 *   may not quote · UnexpectedMentions
 */
export async function checkDraft(
  tx: Tx,
  { accountId, draft }: { accountId: string; draft: Draft },
): Promise<CheckedDraft> {
  const said = checkText({
    text: draft.text,
    spoilerText: draft.spoilerText,
    hasMedia: draft.mediaIds.length > 0,
    hasQuote: draft.quotedId !== undefined && draft.quotedId !== '',
  })
  const author = await findAuthorRow(tx, accountId)
  const parent = await findParent(tx, { accountId, inReplyToId: draft.inReplyToId })
  const quoted = await findQuotable(tx, { accountId, quotedId: draft.quotedId })
  const mentioned = await findMentions(tx, { text: said.text })
  refuseUnexpected({ mentioned, accountId, allowed: draft.allowedMentions })
  const visibility = visibilityOfQuoting(chooseVisibility(author, draft.visibility), quoted)
  // What is not told to other servers is not told to them by who quotes it either.
  const localOnly = draft.localOnly || quoted?.local_only === true
  checkQuoting({ quoted, accountId, visibility, localOnly, mentioned })
  return { ...said, author, parent, quoted, visibility, localOnly, mentioned }
}

async function findAuthorRow(tx: Tx, accountId: string): Promise<Author> {
  const [author] = await findAuthor(tx.db, { accountId })
  if (!author) throw new NotFound()
  return author
}

function chooseVisibility(author: Author, asked: StatusRow['visibility'] | undefined): StatusRow['visibility'] {
  const visibility = asked ?? author.default_privacy ?? (author.locked ? 'private' : 'public')
  return author.silenced && visibility === 'public' ? 'unlisted' : visibility
}

/** What is replied to; of a boost, what it boosts. */
async function findParent(
  tx: Tx,
  { accountId, inReplyToId }: { accountId: string; inReplyToId: string | undefined },
): Promise<StatusRow | null> {
  if (inReplyToId === undefined || inReplyToId === '') return null
  const absent = new NotFound('The post you are trying to reply to does not appear to exist.')
  if (!isId(inReplyToId)) throw absent
  const find = (id: string) =>
    findVisibleStatus(tx, { id, viewerId: accountId }).catch((err: unknown) => {
      throw err instanceof NotFound ? absent : err
    })
  const parent = await find(inReplyToId)
  return parent.reblog_of_id === null ? parent : find(parent.reblog_of_id)
}

function refuseUnexpected({
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
  if (unexpected.length > 0) throw new UnexpectedMentions(unexpected)
}
