import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockUris } from '../lock-uris.ts'
import { isBuried } from '../tombstones.ts'
import { changeQuote } from './change.ts'
import { holdQuote } from './hold.ts'
import type { HeldQuote } from './hold.ts'

/** A request that was sent from here, and who answers it. */
export interface QuoteAnswer {
  /** The status that quotes. */
  statusId: string
  /** Whom it quotes. */
  accountId: string
}

const isTaken = statement<{ params: { approvalUri: string; quoteId: string } }>(
  `select from quotes where approval_uri = $approvalUri and id <> $quoteId`,
)
const findUri = statement<{ params: { quotedAccountId: string | null }; row: { uri: string } }>(
  `select uri from accounts where id = $quotedAccountId`,
)

/**
 * Somebody elsewhere agrees to be quoted by a status of here that asked. `approvalUri`: where everybody finds that they
 * do; it has been looked at. Only what still waits for an answer gets one.
 */
export async function acceptQuote(
  tx: Tx,
  { approvalUri, ...answer }: QuoteAnswer & { approvalUri: string },
): Promise<void> {
  await lockUris(tx, { uris: [approvalUri] })
  const quote = await holdAsked(tx, answer)
  if (quote?.state === 'pending') await approve(tx, { quote, approvalUri })
}

/** They do not agree, or no longer. */
export async function rejectQuote(tx: Tx, answer: QuoteAnswer): Promise<void> {
  const quote = await holdAsked(tx, answer)
  if (quote?.state === 'pending') await changeQuote(tx, { quote, change: { state: 'rejected' } })
  else if (quote?.state === 'accepted') await endConsent(tx, quote)
}

const findApproved = statement<{ params: { uri: string; accountId: string }; row: { status_id: string } }>(
  `select status_id from quotes where approval_uri = $uri and quoted_account_id = $accountId`,
)

/** Somebody elsewhere, by the address of their consent, takes it back. False when none is known there. */
export async function takeBackConsent(
  tx: Tx,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<boolean> {
  await lockUris(tx, { uris: [uri] })
  const [found] = await findApproved(tx.db, { uri, accountId })
  const quote = found ? await holdQuote(tx, { statusId: found.status_id }) : null
  if (quote?.approvalUri !== uri || quote.state !== 'accepted') return false
  await endConsent(tx, quote)
  return true
}

/**
 * Notes that a consent of another server was looked at and holds, or, without one, that somebody quotes themselves.
 * `quoted`: what is quoted, as it is recorded here.
 */
export async function recordConsent(
  tx: Tx,
  {
    statusId,
    quoted,
    approvalUri,
  }: { statusId: string; quoted: { id: string; accountId: string; uri: string }; approvalUri: string | null },
): Promise<void> {
  if (approvalUri !== null) await lockUris(tx, { uris: [approvalUri] })
  await link(tx.db, { statusId, quotedId: quoted.id, accountId: quoted.accountId, quotedUri: quoted.uri })
  const quote = await holdQuote(tx, { statusId })
  if (quote?.state !== 'pending' || quote.quotedId !== quoted.id) return
  if (approvalUri !== null) await approve(tx, { quote, approvalUri })
  else if (quote.accountId === quoted.accountId) await changeQuote(tx, { quote, change: { state: 'accepted' } })
}

// What is direct, or stays here, is never quoted by anybody else's word.
const link = statement<{ params: { statusId: string; quotedId: string; accountId: string; quotedUri: string } }>(
  `update quotes q set quoted_status_id = s.id, quoted_account_id = s.account_id
   from statuses s
   where q.status_id = $statusId and q.quoted_status_id is null and q.quoted_uri = $quotedUri and s.id = $quotedId
     and s.account_id = $accountId
     and s.uri = $quotedUri and s.deleted_at is null and s.reblog_of_id is null and not s.local_only
       and s.visibility <> 'direct'`,
)

async function holdAsked(tx: Tx, { statusId, accountId }: QuoteAnswer): Promise<HeldQuote | null> {
  const quote = await holdQuote(tx, { statusId })
  return quote?.quotedAccountId === accountId && quote.requestUri !== null ? quote : null
}

async function approve(tx: Tx, { quote, approvalUri }: { quote: HeldQuote; approvalUri: string }): Promise<void> {
  const [author] = await findUri(tx.db, { quotedAccountId: quote.quotedAccountId })
  if (!author || (await isBuried(tx, { uri: approvalUri, ownerUri: author.uri }))) return
  if ((await isTaken(tx.db, { approvalUri, quoteId: quote.id })).length > 0) return
  await changeQuote(tx, { quote, change: { state: 'accepted', approvalUri } })
}

/** Its address stays, so that the news of its end finds it however often it comes. */
async function endConsent(tx: Tx, quote: HeldQuote): Promise<void> {
  await changeQuote(tx, { quote, change: { state: 'revoked' } })
}
