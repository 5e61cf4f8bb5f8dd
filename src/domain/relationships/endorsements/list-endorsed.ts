import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import { findAccount } from '../../accounts/lookup/find-account.ts'
import type { ListedAccount } from '../../accounts/lookup/listed-account.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { isHiddenFromViewer } from '../../access/is-hidden-from-viewer.ts'

const keyset = keysetClause('e.id')

const select = (order: string) =>
  statement<{ params: { accountId: string; viewerId: string | null } & PageParameters; row: ListedAccount }>(
    `select e.id as cursor, a.id
     from endorsements e join accounts a on a.id = e.target_account_id left join users u on u.account_id = a.id
     where e.account_id = $accountId and ${keyset.where} and ${usableAccount()} and ($viewerId = $accountId
       or not ${isHiddenFromViewer('$viewerId')})
     ${order}`,
  )
const descending = select(keyset.descending)
const ascending = select(keyset.ascending)
const findBlock = statement<{ params: { accountId: string; viewerId: string } }>(
  `select from blocks where account_id = $accountId and target_account_id = $viewerId`,
)

/**
 * Returns a page of the accounts that an account endorses, latest first. Empty if the account is suspended or blocks
 * the viewer.
 * @throws NotFoundError
 */
export async function listEndorsed(
  read: Read,
  { accountId, viewerId, page: requested }: { accountId: string; viewerId: string | null; page: Page },
): Promise<ListedAccount[]> {
  const { suspended } = await findAccount(read, { id: accountId })
  if (suspended || (viewerId !== null && (await findBlock(read.db, { accountId, viewerId })).length > 0)) return []
  const values = { accountId, viewerId, ...pageParameters(requested) }
  return readKeysetPage(requested, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
