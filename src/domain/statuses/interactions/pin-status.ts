import { NotFoundError, UnprocessableError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { findVisibleStatus, lockVisibleOriginal } from '../../access/visibility.ts'
import type { StatusRow } from '../../access/visibility.ts'

/** The maximum number of statuses that an account can pin. */
export const MAX_PINS = 5

const isPinned = statement<{ params: { accountId: string; statusId: string } }>(
  `select from status_pins where account_id = $accountId and status_id = $statusId`,
)
const count = statement<{ params: { accountId: string }; row: { n: number } }>(
  `select count(*)::int as n from status_pins where account_id = $accountId`,
)
const insert = statement<{ params: { accountId: string; statusId: string; now: Date }; row: { id: string } }>(
  `insert into status_pins (account_id, status_id, created_at) values ($accountId, $statusId, $now) returning id`,
)
const remove = statement<{ params: { accountId: string; statusId: string }; row: { id: string } }>(
  `delete from status_pins where account_id = $accountId and status_id = $statusId returning id`,
)

type Input = { accountId: string; statusId: string }

/**
 * Pins a status of the account to its profile. Does not change who may see the status. Returns the id of the status.
 * Mastodon: POST /api/v1/statuses/:id/pin
 * @throws NotFoundError; UnprocessableError for another account's status, a reblog, a direct status, and if the maximum
 *   number of pins is reached
 */
export async function pinStatus(tx: Tx, { accountId, statusId }: Input): Promise<string> {
  const status = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  checkPinnable(status, accountId)
  await lockVisibleOriginal(tx, { id: statusId, viewerId: accountId })
  // The lock prevents two parallel requests from exceeding the limit.
  await lockAccounts(tx, { ids: [accountId] })
  if ((await isPinned(tx.db, { accountId, statusId: status.id })).length > 0) return status.id
  const [row] = await count(tx.db, { accountId })
  if (row!.n >= MAX_PINS) throw validationError('You have already pinned the maximum number of posts')
  const [pin] = await insert(tx.db, { accountId, statusId: status.id, now: tx.now })
  tx.emit('status.pinned', { pinId: pin!.id, accountId, statusId: status.id })
  return status.id
}

/**
 * Unpins a status from the account's profile. Returns the id of the status. Mastodon: POST /api/v1/statuses/:id/unpin
 * @throws NotFoundError
 */
export async function unpinStatus(tx: Tx, { accountId, statusId }: Input): Promise<string> {
  const status = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  if (status.account_id !== accountId) throw new NotFoundError()
  const [pin] = await remove(tx.db, { accountId, statusId: status.id })
  if (pin) tx.emit('status.unpinned', { pinId: pin.id, accountId, statusId: status.id })
  return status.id
}

function checkPinnable(status: StatusRow, accountId: string): void {
  if (status.reblog_of_id !== null) throw validationError('A boost cannot be pinned')
  if (status.account_id !== accountId) throw validationError("Someone else's post cannot be pinned")
  if (status.visibility === 'direct') {
    throw validationError('Posts that are only visible to mentioned users cannot be pinned')
  }
}

function validationError(text: string): UnprocessableError {
  return new UnprocessableError(`Validation failed: ${text}`)
}
