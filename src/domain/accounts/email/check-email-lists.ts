import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { isRefusedByLists } from '../../email-blocks/check-email-domain.ts'

const find = statement<{ params: { userId: string }; row: { confirmed: boolean; invited: boolean } }>(
  `select u.confirmed_at is not null as confirmed,
     exists (select from invite_uses i where i.user_id = u.id) as invited
   from users u where u.id = $userId`,
)

/**
 * Returns whether the lists of e-mail domains refuse a new address of a user. They apply until the user has confirmed an
 * address, except to users who signed up with an invite; after that, only if the configuration says so.
 */
export async function isRefusedForUser(
  read: Pick<Read, 'db' | 'config'>,
  { userId, email }: { userId: string; email: string },
): Promise<boolean> {
  if (!isRefusedByLists(read, { email })) return false
  const [user] = await find(read.db, { userId })
  if (!user) return false
  return user.confirmed ? read.config.emailDomains.applyAfterConfirmation : !user.invited
}
