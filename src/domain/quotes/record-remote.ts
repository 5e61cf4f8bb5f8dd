import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { changeQuote } from './change.ts'
import { countQuote } from './count.ts'
import { holdQuote } from './hold.ts'
import type { HeldQuote } from './hold.ts'
import { dropQuotes } from './lose.ts'

/** What a status of another server says that it quotes. */
export interface RemoteQuoteFacts {
  /** Null: what it quoted is gone, and nobody says what it was. */
  uri: string | null
  /** Told only as servers did that ask nobody: not shown until the one who is quoted agrees. */
  legacy: boolean
  /** Where that one is said to agree. Whether they do is looked at elsewhere. */
  approvalUri: string | null
}

interface Quoted {
  id: string
  account_id: string
}

// Nobody elsewhere knows what stays here, and nobody quotes what is direct.
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
const withdraw = statement<{ params: { statusId: string } }>(
  `delete from notifications where type = 'quote' and status_id = $statusId`,
)
const renew = statement<{ params: { statusId: string } }>(
  `update statuses set version = version + 1 where id = $statusId`,
)

/**
 * Takes in what a new status of another server quotes. Who quotes themselves needs nobody's consent; for everybody else
 * it is still to be seen.
 */
export async function recordRemoteQuote(
  tx: Tx,
  { statusId, accountId, quote }: { statusId: string; accountId: string; quote: RemoteQuoteFacts },
): Promise<void> {
  const { uri, legacy } = quote
  const [quoted] = uri === null ? [] : await findQuoted(tx.db, { uri })
  const isOwn = quoted?.account_id === accountId
  const state = uri === null ? 'deleted' : isOwn ? 'accepted' : 'pending'
  const [made] = await insert(tx.db, {
    statusId,
    accountId,
    quotedId: quoted?.id ?? null,
    quotedAccountId: quoted?.account_id ?? null,
    uri,
    state,
    legacy,
    now: tx.now,
  })
  if (made && quoted && isOwn) await countQuote(tx, { quotedId: quoted.id, by: 1 })
}

/**
 * Takes in what a known status of another server says now that it quotes. `isEdit`: its author changed it; what is no
 * edit may only tell of a consent.
 */
export async function updateRemoteQuote(
  tx: Tx,
  {
    statusId,
    accountId,
    quote: said,
    isEdit,
  }: { statusId: string; accountId: string; quote: RemoteQuoteFacts | null; isEdit: boolean },
): Promise<void> {
  const known = await holdQuote(tx, { statusId })
  if (known && said && (said.uri === known.quotedUri || said.uri === null)) return renewConsent(tx, { known, said })
  if (!isEdit) return
  if (known) {
    await withdraw(tx.db, { statusId })
    await dropQuotes(tx, { statusIds: [statusId] })
  }
  if (said) await recordRemoteQuote(tx, { statusId, accountId, quote: said })
  if (known || said) await renew(tx.db, { statusId })
}

/** The consent that it had before may be another, or be gone; who is of here has theirs here, and needs to be told none. */
async function renewConsent(tx: Tx, { known, said }: { known: HeldQuote; said: RemoteQuoteFacts }): Promise<void> {
  const legacy = known.legacy && said.legacy
  if (said.uri === null) {
    if (known.state !== 'deleted') await changeQuote(tx, { quote: known, change: { state: 'deleted' } })
    return
  }
  const isOther = known.approvalUri !== null && known.approvalUri !== said.approvalUri
  const lapsed = isOther && known.state === 'accepted'
  const isAgreedAnew = isOther && known.state === 'revoked' && said.approvalUri !== null
  if (lapsed || isAgreedAnew)
    await changeQuote(tx, { quote: known, change: { state: 'pending', approvalUri: null, legacy } })
  else if (legacy !== known.legacy) await changeQuote(tx, { quote: known, change: { state: known.state, legacy } })
}
