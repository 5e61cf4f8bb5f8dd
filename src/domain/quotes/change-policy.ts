import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { StatusRow } from '../statuses/visibility.ts'
import { quoteTermsOf } from './approval.ts'
import type { QuotePolicy } from './approval.ts'

const lock = statement<{
  params: { statusId: string; accountId: string }
  row: { visibility: StatusRow['visibility']; quote_automatic: string[]; default_policy: QuotePolicy }
}>(
  `select s.visibility, s.quote_automatic, u.default_quote_policy as default_policy
   from statuses s join users u on u.account_id = s.account_id
   where s.id = $statusId and s.account_id = $accountId and s.local and s.reblog_of_id is null and s.deleted_at is null
   for no key update of s`,
)
const update = statement<{ params: { statusId: string; next: readonly string[] } }>(
  `update statuses set quote_automatic = $next, version = version + 1 where id = $statusId`,
)

/**
 * Says whom one lets quote a status of one's own from now on; what was agreed to stays. Left out: whom one lets quote
 * what is new. It is no edit. @throws NotFound also for a boost and for somebody else's status
 */
export async function changeQuotePolicy(
  tx: Tx,
  { accountId, statusId, policy }: { accountId: string; statusId: string; policy: QuotePolicy | undefined },
): Promise<void> {
  const [status] = await lock(tx.db, { statusId, accountId })
  if (!status) throw new NotFound()
  const next = quoteTermsOf(policy ?? status.default_policy, status.visibility)
  if (next.join() === status.quote_automatic.join()) return
  await update(tx.db, { statusId, next })
  tx.emit('status.quoting_changed', { statusId, at: tx.now.getTime() })
}
