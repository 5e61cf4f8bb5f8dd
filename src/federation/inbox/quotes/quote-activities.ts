import type { Ctx } from '../../../domain/context.ts'
import { acceptQuote, rejectQuote, recordApprovalRevocation } from '../../../domain/quotes/answer-quote-request.ts'
import type { QuoteAnswer } from '../../../domain/quotes/answer-quote-request.ts'
import { canSeeStatus, canQuote, receiveQuoteRequest } from '../../../domain/quotes/receive-quote-request.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { ParsedActivity } from '../../objects/read/read-activity.ts'
import { resolveActor } from '../../remote/actors/resolve-actor.ts'
import { isQuoteApproved } from '../../remote/statuses/verify-quote.ts'
import { isExpectedFailure, isTemporary } from '../../remote/fetch/remote-errors.ts'
import { recordStatus } from '../../remote/statuses/record-status.ts'
import { findNoteReferences, toRemoteStatus } from '../../remote/statuses/resolve-status.ts'
import { idOf } from '../../wire/read-values.ts'
import { embeddedObject, sameOriginId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'
import { findNoteOrVote } from '../notes/record-delivered-note.ts'
import { isVote } from '../../remote/statuses/is-vote.ts'
import { readRemoteNote } from '../../remote/statuses/read-remote-note.ts'

interface QuotedStatus {
  id: string
  uri: string
  account_id: string
}

const findQuoted = statement<{ params: { uri: string | null }; row: QuotedStatus }>(
  `select id, uri, account_id from statuses
   where uri = $uri and local and not local_only and reblog_of_id is null and deleted_at is null`,
)
const findQuoting = statement<{ params: { statusUri: string; accountId: string }; row: { id: string } }>(
  `select id from statuses where uri = $statusUri and account_id = $accountId and reblog_of_id is null
    and deleted_at is null`,
)

/** QuoteRequest (FEP-044f): a remote account requests to quote a local status. */
export async function handleQuoteRequest(ctx: Ctx, incoming: IncomingActivity): Promise<void> {
  const { activity, budget } = incoming
  const { id: uri, actor, object, instrument } = activity
  const [quoted] = object === null ? [] : await findQuoted(ctx.db, { uri: idOf(object) })
  const statusUri = sameOriginId(activity, instrument)
  if (uri === null || !quoted || statusUri === null) return
  const accountId = await resolveActor(ctx, { uri: actor, budget })
  const pair = { accountId, statusId: quoted.id }
  // A response would reveal the status to an account that cannot see it.
  if (!(await canSeeStatus(ctx, pair))) return
  const [known] = await findQuoting(ctx.db, { statusUri, accountId })
  const find = async () => recordQuotingStatus(ctx, { incoming, accountId, quoted })
  const statusId = known?.id ?? ((await canQuote(ctx, pair)) ? await find() : null)
  await ctx.write((tx) =>
    receiveQuoteRequest(tx, {
      uri,
      accountId,
      quotedId: quoted.id,
      quotedUri: quoted.uri,
      quotedAccountId: quoted.account_id,
      statusUri,
      statusId,
    }),
  )
}

/** Records the quoting status and returns its id; null if it is unavailable. @throws temporary failures */
async function recordQuotingStatus(
  ctx: Ctx,
  {
    incoming: { activity, budget },
    accountId,
    quoted,
  }: { incoming: IncomingActivity; accountId: string; quoted: QuotedStatus },
): Promise<string | null> {
  const find = async () => {
    const document = await findNoteOrVote(ctx, { activity: { ...activity, object: activity.instrument }, budget })
    const note = document && (await readRemoteNote(ctx, document))
    if (!note || note.quote?.uri !== quoted.uri || (await isVote(ctx, note))) return null
    const references = await findNoteReferences(ctx, { note, accountId })
    const readerId = quoted.account_id
    return (await recordStatus(ctx, await toRemoteStatus(ctx, { note, accountId, references, budget, readerId })))
      .statusId
  }
  return find().catch((err: unknown) => {
    if (!isExpectedFailure(err) || isTemporary(err)) throw err
    return null
  })
}

/** A quote request that this server sent. */
interface SentQuoteRequest extends QuoteAnswer {
  statusUri: string
  quotedUri: string
  authorUri: string
}

const select = (condition: string) =>
  `select q.status_id as "statusId", q.quoted_account_id as "accountId", s.uri as "statusUri",
       q.quoted_uri as "quotedUri", author.uri as "authorUri"
     from quotes q join statuses s on s.id = q.status_id join accounts author on author.id = q.quoted_account_id
     where author.uri = $actor and s.local and s.deleted_at is null and ${condition}`
const findByRequest = statement<{
  params: { actor: string; requestUri: string }
  row: SentQuoteRequest
  notNull: 'accountId' | 'quotedUri'
}>(select('q.request_uri = $requestUri'))
const findByObjects = statement<{
  params: { actor: string; statusUri: string; quotedUri: string }
  row: SentQuoteRequest
  notNull: 'accountId' | 'quotedUri'
}>(select('s.uri = $statusUri and q.quoted_uri = $quotedUri'))

/**
 * Returns the quote request that a response of the quoted author is about, by its id or by the embedded request, since
 * some servers embed it with an id of their own.
 */
async function findSentQuoteRequest(ctx: Ctx, { actor, object }: ParsedActivity): Promise<SentQuoteRequest | null> {
  const uri = object === null ? null : idOf(object)
  const [byRequest] = uri === null ? [] : await findByRequest(ctx.db, { actor, requestUri: uri })
  if (byRequest) return byRequest
  const request = embeddedObject(object)
  const [quoting, quoted] = [idOf(request?.['instrument']), idOf(request?.['object'])]
  if (quoting === null || quoted === null) return null
  const [byObjects] = await findByObjects(ctx.db, { actor, statusUri: quoting, quotedUri: quoted })
  return byObjects ?? null
}

/** Accept: a remote account approves a quote by a local account. Returns false if the object is no quote request. */
export async function acceptQuoteByActivity(ctx: Ctx, { activity, budget }: IncomingActivity): Promise<boolean> {
  const request = await findSentQuoteRequest(ctx, activity)
  if (!request) return false
  const approvalUri = sameOriginId(activity, activity.result)
  if (approvalUri === null) return true
  const { statusUri: quoting, quotedUri: quoted, authorUri: author } = request
  if (await isQuoteApproved(ctx, { uri: approvalUri, author, quoting, quoted, budget })) {
    await ctx.write((tx) => acceptQuote(tx, { ...request, approvalUri }))
  }
  return true
}

/**
 * Reject: a remote account rejects a quote, or revokes its approval. Returns false if the object is no quote request.
 */
export async function rejectQuoteByActivity(ctx: Ctx, { activity }: IncomingActivity): Promise<boolean> {
  const request = await findSentQuoteRequest(ctx, activity)
  if (request) await ctx.write((tx) => rejectQuote(tx, request))
  return request !== null
}

const isApproval = statement<{ params: { uri: string; accountId: string } }>(
  `select from quotes where approval_uri = $uri and quoted_account_id = $accountId`,
)

/** Delete: a remote account revokes a quote authorization. Returns false if the object is none. */
export async function deleteQuoteApproval(
  ctx: Ctx,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<boolean> {
  if ((await isApproval(ctx.db, { uri, accountId })).length === 0) return false
  await ctx.write((tx) => recordApprovalRevocation(tx, { uri, accountId }))
  return true
}
