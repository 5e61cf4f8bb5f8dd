import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'

const keyset = keysetClause('f.id')

const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: { cursor: string; id: string } }>(
    `select f.id as cursor, f.tag_id as id from tag_follows f where f.account_id = $accountId
      and ${keyset.where} ${order}`,
  )
const descending = select(keyset.descending)
const ascending = select(keyset.ascending)

/**
 * Returns a page of the hashtags that an account follows, latest first: their ids, with the id of the follow as cursor.
 */
export async function listFollowedTags(
  read: Read,
  { accountId, page: requested }: { accountId: string; page: Page },
): Promise<{ cursor: string; id: string }[]> {
  const values = { accountId, ...pageParameters(requested) }
  return readKeysetPage(requested, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
