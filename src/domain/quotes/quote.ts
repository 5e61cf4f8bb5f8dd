import { randomUUID } from 'node:crypto'
import { ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { MentionedAccount } from '../statuses/find-mentions.ts'
import type { StatusRow } from '../statuses/visibility.ts'
import { countQuote } from './count.ts'
import type { Quotable } from './find-quotable.ts'

const insert = statement<{
  params: {
    statusId: string
    accountId: string
    quotedId: string
    authorId: string
    uri: string
    state: string
    request: string | null
    now: Date
  }
  row: { id: string }
}>(
  `insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state, request_uri,
     created_at, updated_at)
   values ($statusId, $accountId, $quotedId, $authorId, $uri, $state, $request, $now, $now) returning id`,
)
const address = statement<{ params: { statusId: string; accountId: string } }>(
  `insert into mentions (status_id, account_id, silent) values ($statusId, $accountId, true) on conflict (status_id,
    account_id) do nothing`,
)

/** The circle to which a status has to keep since what it quotes does. */
export function visibilityOfQuoting(
  visibility: StatusRow['visibility'],
  quoted: Quotable | null,
): StatusRow['visibility'] {
  return quoted?.visibility === 'private' && visibility !== 'direct' ? 'private' : visibility
}

/**
 * Looks whether a status may quote this as it is meant to be sent.
 * @throws ValidationFailed for a direct one that does not mention whom it quotes, and for one that stays on this server
 *   and quotes another's, whose author could not be asked
 */
export function checkQuoting({
  quoted,
  accountId,
  visibility,
  localOnly,
  mentioned,
}: {
  quoted: Quotable | null
  accountId: string
  visibility: StatusRow['visibility']
  localOnly: boolean
  mentioned: readonly MentionedAccount[]
}): void {
  if (quoted === null) return
  const isOwn = quoted.account_id === accountId
  if (visibility === 'direct' && !isOwn && mentioned.every(({ id }) => id !== quoted.account_id)) {
    throw refusal('A direct post has to mention whom it quotes')
  }
  if (localOnly && !quoted.local) throw refusal('A post that stays on this server can not quote one of another server')
}

function refusal(text: string): ValidationFailed {
  return new ValidationFailed([{ attribute: '', code: 'ERR_INVALID', text }])
}

/**
 * Has a new status quote another one. Who is of here has agreed by what they let others do; who is of another server is
 * asked. The author of what is quoted may read it, whoever else may.
 */
export async function quoteStatus(
  tx: Tx,
  { statusId, accountId, quoted }: { statusId: string; accountId: string; quoted: Quotable },
): Promise<void> {
  const request = quoted.local ? null : `${tx.config.origin}/ap/users/${accountId}/quote_requests/${randomUUID()}`
  const state = quoted.local ? 'accepted' : 'pending'
  const { id: quotedId, account_id: authorId, uri } = quoted
  const [row] = await insert(tx.db, { statusId, accountId, quotedId, authorId, uri, state, request, now: tx.now })
  const quoteId = row!.id
  if (quoted.local) await countQuote(tx, { quotedId, by: 1 })
  else tx.emit('quote.requested', { quoteId })
  if (authorId === accountId) return
  await addressQuoted(tx, { statusId, accountId: authorId })
  if (quoted.local) tx.emit('quote.accepted', { quoteId })
}

/** Lets the author of what is quoted read the status that quotes it. */
export async function addressQuoted(
  tx: Tx,
  { statusId, accountId }: { statusId: string; accountId: string },
): Promise<void> {
  await address(tx.db, { statusId, accountId })
}
