import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import { visibleTo } from './visibility.ts'

/** A row of a list of statuses: which it shows, and the id of the favourite or bookmark that put it there. */
export interface KeptStatus {
  cursor: string
  id: string
}

const page = pageClause('k.id')

const select = (table: 'favourites' | 'bookmarks', order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: KeptStatus }>(
    `select k.id as cursor, s.id from ${table} k join statuses s on s.id = k.status_id
     where k.account_id = $accountId and ${page.where} and ${visibleTo('$accountId')} ${order}`,
  )
const pagesOf = (table: 'favourites' | 'bookmarks') => ({
  descending: select(table, page.descending),
  ascending: select(table, page.ascending),
})
const favourites = pagesOf('favourites')
const bookmarks = pagesOf('bookmarks')

type Input = { accountId: string; page: Page }

/** What somebody favourited and may still see, latest favourite first. */
export async function readFavourites(read: Read, input: Input): Promise<KeptStatus[]> {
  return readKept(read, input, favourites)
}

/** What somebody bookmarked and may still see, latest bookmark first. */
export async function readBookmarks(read: Read, input: Input): Promise<KeptStatus[]> {
  return readKept(read, input, bookmarks)
}

async function readKept(
  read: Read,
  { accountId, page: asked }: Input,
  { descending, ascending }: typeof favourites,
): Promise<KeptStatus[]> {
  const values = { accountId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
