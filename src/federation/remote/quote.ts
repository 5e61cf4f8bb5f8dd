import { recordConsent } from '../../domain/quotes/answer.ts'
import type { RemoteQuoteFacts } from '../../domain/quotes/record-remote.ts'
import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { hostOf, idOf, isOfType, isSameHost } from '../wire/read.ts'
import { isOurs } from './ask.ts'
import type { Budget } from './budget.ts'
import { fetchDocument } from './document.ts'

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
 * Looks whether a status of another server, which is recorded here, may quote what it quotes: with the consent of an
 * author of yet another server, where everybody finds it, or as the author of both. `find`: gives what is quoted, by its
 * address, fetched if need be. Only those of here answer for what was written here.
 * @throws what `fetchDocument` and `find` throw
 */
export async function settleQuote(
  ctx: Ctx,
  {
    statusUri,
    quote,
    budget,
    find,
  }: { statusUri: string; quote: RemoteQuoteFacts | null; budget: Budget; find: (uri: string) => Promise<string> },
): Promise<void> {
  const uri = quote?.uri ?? null
  if (uri === null || isOurs(ctx, hostOf(uri) ?? '')) return
  const approvalUri = quote?.approvalUri ?? null
  const isClaimed = approvalUri !== null && isSameHost(approvalUri, uri)
  // Nothing is fetched for a quote that nobody could have agreed to.
  if (!isClaimed && !isSameHost(statusUri, uri)) return
  const [pending] = await findPending(ctx.db, { statusUri, uri })
  if (!pending) return
  const [quoted] = await findQuoted(ctx.db, { id: await find(uri), uri })
  if (!quoted) return
  const { id, account_id: accountId, author_uri: author } = quoted
  const isOwn = accountId === pending.account_id
  const consent = { quoting: statusUri, quoted: uri, author, budget }
  if (!isOwn && !(isClaimed && (await isAgreedAt(ctx, { uri: approvalUri, ...consent })))) return
  await ctx.write((tx) =>
    recordConsent(tx, {
      statusId: pending.status_id,
      quoted: { id, accountId, uri },
      approvalUri: isOwn ? null : approvalUri,
    }),
  )
}

/**
 * Whether an author agrees to a quote, as is shown at an address of their own server, and for just these two statuses.
 * @throws what `fetchDocument` throws
 */
export async function isAgreedAt(
  ctx: Ctx,
  {
    uri,
    author,
    quoting,
    quoted,
    budget,
  }: { uri: string; author: string; quoting: string; quoted: string; budget: Budget },
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
