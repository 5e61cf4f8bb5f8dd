import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** A user who is deleted. */
interface DeletedUser {
  userId: string
  accountId: string
  email: string
}

// Also deletes the jobs of unsent mails, because their errors may contain the address. The notice of a suspension is
// still sent: it announces the deletion of the data. So is the notice of another user's changed address to the former
// one, which the deleted user may have had since.
const remove = statement<{
  params: { userIds: readonly string[]; accountIds: readonly string[]; emails: readonly string[] }
}>(
  `with deleted as (
     delete from mails m
     where (m.recipient = any($emails)
         or (split_part(m.key, ':', 1) = 'confirmation' and split_part(m.key, ':', 2) = any($userIds::text[])))
       and split_part(m.key, ':', 1) <> 'email-changed'
       and not (m.sent_at is null and m.key in (
         select 'warning:' || w.id from account_warnings w
         where w.target_account_id = any($accountIds::bigint[]) and w.action = 'suspend'))
     returning m.id, m.sent_at
   )
   delete from jobs where name = 'sendMail' and locked_at is null
     and payload ->> 'mailId' in (select id::text from deleted where sent_at is null)`,
)

/**
 * Deletes the mails to users who are deleted, also those to an address that was not confirmed. A mail that is being sent
 * meanwhile arrives nevertheless.
 */
export async function deleteUserMails(tx: Tx, users: readonly DeletedUser[]): Promise<void> {
  await remove(tx.db, {
    userIds: users.map(({ userId }) => userId),
    accountIds: users.map(({ accountId }) => accountId),
    emails: users.map(({ email }) => email),
  })
}
