import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { isHiddenFromViewer } from '../../access/is-hidden-from-viewer.ts'
import { findAccount } from './find-account.ts'
import type { AccountRow } from './find-account.ts'
import type { ListedAccount } from './listed-account.ts'
import { usableAccount } from '../../access/usable-account.ts'

const keyset = keysetClause('f.id')

// Lists of other accounts leave out the accounts that the viewer blocks or mutes, and those that block the viewer.
const select = (ownerColumn: string, listedColumn: string, order: string) =>
  statement<{ params: { accountId: string; viewerId: string | null } & PageParameters; row: ListedAccount }>(
    `select f.id as cursor, a.id
     from follows f join accounts a on a.id = f.${listedColumn} left join users u on u.account_id = a.id
     where f.${ownerColumn} = $accountId and ${keyset.where} and ${usableAccount()}
       and ($viewerId = $accountId or not ${isHiddenFromViewer('$viewerId')})
     ${order}`,
  )

const followers = {
  descending: select('target_account_id', 'account_id', keyset.descending),
  ascending: select('target_account_id', 'account_id', keyset.ascending),
}
const following = {
  descending: select('account_id', 'target_account_id', keyset.descending),
  ascending: select('account_id', 'target_account_id', keyset.ascending),
}
const findBlock = statement<{ params: { accountId: string; viewerId: string } }>(
  `select from blocks where account_id = $accountId and target_account_id = $viewerId`,
)

type FollowListInput = { accountId: string; viewerId: string | null; page: Page }

/**
 * Returns the followers of an account, latest first; none if the list is hidden from the viewer.
 * @throws NotFoundError
 */
export async function listFollowers(read: Read, input: FollowListInput): Promise<ListedAccount[]> {
  return listFollows(read, input, followers)
}

/**
 * Returns the accounts that an account follows, latest first; none if the list is hidden from the viewer.
 * @throws NotFoundError
 */
export async function listFollowing(read: Read, input: FollowListInput): Promise<ListedAccount[]> {
  return listFollows(read, input, following)
}

async function listFollows(
  read: Read,
  { accountId, viewerId, page }: FollowListInput,
  { descending, ascending }: typeof followers,
): Promise<ListedAccount[]> {
  const account = await findAccount(read, { id: accountId })
  if (await isListHidden(read, account, viewerId)) return []
  const values = { accountId, viewerId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}

async function isListHidden(read: Read, account: AccountRow, viewerId: string | null): Promise<boolean> {
  if (account.suspended) return true
  if (account.id === viewerId) return false
  if (account.hide_collections) return true
  return viewerId !== null && (await findBlock(read.db, { accountId: account.id, viewerId })).length > 0
}
