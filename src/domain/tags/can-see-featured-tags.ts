import { statement } from '../../platform/db/statement.ts'
import type { AccountRow } from '../accounts/lookup/find-account.ts'
import type { Read } from '../context.ts'

const findBlock = statement<{ params: { accountId: string; viewerId: string } }>(
  `select from blocks where account_id = $accountId and target_account_id = $viewerId`,
)

/** Returns whether the viewer (null = anonymous) can see the featured hashtags of an account. */
export async function canSeeFeaturedTags(
  read: Read,
  { account, viewerId }: { account: AccountRow; viewerId: string | null },
): Promise<boolean> {
  if (account.suspended) return false
  return viewerId === null || (await findBlock(read.db, { accountId: account.id, viewerId })).length === 0
}
