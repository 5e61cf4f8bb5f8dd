import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { deleteMails } from './outbox.ts'

/** A user who is deleted. */
interface DeletedUser {
  userId: string
  accountId: string
  email: string
}

// The notice of a suspension is still sent: it announces the deletion of the data. So is the notice of another user's
// changed address to the former one, which the deleted user may have had since.
const remove = statement<{
  params: { userIds: readonly string[]; accountIds: readonly string[]; emails: readonly string[] }
}>(
  deleteMails(
    `(m.recipient = any($emails)
       or (split_part(m.key, ':', 1) = 'confirmation' and split_part(m.key, ':', 2) = any($userIds::text[])))
     and split_part(m.key, ':', 1) <> 'email-changed'
     and not (m.sent_at is null and m.key in (
       select 'warning:' || w.id from account_warnings w
       where w.target_account_id = any($accountIds::bigint[]) and w.action = 'suspend'))`,
  ),
)

/** Deletes the mails to users who are deleted, also those to an address that was not confirmed. */
export async function deleteUserMails(tx: Tx, users: readonly DeletedUser[]): Promise<void> {
  await remove(tx.db, {
    userIds: users.map(({ userId }) => userId),
    accountIds: users.map(({ accountId }) => accountId),
    emails: users.map(({ email }) => email),
  })
}
