import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { isHiddenFromViewer } from '../../access/is-hidden-from-viewer.ts'
import type { ListedStatus } from './list-saved-statuses.ts'
import { findVisibleStatus, visibleTo } from '../../access/visibility.ts'

const keyset = keysetClause('q.id')

// The author of the quoted status sees every quote and can revoke it.
const select = (order: string) =>
  statement<{ params: { quotedId: string; viewerId: string } & PageParameters; row: ListedStatus }>(
    `select q.id as cursor, s.id
     from quotes q join statuses s on s.id = q.status_id join accounts a on a.id = q.account_id
     where q.quoted_status_id = $quotedId and q.state = 'accepted' and ${keyset.where}
       and s.deleted_at is null and a.suspended_at is null
       and (q.quoted_account_id = $viewerId or (${visibleTo('$viewerId')} and not ${isHiddenFromViewer('$viewerId')}))
     ${order}`,
  )
const descending = select(keyset.descending)
const ascending = select(keyset.ascending)

/**
 * Returns the statuses that quote a status with its author's approval, latest first; cursors are the quotes' ids.
 * Mastodon: GET /api/v1/statuses/:id/quotes
 * @throws NotFoundError
 */
export async function listQuotes(
  read: Read,
  { statusId, viewerId, page: requested }: { statusId: string; viewerId: string; page: Page },
): Promise<ListedStatus[]> {
  const status = await findVisibleStatus(read, { id: statusId, viewerId })
  const values = { quotedId: status.reblog_of_id ?? status.id, viewerId, ...pageParameters(requested) }
  return readKeysetPage(requested, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
