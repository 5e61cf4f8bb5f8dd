import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Listed } from '../accounts/listed.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'

const page = pageClause('r.id')

const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: Listed }>(
    `select r.id as cursor, a.id
     from blocks r join accounts a on a.id = r.target_account_id left join users u on u.account_id = a.id
     where r.account_id = $accountId and ${page.where} and ${usableAccount()} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** Those whom somebody blocks, latest first. */
export async function readBlocked(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<Listed[]> {
  const values = { accountId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}
