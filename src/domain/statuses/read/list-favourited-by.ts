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

const favouritedByStatement = (order: string) =>
  statement<{ params: { statusId: string; viewerId: string | null } & PageParameters; row: ListedAccount }>(
    `select d.id as cursor, a.id
     from favourites d join accounts a on a.id = d.account_id left join users u on u.account_id = a.id
     where d.status_id = $statusId and ${keyset.where} and ${isVisibleAccount} ${order}`,
  )
const rebloggedByStatement = (order: string) =>
  statement<{ params: { statusId: string; viewerId: string | null } & PageParameters; row: ListedAccount }>(
    `select d.id as cursor, a.id
     from statuses d join accounts a on a.id = d.account_id left join users u on u.account_id = a.id
     where d.reblog_of_id = $statusId and d.visibility in ('public', 'unlisted') and ${keyset.where} and ${visibleTo('$viewerId', 'd')} and ${isVisibleAccount} ${order}`,
  )
const pagesOf = (select: typeof favouritedByStatement) => ({
  descending: select(keyset.descending),
  ascending: select(keyset.ascending),
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
