import { recordQuoteApproval } from '../../../domain/quotes/answer-quote-request.ts'
import type { RemoteQuoteFacts } from '../../../domain/quotes/record-remote-quote.ts'
import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import { hostOf, idOf, isOfType, isSameHost } from '../../wire/read-values.ts'
import { isLocalDomain } from '../fetch/request-remote.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { fetchDocument } from '../fetch/fetch-document.ts'

const AUTHORIZATION = new Set(['QuoteAuthorization'])

const findPending = statement<{
  params: { statusUri: string; uri: string }
  row: { status_id: string; account_id: string }
}>(
  `select q.status_id, q.account_id from quotes q join statuses s on s.id = q.status_id
   where s.uri = $statusUri and s.deleted_at is null and q.state = 'pending' and q.quoted_uri = $uri`,
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
 * be. Quotes of local statuses are only accepted by quote requests.
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
  if (!pending) return
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
