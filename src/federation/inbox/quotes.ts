import type { Ctx } from '../../domain/context.ts'
import { acceptQuote, rejectQuote, takeBackConsent } from '../../domain/quotes/answer.ts'
import type { QuoteAnswer } from '../../domain/quotes/answer.ts'
import { mayHearOf, mayQuote, receiveQuoteRequest } from '../../domain/quotes/receive-request.ts'
import { recordRemoteStatus } from '../../domain/statuses/record-remote.ts'
import { statement } from '../../platform/db/statement.ts'
import type { ActivityFacts } from '../objects/read-activity.ts'
import { readNote } from '../objects/read-note.ts'
import { resolveActor } from '../remote/actor.ts'
import { isAgreedAt } from '../remote/quote.ts'
import { isForeseen, isPassing } from '../remote/refusals.ts'
import { describeStatus } from '../remote/status.ts'
import { idOf } from '../wire/read.ts'
import { embedded, ownId } from './incoming.ts'
import type { Incoming } from './incoming.ts'
import { findDocument } from './take-note.ts'

interface Quoted {
  id: string
  uri: string
  account_id: string
}

const findQuoted = statement<{ params: { uri: string | null }; row: Quoted }>(
  `select id, uri, account_id from statuses
   where uri = $uri and local and not local_only and reblog_of_id is null and deleted_at is null`,
)
const findQuoting = statement<{ params: { statusUri: string; accountId: string }; row: { id: string } }>(
  `select id from statuses where uri = $statusUri and account_id = $accountId and reblog_of_id is null
    and deleted_at is null`,
)

/** Somebody elsewhere wants to quote somebody here. */
export async function handleQuoteRequest(ctx: Ctx, incoming: Incoming): Promise<void> {
  const { activity, budget } = incoming
  const { id: uri, actor, object, instrument } = activity
  const [quoted] = object === null ? [] : await findQuoted(ctx.db, { uri: idOf(object) })
  const statusUri = ownId(activity, instrument)
  if (uri === null || !quoted || statusUri === null) return
  const accountId = await resolveActor(ctx, { uri: actor, budget })
  const pair = { accountId, statusId: quoted.id }
  // Whoever may not see it is told nothing of it.
  if (!(await mayHearOf(ctx, pair))) return
  const [known] = await findQuoting(ctx.db, { statusUri, accountId })
  const find = async () => findInstrument(ctx, { incoming, accountId, quoted })
  const statusId = known?.id ?? ((await mayQuote(ctx, pair)) ? await find() : null)
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

/** Records the status that is to quote; null where there is none to be had, for now or for ever. */
async function findInstrument(
  ctx: Ctx,
  { incoming: { activity, budget }, accountId, quoted }: { incoming: Incoming; accountId: string; quoted: Quoted },
): Promise<string | null> {
  const find = async () => {
    const document = await findDocument(ctx, { activity: { ...activity, object: activity.instrument }, budget })
    const note = document && readNote(document, { now: ctx.now() })
    if (!note || note.vote !== null || note.quote?.uri !== quoted.uri) return null
    const facts = await describeStatus(ctx, { note, accountId, budget, readerId: quoted.account_id })
    return (await ctx.write((tx) => recordRemoteStatus(tx, facts))).statusId
  }
  return find().catch((err: unknown) => {
    if (!isForeseen(err) || isPassing(err)) throw err
    return null
  })
}

/** A request that was sent from here, by whatever the answer calls it. */
interface Asked extends QuoteAnswer {
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
  row: Asked
  notNull: 'accountId' | 'quotedUri'
}>(select('q.request_uri = $requestUri'))
const findByObjects = statement<{
  params: { actor: string; statusUri: string; quotedUri: string }
  row: Asked
  notNull: 'accountId' | 'quotedUri'
}>(select('s.uri = $statusUri and q.quoted_uri = $quotedUri'))

/** Only the one who was asked can answer. Some repeat what we sent under an id of their own. */
async function findAsked(ctx: Ctx, { actor, object }: ActivityFacts): Promise<Asked | null> {
  const uri = object === null ? null : idOf(object)
  const [exact] = uri === null ? [] : await findByRequest(ctx.db, { actor, requestUri: uri })
  if (exact) return exact
  const request = embedded(object)
  const [quoting, quoted] = [idOf(request?.['instrument']), idOf(request?.['object'])]
  if (quoting === null || quoted === null) return null
  const [alike] = await findByObjects(ctx.db, { actor, statusUri: quoting, quotedUri: quoted })
  return alike ?? null
}

/** Somebody elsewhere agrees to be quoted by somebody here. False when it is an answer to something else. */
export async function acceptQuoting(ctx: Ctx, { activity, budget }: Incoming): Promise<boolean> {
  const asked = await findAsked(ctx, activity)
  if (!asked) return false
  const approvalUri = ownId(activity, activity.result)
  if (approvalUri === null) return true
  const { statusUri: quoting, quotedUri: quoted, authorUri: author } = asked
  if (await isAgreedAt(ctx, { uri: approvalUri, author, quoting, quoted, budget })) {
    await ctx.write((tx) => acceptQuote(tx, { ...asked, approvalUri }))
  }
  return true
}

/** They do not, or no longer. False when it is an answer to something else. */
export async function rejectQuoting(ctx: Ctx, { activity }: Incoming): Promise<boolean> {
  const asked = await findAsked(ctx, activity)
  if (asked) await ctx.write((tx) => rejectQuote(tx, asked))
  return asked !== null
}

const isConsent = statement<{ params: { uri: string; accountId: string } }>(
  `select from quotes where approval_uri = $uri and quoted_account_id = $accountId`,
)

/** Somebody elsewhere takes back that they agree to be quoted. False when it is about something else. */
export async function deleteConsent(
  ctx: Ctx,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<boolean> {
  if ((await isConsent(ctx.db, { uri, accountId })).length === 0) return false
  await ctx.write((tx) => takeBackConsent(tx, { uri, accountId }))
  return true
}
