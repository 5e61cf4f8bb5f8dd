import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { visibleTo } from '../../access/visibility.ts'

/**
 * An entry of a paginated list of statuses: the status id, and as cursor the id of the favourite, bookmark, pin or
 * quote.
 */
export interface ListedStatus {
  cursor: string
  id: string
}

const keyset = keysetClause('saved.id')

const savedStatement = (table: 'favourites' | 'bookmarks', order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: ListedStatus }>(
    `select saved.id as cursor, s.id from ${table} saved join statuses s on s.id = saved.status_id
     where saved.account_id = $accountId and ${keyset.where} and ${visibleTo('$accountId')} ${order}`,
  )
const pagesOf = (table: 'favourites' | 'bookmarks') => ({
  descending: savedStatement(table, keyset.descending),
  ascending: savedStatement(table, keyset.ascending),
})
const favourites = pagesOf('favourites')
const bookmarks = pagesOf('bookmarks')

type SavedStatusesInput = { accountId: string; page: Page }

/**
 * Returns the statuses that the account favourited and may still see, latest favourite first.
 * Mastodon: GET /api/v1/favourites
 */
export async function listFavourites(read: Read, input: SavedStatusesInput): Promise<ListedStatus[]> {
  return listSaved(read, input, favourites)
}

/**
 * Returns the statuses that the account bookmarked and may still see, latest bookmark first.
 * Mastodon: GET /api/v1/bookmarks
 */
export async function listBookmarks(read: Read, input: SavedStatusesInput): Promise<ListedStatus[]> {
  return listSaved(read, input, bookmarks)
}

async function listSaved(
  read: Read,
  { accountId, page }: SavedStatusesInput,
  { descending, ascending }: typeof favourites,
): Promise<ListedStatus[]> {
  const values = { accountId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
