import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { ListedAccount } from '../../accounts/lookup/listed-account.ts'
import { isHiddenFromViewer } from '../../access/is-hidden-from-viewer.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { findVisibleStatus, visibleTo } from '../../access/visibility.ts'

const isVisibleAccount = `${usableAccount()} and not ${isHiddenFromViewer('$viewerId')}`

const keyset = keysetClause('d.id')

type Direction = 'desc' | 'asc'

// With `offset 0`, the ids are sorted first, and then only the accounts of the page are read.
const pageOf = (
  table: 'favourites' | 'statuses',
  { where, isShown, direction }: { where: string; isShown: string; direction: Direction },
) =>
  statement<{ params: { statusId: string; viewerId: string | null } & PageParameters; row: ListedAccount }>(
    `select d.id as cursor, a.id
     from (select d.id from ${table} d where ${where} and ${keyset.where} order by d.id ${direction} offset 0) found
       join ${table} d on d.id = found.id join accounts a on a.id = d.account_id left join users u on u.account_id = a.id
     where ${isShown} order by found.id ${direction} limit $limit`,
  )
const favouritedByStatement = (direction: Direction) =>
  pageOf('favourites', { where: 'd.status_id = $statusId', isShown: isVisibleAccount, direction })
const rebloggedByStatement = (direction: Direction) =>
  pageOf('statuses', {
    where: 'd.reblog_of_id = $statusId',
    isShown: `d.visibility in ('public', 'unlisted') and ${visibleTo('$viewerId', 'd')} and ${isVisibleAccount}`,
    direction,
  })
const pagesOf = (select: typeof favouritedByStatement) => ({
  descending: select('desc'),
  ascending: select('asc'),
})
const favouritedByPages = pagesOf(favouritedByStatement)
const rebloggedByPages = pagesOf(rebloggedByStatement)

type InteractingAccountsInput = { statusId: string; viewerId: string | null; page: Page }

/**
 * Returns the accounts that favourited a status, latest first; cursors are the favourites' ids.
 * Mastodon: GET /api/v1/statuses/:id/favourited_by
 * @throws NotFoundError
 */
export async function listFavouritedBy(read: Read, input: InteractingAccountsInput): Promise<ListedAccount[]> {
  return listInteracting(read, input, favouritedByPages)
}

/**
 * Returns the accounts with a public or unlisted reblog of a status, latest first; cursors are the reblogs' ids.
 * Mastodon: GET /api/v1/statuses/:id/reblogged_by
 * @throws NotFoundError
 */
export async function listRebloggedBy(read: Read, input: InteractingAccountsInput): Promise<ListedAccount[]> {
  return listInteracting(read, input, rebloggedByPages)
}

async function listInteracting(
  read: Read,
  { statusId, viewerId, page }: InteractingAccountsInput,
  { descending, ascending }: typeof favouritedByPages,
): Promise<ListedAccount[]> {
  const status = await findVisibleStatus(read, { id: statusId, viewerId })
  const values = { statusId: status.reblog_of_id ?? status.id, viewerId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
