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
const incrementVersion = statement<{ params: { statusId: string } }>(
  `update statuses set version = version + 1 where id = $statusId`,
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
 * Updates the quote in a known remote status. `isEdit`: the author edited the status; an update that is not an edit can
 * only change the approval of the quote.
 */
export async function updateRemoteQuote(
  tx: Tx,
  {
    statusId,
    accountId,
    quote: declared,
    isEdit,
  }: { statusId: string; accountId: string; quote: RemoteQuoteFacts | null; isEdit: boolean },
): Promise<void> {
  const current = await lockQuote(tx, { statusId })
  if (current && declared && (declared.uri === current.quotedUri || declared.uri === null))
    return updateApproval(tx, { current, declared })
  if (!isEdit) return
  if (current) {
    await removeNotifications(tx.db, { statusId })
    await deleteOutgoingQuotes(tx, { statusIds: [statusId] })
  }
  if (declared) await recordRemoteQuote(tx, { statusId, accountId, quote: declared })
  if (current || declared) await incrementVersion(tx.db, { statusId })
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
