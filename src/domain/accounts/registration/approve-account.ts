import { ForbiddenError, NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { recordRegistration } from '../../core/record-weekly-activity.ts'

const lock = statement<{ params: { username: string }; row: { id: string; approved: boolean } }>(
  `select u.id, u.approved from users u join accounts a on a.id = u.account_id
   where lower(a.username) = $username and a.domain is null for update of u`,
)
const approve = statement<{ params: { userId: string }; row: { account_id: string } }>(
  `update users set approved = true where id = $userId returning account_id`,
)

/**
 * Approves a local user's sign-up.
 * @throws NotFoundError if no local user has the name; ForbiddenError if the user is approved already
 */
export async function approveAccount(tx: Tx, { username }: { username: string }): Promise<void> {
  const [user] = await lock(tx.db, { username: username.toLowerCase() })
  if (!user) throw new NotFoundError(`No local account is named ${username}`)
  if (user.approved) throw new ForbiddenError(`${username} has been approved already`)
  await approveUser(tx, { userId: user.id })
}

/** Approves a user. The caller has locked the row. */
export async function approveUser(tx: Tx, { userId }: { userId: string }): Promise<void> {
  const [user] = await approve(tx.db, { userId })
  await recordRegistration(tx, { userId })
  if (user) tx.emit('account.approved', { accountId: user.account_id })
}
