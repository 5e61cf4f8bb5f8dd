import {
  recordApprovalCheck,
  recordApprovalRevocation,
  recordQuoteApproval,
} from '../../../domain/quotes/answer-quote-request.ts'
import type { RemoteQuoteFacts } from '../../../domain/quotes/record-remote-quote.ts'
import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import { hostOf, idOf, isOfType, isSameHost } from '../../wire/read-values.ts'
import { isLocalDomain } from '../fetch/request-remote.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { fetchDocument } from '../fetch/fetch-document.ts'
import { RemoteGoneError, isExpectedFailure } from '../fetch/remote-errors.ts'

const AUTHORIZATION = new Set(['QuoteAuthorization'])

/** The authorization of an accepted quote is fetched again after this time, as in Mastodon. */
const CHECK_INTERVAL_MS = 7 * 24 * 60 * 60 * 1_000

const findPending = statement<{
  params: { statusUri: string; uri: string }
  row: { status_id: string; account_id: string }
}>(
  `select q.status_id, q.account_id from quotes q join statuses s on s.id = q.status_id
   where s.uri = $statusUri and s.deleted_at is null and q.state = 'pending' and q.quoted_uri = $uri`,
)
const findUnchecked = statement<{
  params: { statusUri: string; checkedBefore: Date }
  row: { uri: string; account_id: string }
  notNull: 'uri' | 'account_id'
}>(
  `select q.approval_uri as uri, q.quoted_account_id as account_id from quotes q join statuses s on s.id = q.status_id
   where s.uri = $statusUri and s.deleted_at is null and q.state = 'accepted' and q.approval_uri is not null
     and q.quoted_account_id is not null and q.updated_at <= $checkedBefore`,
)
const findQuoted = statement<{
  params: { id: string; uri: string }
  row: { id: string; account_id: string; author_uri: string }
}>(
  `select s.id, s.account_id, a.uri as author_uri from statuses s join accounts a on a.id = s.account_id
   where s.id = $id and s.uri = $uri and not s.local and s.deleted_at is null and s.reblog_of_id is null`,
)

/**
 * Verifies the quote of a stored remote status, if the quoted status is remote, too: by the quote authorization of its
 * author, or because both have the same author. `find`: returns the id of the quoted status by its URI, fetched if need
 * be. An accepted quote is verified again after a week. Quotes of local statuses are only accepted by quote requests.
 * @throws what `fetchDocument` and `find` throw
 */
export async function verifyQuote(
  ctx: Ctx,
  {
    statusUri,
    quote,
    budget,
    find,
  }: { statusUri: string; quote: RemoteQuoteFacts | null; budget: FetchBudget; find: (uri: string) => Promise<string> },
): Promise<void> {
  const uri = quote?.uri ?? null
  if (uri === null || isLocalDomain(ctx, hostOf(uri) ?? '')) return
  const approvalUri = quote?.approvalUri ?? null
  const hasApproval = approvalUri !== null && isSameHost(approvalUri, uri)
  // Nothing is fetched for a quote that has neither an authorization nor possibly the same author.
  if (!hasApproval && !isSameHost(statusUri, uri)) return
  const [pending] = await findPending(ctx.db, { statusUri, uri })
  if (!pending) return checkQuoteApproval(ctx, { statusUri, budget })
  const [quoted] = await findQuoted(ctx.db, { id: await find(uri), uri })
  if (!quoted) return
  const { id, account_id: accountId, author_uri: author } = quoted
  const isSelfQuote = accountId === pending.account_id
  const approval = { quoting: statusUri, quoted: uri, author, budget }
  if (!isSelfQuote && !(hasApproval && (await isQuoteApproved(ctx, { uri: approvalUri, ...approval })))) return
  await ctx.write((tx) =>
    recordQuoteApproval(tx, {
      statusId: pending.status_id,
      quoted: { id, accountId, uri },
      approvalUri: isSelfQuote ? null : approvalUri,
    }),
  )
}

/**
 * Revokes the accepted quote in a status if its quote authorization does not exist any more, because the Delete of that
 * may not have reached this server. Does nothing if the authorization was fetched in the last week, or if its server is
 * not available.
 */
export async function checkQuoteApproval(
  ctx: Ctx,
  { statusUri, budget }: { statusUri: string; budget: FetchBudget },
): Promise<void> {
  const checkedBefore = new Date(ctx.now().getTime() - CHECK_INTERVAL_MS)
  const [approval] = await findUnchecked(ctx.db, { statusUri, checkedBefore })
  if (!approval) return
  const { uri, account_id: accountId } = approval
  try {
    await fetchDocument(ctx, { uri, budget })
    await ctx.write((tx) => recordApprovalCheck(tx, { uri }))
  } catch (err) {
    if (err instanceof RemoteGoneError) await ctx.write((tx) => recordApprovalRevocation(tx, { uri, accountId }))
    else if (!isExpectedFailure(err)) throw err
  }
}

/**
 * Returns whether a quote authorization on the author's own server approves the quote of exactly these two statuses.
 * @throws what `fetchDocument` throws
 */
export async function isQuoteApproved(
  ctx: Ctx,
  {
    uri,
    author,
    quoting,
    quoted,
    budget,
  }: { uri: string; author: string; quoting: string; quoted: string; budget: FetchBudget },
): Promise<boolean> {
  if (!isSameHost(uri, author)) return false
  const document = await fetchDocument(ctx, { uri, budget })
  return (
    isOfType(document, AUTHORIZATION) &&
    idOf(document) === uri &&
    idOf(document['attributedTo']) === author &&
    idOf(document['interactingObject']) === quoting &&
    idOf(document['interactionTarget']) === quoted
  )
}
