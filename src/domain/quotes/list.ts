import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import { unwantedBy } from '../relationships/unwanted.ts'
import type { KeptStatus } from '../statuses/kept.ts'
import { findVisibleStatus, visibleTo } from '../statuses/visibility.ts'

const page = pageClause('q.id')

// The author of the quoted status sees every quote and can revoke it.
const select = (order: string) =>
  statement<{ params: { reblogOfId: string; viewerId: string } & PageParameters; row: KeptStatus }>(
    `select q.id as cursor, s.id
     from quotes q join statuses s on s.id = q.status_id join accounts a on a.id = q.account_id
     where q.quoted_status_id = $reblogOfId and q.state = 'accepted' and ${page.where}
       and s.deleted_at is null and a.suspended_at is null
       and (q.quoted_account_id = $viewerId or (${visibleTo('$viewerId')} and not ${unwantedBy('$viewerId')}))
     ${order}`,
  )
const descending = select(page.descending)
const ascending = select(page.ascending)

/** The statuses that quote one with its author's consent, latest first; cursors are the quotes' ids. @throws NotFound */
export async function readQuotes(
  read: Read,
  { statusId, viewerId, page: asked }: { statusId: string; viewerId: string; page: Page },
): Promise<KeptStatus[]> {
  const found = await findVisibleStatus(read, { id: statusId, viewerId })
  const values = { reblogOfId: found.reblog_of_id ?? found.id, viewerId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
