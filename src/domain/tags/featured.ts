import { statement } from '../../platform/db/connect.ts'
import type { AccountRow } from '../accounts/find.ts'
import type { Read } from '../context.ts'

const blocks = statement(`select from blocks where account_id = $1 and target_account_id = $2`)

/** Whether a viewer (null: somebody unknown) is shown what somebody features. */
export async function mayMeetFeaturedTags(
  read: Read,
  { account, viewerId }: { account: AccountRow; viewerId: string | null },
): Promise<boolean> {
  if (account.suspended) return false
  return viewerId === null || (await blocks(read.db, [account.id, viewerId])).length === 0
}
