import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import { unwantedBy } from '../relationships/unwanted.ts'
import { findAccount } from './find.ts'
import type { AccountRow } from './find.ts'
import type { Listed } from './listed.ts'
import { usableAccount } from './usable.ts'

const page = pageClause('f.id')

// $accountId whose list, $viewerId viewer. Other people's lists leave out whom the viewer does not want to see, and who shuts them out.
const select = (owner: string, shown: string, order: string) =>
  statement<{ params: { accountId: string; viewerId: string | null } & PageParameters; row: Listed }>(
    `select f.id as cursor, a.id
     from follows f join accounts a on a.id = f.${shown} left join users u on u.account_id = a.id
     where f.${owner} = $accountId and ${page.where} and ${usableAccount()}
       and ($viewerId = $accountId or not ${unwantedBy('$viewerId')})
     ${order}`,
  )

const followers = {
  descending: select('target_account_id', 'account_id', page.descending),
  ascending: select('target_account_id', 'account_id', page.ascending),
}
const following = {
  descending: select('account_id', 'target_account_id', page.descending),
  ascending: select('account_id', 'target_account_id', page.ascending),
}
const blocks = statement<{ params: { accountId: string; viewerId: string } }>(
  `select from blocks where account_id = $accountId and target_account_id = $viewerId`,
)

type Input = { accountId: string; viewerId: string | null; page: Page }

/** Those who follow somebody, latest first; nobody where the list is not for this viewer. @throws NotFound */
export async function readFollowers(read: Read, input: Input): Promise<Listed[]> {
  return readList(read, input, followers)
}

/** Those whom somebody follows, latest first; nobody where the list is not for this viewer. @throws NotFound */
export async function readFollowing(read: Read, input: Input): Promise<Listed[]> {
  return readList(read, input, following)
}

async function readList(
  read: Read,
  { accountId, viewerId, page: asked }: Input,
  { descending, ascending }: typeof followers,
): Promise<Listed[]> {
  const account = await findAccount(read, { id: accountId })
  if (await isHidden(read, account, viewerId)) return []
  const values = { accountId, viewerId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}

async function isHidden(read: Read, account: AccountRow, viewerId: string | null): Promise<boolean> {
  if (account.suspended) return true
  if (account.id === viewerId) return false
  if (account.hide_collections) return true
  return viewerId !== null && (await blocks(read.db, { accountId: account.id, viewerId })).length > 0
}
