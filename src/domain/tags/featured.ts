import { statement } from '../../platform/db/statement.ts'
import type { AccountRow } from '../accounts/find.ts'
import type { Read } from '../context.ts'

const blocks = statement<{ params: { accountId: string; viewerId: string } }>(
  `select from blocks where account_id = $accountId and target_account_id = $viewerId`,
)

/** Whether a viewer (null: somebody unknown) is shown what somebody features. */
export async function mayMeetFeaturedTags(
  read: Read,
  { account, viewerId }: { account: AccountRow; viewerId: string | null },
): Promise<boolean> {
  if (account.suspended) return false
  return viewerId === null || (await blocks(read.db, { accountId: account.id, viewerId })).length === 0
}
