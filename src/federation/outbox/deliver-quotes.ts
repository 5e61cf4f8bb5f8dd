import { createHash } from 'node:crypto'
import type { Ctx, Tx } from '../../domain/context.ts'
import type { Events } from '../../domain/events.ts'
import { quoteApprovalUri } from '../../domain/quotes/quote-approval-uri.ts'
import { toJson } from '../../lib/json/json.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri } from '../objects/uris.ts'
import type { Activity } from '../objects/write/write-activities.ts'
import { writeNotes } from '../objects/write/write-notes.ts'
import {
  writeQuoteAccept,
  writeQuoteAuthorizationDelete,
  writeQuoteReject,
  writeQuoteRequest,
} from '../objects/write/write-quote-activities.ts'
import { findUpdateRecipients, lockStatus, sendNoteUpdate } from './deliver-statuses.ts'
import { sendActivity } from './send-activity.ts'

interface QuoteRow {
  statusId: string
  statusUri: string
  /** The account that quotes, and its id as an actor. */
  accountId: string
  actor: string
  /** The author of the quoted status, and its id as an actor. */
  authorId: string
  author: string
  quotedUri: string
  state: string
  requestUri: string | null
  approvalUri: string | null
}

const find = statement<{ params: { quoteId: string }; row: QuoteRow; notNull: 'authorId' | 'quotedUri' }>(
  `select q.status_id as "statusId", s.uri as "statusUri", q.account_id as "accountId", a.uri as actor,
     q.quoted_account_id as "authorId", author.uri as author, q.quoted_uri as "quotedUri", q.state,
     q.request_uri as "requestUri", ${quoteApprovalUri()} as "approvalUri"
   from quotes q join statuses s on s.id = q.status_id join accounts a on a.id = q.account_id
     join accounts author on author.id = q.quoted_account_id
   where q.id = $quoteId and s.deleted_at is null for key share of s, q`,
)

/** Effect: asks a remote author to approve a quote. The quoting note is embedded, since it may not be public. */
export async function deliverQuoteRequest(ctx: Ctx, { quoteId }: Events['quote.requested']): Promise<void> {
  await ctx.write(async (tx) => {
    const [row] = await find(tx.db, { quoteId })
    if (!row || row.state !== 'pending' || row.requestUri === null) return
    const { statusId, accountId, actor, authorId, author, quotedUri: object, requestUri: uri } = row
    const note = (await writeNotes(tx, { ids: [statusId], now: tx.now })).get(statusId)
    if (!note) return
    const activity = writeQuoteRequest({ uri, actor, object, instrument: note.json }, { to: author })
    await sendToAccount(tx, { from: accountId, to: authorId, activity, statusId })
  })
}

/** Effect: sends the Accept of a remote quote request, again for each repeated request. */
export async function deliverQuoteAccept(ctx: Ctx, { quoteId, uri }: Events['quote.request_accepted']): Promise<void> {
  await ctx.write(async (tx) => {
    const [row] = await find(tx.db, { quoteId })
    if (!row || row.state !== 'accepted' || row.approvalUri === null) return
    const { accountId, actor, authorId, author, statusUri, quotedUri: object, approvalUri: result } = row
    const request = { uri, actor, object, instrument: toJson(statusUri) }
    const activity = writeQuoteAccept(request, { actor: author, id: requestKeyOf(uri), result })
    await sendToAccount(tx, { from: authorId, to: accountId, activity, resend: true })
  })
}

const findUri = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts where id = $accountId`,
)

/** Effect: sends the Reject of a remote quote request, again for each repeated request. */
export async function deliverQuoteReject(ctx: Ctx, event: Events['quote.request_rejected']): Promise<void> {
  const { accountId, targetAccountId, uri, quotedUri: object, statusUri } = event
  const [requester] = await findUri(ctx.db, { accountId })
  if (!requester) return
  await ctx.write(async (tx) => {
    const request = { uri, actor: requester.uri, object, instrument: toJson(statusUri) }
    const activity = writeQuoteReject(request, { actor: actorUri(tx.config, targetAccountId), id: requestKeyOf(uri) })
    await sendToAccount(tx, { from: targetAccountId, to: accountId, activity, resend: true })
  })
}

const findQuoting = statement<{ params: { statusId: string }; row: { local: boolean; visibility: string } }>(
  `select s.local, s.visibility from statuses s where s.id = $statusId and not s.local_only
    and s.deleted_at is null for key share`,
)

/** Effect: sends the revocation of a quote authorization to the servers that may know of the quote. */
export async function deliverQuoteRevocation(ctx: Ctx, event: Events['quote.revoked']): Promise<void> {
  const { statusId, statusUri: quoting, accountId, quotedId, quotedAccountId, quotedUri: quoted, approvalUri } = event
  await ctx.write(async (tx) => {
    const [status] = await findQuoting(tx.db, { statusId })
    if (!status) return
    const isPublic = status.visibility === 'public' || status.visibility === 'unlisted'
    const followedAccounts = status.local && status.visibility !== 'direct' ? [accountId] : []
    const approval = { uri: approvalUri, actor: actorUri(tx.config, quotedAccountId), quoting, quoted }
    await sendActivity(tx, {
      activity: writeQuoteAuthorizationDelete(approval),
      accountId: quotedAccountId,
      to: {
        // The revocation of a quote by a non-public status must not reveal that status to others.
        followersOf: isPublic ? [...followedAccounts, quotedAccountId] : followedAccounts,
        accountIds: [accountId],
        mentionedIn: statusId,
        ...(isPublic && { interactedWith: quotedId }),
      },
    })
  })
}

/** Effect: sends the Update of a local status after a change of its quote policy or of the state of its own quote. */
export async function deliverQuoteChange(
  ctx: Ctx,
  { statusId, at }: Events['status.quote_state_changed'],
): Promise<void> {
  await ctx.write(async (tx) => {
    const status = await lockStatus(tx, { statusId })
    const note = status && (await writeNotes(tx, { ids: [statusId], now: tx.now })).get(statusId)
    if (!status || !note) return
    await sendNoteUpdate(tx, { note, at: new Date(at), statusId, to: await findUpdateRecipients(tx, status) })
  })
}

interface DirectActivity {
  from: string
  to: string
  activity: Activity
  statusId?: string
  resend?: boolean
}

async function sendToAccount(tx: Tx, { from, to, ...outgoing }: DirectActivity): Promise<void> {
  await sendActivity(tx, { ...outgoing, accountId: from, to: { accountIds: [to] }, toPersonalInboxes: true })
}

/** Returns a short key for a request, which has no row with an id on this server. */
function requestKeyOf(uri: string): string {
  return createHash('sha256').update(uri).digest('base64url').slice(0, 22)
}
