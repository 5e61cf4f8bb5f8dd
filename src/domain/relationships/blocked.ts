import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Listed } from '../accounts/listed.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Read } from '../context.ts'
import { pageClause, pageValues, readPaged } from '../feeds/page.ts'

const page = pageClause('r.id', 2)

const select = (order: string) =>
  statement<Listed>(
    `select r.id as cursor, a.id
     from blocks r join accounts a on a.id = r.target_account_id left join users u on u.account_id = a.id
     where r.account_id = $1 and ${page.where} and ${usableAccount()} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** Those whom somebody blocks, latest first. */
export async function readBlocked(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<Listed[]> {
  const values = [accountId, ...pageValues(asked)]
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}
