import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { ListedAccount } from '../../accounts/lookup/listed-account.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'

const keyset = keysetClause('r.id')

const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: ListedAccount }>(
    `select r.id as cursor, a.id
     from blocks r join accounts a on a.id = r.target_account_id left join users u on u.account_id = a.id
     where r.account_id = $accountId and ${keyset.where} and ${usableAccount()} ${order}`,
  )
const descending = select(keyset.descending)
const ascending = select(keyset.ascending)

/** Returns a page of the accounts that an account blocks, latest block first. */
export async function listBlocked(
  read: Read,
  { accountId, page: requested }: { accountId: string; page: Page },
): Promise<ListedAccount[]> {
  const values = { accountId, ...pageParameters(requested) }
  return readKeysetPage(requested, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
