import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { findAccount } from '../accounts/find.ts'
import type { Listed } from '../accounts/listed.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import { unwantedBy } from './unwanted.ts'

const page = pageClause('e.id')

const select = (order: string) =>
  statement<{ params: { accountId: string; viewerId: string | null } & PageParameters; row: Listed }>(
    `select e.id as cursor, a.id
     from endorsements e join accounts a on a.id = e.target_account_id left join users u on u.account_id = a.id
     where e.account_id = $accountId and ${page.where} and ${usableAccount()} and ($viewerId = $accountId
       or not ${unwantedBy('$viewerId')})
     ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)
const blocks = statement<{ params: { accountId: string; viewerId: string } }>(
  `select from blocks where account_id = $accountId and target_account_id = $viewerId`,
)

/**
 * Those whom somebody recommends, latest first; nobody where the owner is suspended or blocks the viewer.
 * @throws NotFound
 */
export async function readEndorsed(
  read: Read,
  { accountId, viewerId, page: asked }: { accountId: string; viewerId: string | null; page: Page },
): Promise<Listed[]> {
  const { suspended } = await findAccount(read, { id: accountId })
  if (suspended || (viewerId !== null && (await blocks(read.db, { accountId, viewerId })).length > 0)) return []
  const values = { accountId, viewerId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}
