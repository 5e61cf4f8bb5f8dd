import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import { findAccount } from '../../accounts/lookup/find-account.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import type { ListedStatus } from './list-saved-statuses.ts'
import { visibleTo } from '../../access/visibility.ts'
import { accountStatusesCondition, accountStatusesParameters } from '../../timelines/public/account-statuses-filter.ts'
import type {
  AccountStatusesFilter,
  AccountStatusesParameters,
} from '../../timelines/public/account-statuses-filter.ts'

const keyset = keysetClause('p.id')

const select = (order: string) =>
  statement<{
    params: { accountId: string; viewerId: string | null } & AccountStatusesParameters & PageParameters
    row: ListedStatus
  }>(
    `select p.id as cursor, s.id from status_pins p join statuses s on s.id = p.status_id
     where p.account_id = $accountId and ${keyset.where} and ${visibleTo('$viewerId')}
       and ${accountStatusesCondition((name) => `$${name}`)} ${order}`,
  )
const descending = select(keyset.descending)
const ascending = select(keyset.ascending)

/**
 * Returns the pinned statuses of an account that the viewer may see (null = anonymous), latest pin first; cursors are
 * the pins' ids. Mastodon: GET /api/v1/accounts/:id/statuses?pinned=true
 * @throws NotFoundError
 */
export async function listPinnedStatuses(
  read: Read,
  {
    accountId,
    viewerId,
    page: requested,
    ...filter
  }: { accountId: string; viewerId: string | null; page: Page } & AccountStatusesFilter,
): Promise<ListedStatus[]> {
  const { id, suspended } = await findAccount(read, { id: accountId })
  const parameters = accountStatusesParameters(filter)
  if (suspended || !parameters) return []
  const values = { accountId: id, viewerId, ...parameters, ...pageParameters(requested) }
  return readKeysetPage(requested, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
