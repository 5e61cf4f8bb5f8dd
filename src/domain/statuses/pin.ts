import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { findVisibleStatus } from './visibility.ts'
import type { StatusRow } from './visibility.ts'

/** So many statuses stand on top of a profile. */
export const MAX_PINS = 5

const isPinned = statement<{ params: { accountId: string; statuId: string } }>(
  `select from pins where account_id = $accountId and status_id = $statuId`,
)
const count = statement<{ params: { accountId: string }; row: { n: number } }>(
  `select count(*)::int as n from pins where account_id = $accountId`,
)
const insert = statement<{ params: { accountId: string; statuId: string; now: Date }; row: { id: string } }>(
  `insert into pins (account_id, status_id, created_at) values ($accountId, $statuId, $now) returning id`,
)
const remove = statement<{ params: { accountId: string; statuId: string }; row: { id: string } }>(
  `delete from pins where account_id = $accountId and status_id = $statuId returning id`,
)

type Input = { accountId: string; statusId: string }

/**
 * Puts one's own status on top of one's profile, where those find it who may see it. Returns its id.
 * @throws NotFound · Unprocessable for somebody else's, a boost, a direct one, and one too many
 */
export async function pinStatus(tx: Tx, { accountId, statusId }: Input): Promise<string> {
  const status = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  refuseUnpinnable(status, accountId)
  // Held, so that two at once are not one too many.
  await lockAccounts(tx, { ids: [accountId] })
  if ((await isPinned(tx.db, { accountId, statuId: status.id })).length > 0) return status.id
  const [row] = await count(tx.db, { accountId })
  if (row!.n >= MAX_PINS) throw refusal('You have already pinned the maximum number of posts')
  const [pin] = await insert(tx.db, { accountId, statuId: status.id, now: tx.now })
  tx.emit('status.pinned', { pinId: pin!.id, accountId, statusId: status.id })
  return status.id
}

/** Takes a status down from one's profile. Returns its id. @throws NotFound */
export async function unpinStatus(tx: Tx, { accountId, statusId }: Input): Promise<string> {
  const status = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  if (status.account_id !== accountId) throw new NotFound()
  const [pin] = await remove(tx.db, { accountId, statuId: status.id })
  if (pin) tx.emit('status.unpinned', { pinId: pin.id, accountId, statusId: status.id })
  return status.id
}

function refuseUnpinnable(status: StatusRow, accountId: string): void {
  if (status.reblog_of_id !== null) throw refusal('A boost cannot be pinned')
  if (status.account_id !== accountId) throw refusal("Someone else's post cannot be pinned")
  if (status.visibility === 'direct') {
    throw refusal('Posts that are only visible to mentioned users cannot be pinned')
  }
}

function refusal(text: string): Unprocessable {
  return new Unprocessable(`Validation failed: ${text}`)
}
