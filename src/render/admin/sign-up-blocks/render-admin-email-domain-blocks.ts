import type { Read } from '../../../domain/context.ts'
import { startOfHistory } from '../../../domain/core/usage-history.ts'
import type { EmailDomainBlockRow } from '../../../domain/email-blocks/email-domain-blocks.ts'
import type { AdminEmailDomainBlock } from '../../../entities/admin/sign-up-blocks/admin-email-domain-block.ts'
import { statement } from '../../../platform/db/statement.ts'
import { usageHistory } from '../../tags/usage-history.ts'
import type { DailyUseRow } from '../../tags/usage-history.ts'

// Days are counted from 1970, in UTC.
const selectAttempts = statement<{ params: { blockIds: readonly string[]; since: Date }; row: DailyUseRow }>(
  `select block_id as id, day - date '1970-01-01' as day, sum(attempts) as uses, count(*) as accounts
   from email_domain_block_attempts
   where block_id = any($blockIds::bigint[]) and day >= ($since::timestamptz at time zone 'UTC')::date
   group by block_id, day`,
)

/** Returns blocks in the same order, with the sign-ups that they matched on each of the last seven days. */
export async function renderAdminEmailDomainBlocks(
  read: Read,
  { blocks, now }: { blocks: readonly EmailDomainBlockRow[]; now: Date },
): Promise<AdminEmailDomainBlock[]> {
  if (blocks.length === 0) return []
  const blockIds = blocks.map(({ id }) => id)
  const uses = await selectAttempts(read.db, { blockIds, since: startOfHistory(now) })
  const historyOf = usageHistory({ uses, now })
  return blocks.map(({ id, domain, allow_with_approval, created_at }) => ({
    id,
    domain,
    created_at: created_at.toISOString(),
    history: historyOf(id),
    allow_with_approval,
  }))
}
