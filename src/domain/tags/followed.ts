import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'

const page = pageClause('f.id')

const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: { cursor: string; id: string } }>(
    `select f.id as cursor, f.tag_id as id from tag_follows f where f.account_id = $accountId
      and ${page.where} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** The hashtags that somebody follows, latest first: their ids, and those of the follows, which pages go by. */
export async function readFollowedTags(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<{ cursor: string; id: string }[]> {
  const values = { accountId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}
