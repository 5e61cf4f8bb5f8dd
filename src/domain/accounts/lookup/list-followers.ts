import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import type { CachedRead } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { isHiddenFromViewer } from '../../access/is-hidden-from-viewer.ts'
import { findCachedAccount } from './find-account.ts'
import type { AccountRow } from './find-account.ts'
import type { ListedAccount } from './listed-account.ts'
import { usableAccount } from '../../access/usable-account.ts'

const keyset = keysetClause('f.id')

// Lists of other accounts leave out the accounts that the viewer blocks or mutes, and those that block the viewer. An
// account that blocks the viewer hides its lists.
const select = (ownerColumn: string, listedColumn: string, order: string) =>
  statement<{ params: { accountId: string; viewerId: string | null } & PageParameters; row: ListedAccount }>(
    `select f.id as cursor, a.id
     from follows f join accounts a on a.id = f.${listedColumn} left join users u on u.account_id = a.id
     where f.${ownerColumn} = $accountId and ${keyset.where} and ${usableAccount()}
       and ($viewerId = $accountId or not ${isHiddenFromViewer('$viewerId')})
       and not exists (select from blocks where account_id = $accountId and target_account_id = $viewerId)
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

type FollowListInput = { accountId: string; viewerId: string | null; page: Page }

/**
 * Returns the followers of an account, latest first; none if the list is hidden from the viewer.
 * @throws NotFoundError
 */
export async function listFollowers(read: CachedRead, input: FollowListInput): Promise<ListedAccount[]> {
  return listFollows(read, input, followers)
}

/**
 * Returns the accounts that an account follows, latest first; none if the list is hidden from the viewer.
 * @throws NotFoundError
 */
export async function listFollowing(read: CachedRead, input: FollowListInput): Promise<ListedAccount[]> {
  return listFollows(read, input, following)
}

async function listFollows(
  read: CachedRead,
  { accountId, viewerId, page }: FollowListInput,
  { descending, ascending }: typeof followers,
): Promise<ListedAccount[]> {
  const account = await findCachedAccount(read, { id: accountId })
  if (!account) throw new NotFoundError()
  if (isListHidden(account, viewerId)) return []
  const values = { accountId, viewerId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}

function isListHidden(account: AccountRow, viewerId: string | null): boolean {
  return account.suspended || (account.hide_collections && account.id !== viewerId)
}
