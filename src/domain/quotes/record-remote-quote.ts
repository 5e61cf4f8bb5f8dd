import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { changeQuote } from './change-quote.ts'
import { countQuote } from './count-quote.ts'
import { lockQuote } from './lock-quote.ts'
import type { LockedQuote } from './lock-quote.ts'
import { deleteOutgoingQuotes } from './detach-quotes.ts'

/** The quote in a remote status, as its server describes it. */
export interface RemoteQuoteFacts {
  /** null: the quoted status was deleted, and its URI is not known. */
  uri: string | null
  /** Only given in a property without approval, such as `quoteUri`: not shown until the quoted author approves it. */
  legacy: boolean
  /** The claimed approval of the quoted author, which is not verified here. */
  approvalUri: string | null
}

interface Quoted {
  id: string
  account_id: string
}

// Excludes local-only statuses, which no other server knows, and direct statuses, which nobody may quote.
const findQuoted = statement<{ params: { uri: string }; row: Quoted }>(
  `select id, account_id from statuses
   where uri = $uri and reblog_of_id is null and not local_only and visibility <> 'direct' and deleted_at is null
   for key share`,
)
const insert = statement<{
  params: {
    statusId: string
    accountId: string
    quotedId: string | null
    quotedAccountId: string | null
    uri: string | null
    state: string
    legacy: boolean
    now: Date
  }
  row: { id: string }
}>(
  `insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state, legacy, created_at,
     updated_at)
   values ($statusId, $accountId, $quotedId, $quotedAccountId, $uri, $state, $legacy, $now, $now) on conflict (status_id) do nothing returning id`,
)
const removeNotifications = statement<{ params: { statusId: string } }>(
  `delete from notifications where type = 'quote' and status_id = $statusId`,
)

/**
 * Records the quote in a new remote status. A quote of the author's own status is accepted; any other quote is pending
 * until its approval is verified.
 */
export async function recordRemoteQuote(
  tx: Tx,
  { statusId, accountId, quote }: { statusId: string; accountId: string; quote: RemoteQuoteFacts },
): Promise<void> {
  const { uri, legacy } = quote
  const [quoted] = uri === null ? [] : await findQuoted(tx.db, { uri })
  const isOwn = quoted?.account_id === accountId
  const state = uri === null ? 'deleted' : isOwn ? 'accepted' : 'pending'
  const [inserted] = await insert(tx.db, {
    statusId,
    accountId,
    quotedId: quoted?.id ?? null,
    quotedAccountId: quoted?.account_id ?? null,
    uri,
    state,
    legacy,
    now: tx.now,
  })
  if (inserted && quoted && isOwn) await countQuote(tx, { quotedId: quoted.id, by: 1 })
}

/**
 * Updates the quote in a known remote status. `isNewer`: the version is newer than the stored one; any other update can
 * only change the approval of the quote. Returns whether the status quotes something else now.
 */
export async function updateRemoteQuote(
  tx: Tx,
  {
    statusId,
    accountId,
    quote: declared,
    isNewer,
  }: { statusId: string; accountId: string; quote: RemoteQuoteFacts | null; isNewer: boolean },
): Promise<boolean> {
  const current = await lockQuote(tx, { statusId })
  if (current && declared && (declared.uri === current.quotedUri || declared.uri === null)) {
    await updateApproval(tx, { current, declared })
    return false
  }
  if (!isNewer) return false
  if (current) {
    await removeNotifications(tx.db, { statusId })
    await deleteOutgoingQuotes(tx, { statusIds: [statusId] })
  }
  if (declared) await recordRemoteQuote(tx, { statusId, accountId, quote: declared })
  return current !== null || declared !== null
}

/**
 * Handles a changed or removed approval. The approvals of local authors are not changed, because they are issued here.
 */
async function updateApproval(
  tx: Tx,
  { current, declared }: { current: LockedQuote; declared: RemoteQuoteFacts },
): Promise<void> {
  const legacy = current.legacy && declared.legacy
  if (declared.uri === null) {
    if (current.state !== 'deleted') await changeQuote(tx, { quote: current, change: { state: 'deleted' } })
    return
  }
  const isOther = current.approvalUri !== null && current.approvalUri !== declared.approvalUri
  const isLapsed = isOther && current.state === 'accepted'
  const isApprovedAgain = isOther && current.state === 'revoked' && declared.approvalUri !== null
  if (isLapsed || isApprovedAgain)
    await changeQuote(tx, { quote: current, change: { state: 'pending', approvalUri: null, legacy } })
  else if (legacy !== current.legacy)
    await changeQuote(tx, { quote: current, change: { state: current.state, legacy } })
}
