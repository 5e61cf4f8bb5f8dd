import { createHash } from 'node:crypto'
import type { Ctx, Tx } from '../../domain/context.ts'
import type { Events } from '../../domain/events.ts'
import { quoteApprovalUri } from '../../domain/quotes/addresses.ts'
import { toJson } from '../../lib/json.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri } from '../objects/uris.ts'
import { writeUpdate } from '../objects/write-activities.ts'
import type { Activity } from '../objects/write-activities.ts'
import { writeNotes } from '../objects/write-notes.ts'
import {
  writeQuoteAccept,
  writeQuoteAuthorizationDelete,
  writeQuoteReject,
  writeQuoteRequest,
} from '../objects/write-quote-activities.ts'
import { sendActivity } from './send.ts'
import { holdStatus, whomToUpdate } from './statuses.ts'

interface QuoteRow {
  statusId: string
  statusUri: string
  /** Who quotes, and whom. */
  accountId: string
  actor: string
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

/** Effect: asks somebody elsewhere whether a status of here may quote them. It goes along, since not everybody may fetch it. */
export async function deliverQuoteRequest(ctx: Ctx, { quoteId }: Events['quote.requested']): Promise<void> {
  await ctx.write(async (tx) => {
    const [row] = await find(tx.db, { quoteId })
    if (!row || row.state !== 'pending' || row.requestUri === null) return
    const { statusId, accountId, actor, authorId, author, quotedUri: object, requestUri: uri } = row
    const note = (await writeNotes(tx, { ids: [statusId], now: tx.now })).get(statusId)
    if (!note) return
    const activity = writeQuoteRequest({ uri, actor, object, instrument: note.json }, { to: author })
    await sendTo(tx, { from: accountId, to: authorId, activity, statusId })
  })
}

/** Effect: tells somebody elsewhere that they may quote somebody here, as often as they ask. */
export async function deliverQuoteAccept(ctx: Ctx, { quoteId, uri }: Events['quote.authorised']): Promise<void> {
  await ctx.write(async (tx) => {
    const [row] = await find(tx.db, { quoteId })
    if (!row || row.state !== 'accepted' || row.approvalUri === null) return
    const { accountId, actor, authorId, author, statusUri, quotedUri: object, approvalUri: result } = row
    const request = { uri, actor, object, instrument: toJson(statusUri) }
    const activity = writeQuoteAccept(request, { actor: author, id: nameOf(uri), result })
    await sendTo(tx, { from: authorId, to: accountId, activity, again: true })
  })
}

const findUri = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts where id = $accountId`,
)

/** Effect: tells somebody elsewhere that they may not. */
export async function deliverQuoteReject(ctx: Ctx, refused: Events['quote.refused']): Promise<void> {
  const { accountId, targetAccountId, uri, quotedUri: object, statusUri } = refused
  const [asker] = await findUri(ctx.db, { accountId })
  if (!asker) return
  await ctx.write(async (tx) => {
    const request = { uri, actor: asker.uri, object, instrument: toJson(statusUri) }
    const activity = writeQuoteReject(request, { actor: actorUri(tx.config, targetAccountId), id: nameOf(uri) })
    await sendTo(tx, { from: targetAccountId, to: accountId, activity, again: true })
  })
}

const findQuoting = statement<{ params: { statusId: string }; row: { local: boolean; visibility: string } }>(
  `select s.local, s.visibility from statuses s where s.id = $statusId and not s.local_only
    and s.deleted_at is null for key share`,
)

/** Effect: tells whoever may know of a quote elsewhere that somebody here does not agree to it any more. */
export async function deliverQuoteRevocation(ctx: Ctx, revoked: Events['quote.revoked']): Promise<void> {
  const { statusId, statusUri: quoting, accountId, quotedId, quotedAccountId, quotedUri: quoted, approvalUri } = revoked
  await ctx.write(async (tx) => {
    const [status] = await findQuoting(tx.db, { statusId })
    if (!status) return
    const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
    const readers = status.local && status.visibility !== 'direct' ? [accountId] : []
    const consent = { uri: approvalUri, actor: actorUri(tx.config, quotedAccountId), quoting, quoted }
    await sendActivity(tx, {
      activity: writeQuoteAuthorizationDelete(consent),
      accountId: quotedAccountId,
      to: {
        // What is not for everybody stays with those who know of it.
        followersOf: isOpen ? [...readers, quotedAccountId] : readers,
        accountIds: [accountId],
        mentionedIn: statusId,
        ...(isOpen && { reachedBy: quotedId }),
      },
    })
  })
}

/** Effect: tells everybody who may have a status of here who may quote it now, or what became of its own quote. */
export async function deliverQuoting(ctx: Ctx, { statusId, at }: Events['status.quoting_changed']): Promise<void> {
  await ctx.write(async (tx) => {
    const status = await holdStatus(tx, { statusId })
    const note = status && (await writeNotes(tx, { ids: [statusId], now: tx.now })).get(statusId)
    if (!status || !note) return
    const activity = writeUpdate(tx.config, { note, at: new Date(at) })
    await sendActivity(tx, { activity, accountId: status.account_id, statusId, to: whomToUpdate(status) })
  })
}

interface Letter {
  from: string
  to: string
  activity: Activity
  statusId?: string
  again?: boolean
}

async function sendTo(tx: Tx, { from, to, ...outgoing }: Letter): Promise<void> {
  await sendActivity(tx, { ...outgoing, accountId: from, to: { accountIds: [to] }, personally: true })
}

/** A short name for a request, which is known by its address only. */
function nameOf(uri: string): string {
  return createHash('sha256').update(uri).digest('base64url').slice(0, 22)
}
