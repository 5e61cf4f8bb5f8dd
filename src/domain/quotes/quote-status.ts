import { randomUUID } from 'node:crypto'
import { ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { MentionedAccount } from '../text/find-mentions.ts'
import type { StatusRow } from '../access/visibility.ts'
import type { QuotableStatus } from './find-quotable.ts'

const insert = statement<{
  params: {
    statusId: string
    accountId: string
    quotedId: string
    authorId: string
    uri: string
    state: string
    requestUri: string | null
    now: Date
  }
  row: { id: string }
}>(
  `insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state, request_uri,
     created_at, updated_at)
   values ($statusId, $accountId, $quotedId, $authorId, $uri, $state, $requestUri, $now, $now) returning id`,
)
const insertSilentMention = statement<{ params: { statusId: string; accountId: string } }>(
  `insert into mentions (status_id, account_id, silent) values ($statusId, $accountId, true) on conflict (status_id,
    account_id) do nothing`,
)

/** Returns the visibility of a status with this quote: a status that quotes a private one is private, unless direct. */
export function visibilityWithQuote(
  visibility: StatusRow['visibility'],
  quoted: QuotableStatus | null,
): StatusRow['visibility'] {
  return quoted?.visibility === 'private' && visibility !== 'direct' ? 'private' : visibility
}

/**
 * Checks whether a status with these properties may contain the quote.
 * @throws ValidationError for a direct status that does not mention the quoted author, and for a local-only status that
 *   quotes a remote one, because no quote request could be sent
 */
export function checkQuote({
  quoted,
  accountId,
  visibility,
  localOnly,
  mentioned,
}: {
  quoted: QuotableStatus | null
  accountId: string
  visibility: StatusRow['visibility']
  localOnly: boolean
  mentioned: readonly MentionedAccount[]
}): void {
  if (quoted === null) return
  const isOwn = quoted.account_id === accountId
  if (visibility === 'direct' && !isOwn && mentioned.every(({ id }) => id !== quoted.account_id)) {
    throw validationError('A direct post has to mention whom it quotes')
  }
  if (localOnly && !quoted.local)
    throw validationError('A post that stays on this server can not quote one of another server')
}

function validationError(text: string): ValidationError {
  return new ValidationError([{ attribute: '', code: 'ERR_INVALID', text }])
}

/**
 * Adds a quote to a new status. The quote of a local status is accepted at once, by its quote policy, and the caller has
 * counted it (`countQuote`); for a remote status a quote request is sent. The quoted author may always read the quoting
 * status.
 */
export async function quoteStatus(
  tx: Tx,
  { statusId, accountId, quoted }: { statusId: string; accountId: string; quoted: QuotableStatus },
): Promise<void> {
  const requestUri = quoted.local ? null : `${tx.config.origin}/ap/users/${accountId}/quote_requests/${randomUUID()}`
  const state = quoted.local ? 'accepted' : 'pending'
  const { id: quotedId, account_id: authorId, uri } = quoted
  const [row] = await insert(tx.db, { statusId, accountId, quotedId, authorId, uri, state, requestUri, now: tx.now })
  const quoteId = row!.id
  if (!quoted.local) tx.emit('quote.requested', { quoteId })
  if (authorId === accountId) return
  await addressQuotedAuthor(tx, { statusId, accountId: authorId })
  if (quoted.local) tx.emit('quote.accepted', { quoteId })
}

/** Lets the quoted author read the quoting status, by a silent mention. */
export async function addressQuotedAuthor(
  tx: Tx,
  { statusId, accountId }: { statusId: string; accountId: string },
): Promise<void> {
  await insertSilentMention(tx.db, { statusId, accountId })
}
