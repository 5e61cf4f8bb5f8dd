import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { StatusRow } from '../access/visibility.ts'
import { storedQuotePolicy } from './quote-approval.ts'
import type { QuotePolicy } from './quote-approval.ts'

const lock = statement<{
  params: { statusId: string; accountId: string }
  row: { visibility: StatusRow['visibility']; quote_automatic: string[]; default_policy: QuotePolicy }
}>(
  `select s.visibility, s.quote_automatic, u.default_quote_policy as default_policy
   from statuses s join users u on u.account_id = s.account_id
   where s.id = $statusId and s.account_id = $accountId and s.local and s.reblog_of_id is null and s.deleted_at is null
   for no key update of s`,
)
const update = statement<{ params: { statusId: string; policy: readonly string[] } }>(
  `update statuses set quote_automatic = $policy, version = version + 1 where id = $statusId`,
)

/**
 * Changes the quote policy of a status of the account, without an edit; without `policy`, sets the account's default.
 * Existing quotes do not change. Mastodon: PUT /api/v1/statuses/:id/interaction_policy
 * @throws NotFoundError also for a reblog and for another account's status
 */
export async function changeQuotePolicy(
  tx: Tx,
  { accountId, statusId, policy }: { accountId: string; statusId: string; policy: QuotePolicy | undefined },
): Promise<void> {
  const [status] = await lock(tx.db, { statusId, accountId })
  if (!status) throw new NotFoundError()
  const newPolicy = storedQuotePolicy(policy ?? status.default_policy, status.visibility)
  if (newPolicy.join() === status.quote_automatic.join()) return
  await update(tx.db, { statusId, policy: newPolicy })
  tx.emit('status.quote_state_changed', { statusId, at: tx.now.getTime() })
}
