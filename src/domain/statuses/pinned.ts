import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { findAccount } from '../accounts/find.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import type { KeptStatus } from './kept.ts'
import { visibleTo } from './visibility.ts'

const page = pageClause('p.id')

const select = (order: string) =>
  statement<{ params: { accountId: string; viewerId: string | null } & PageParameters; row: KeptStatus }>(
    `select p.id as cursor, s.id from pins p join statuses s on s.id = p.status_id
     where p.account_id = $accountId and ${page.where} and ${visibleTo('$viewerId')} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/**
 * What somebody put on top of their profile, as far as this viewer may see it (null = anonymous): latest pin first,
 * cursors are the pins' ids. @throws NotFound
 */
export async function readPinned(
  read: Read,
  { accountId, viewerId, page: asked }: { accountId: string; viewerId: string | null; page: Page },
): Promise<KeptStatus[]> {
  const { id, suspended } = await findAccount(read, { id: accountId })
  if (suspended) return []
  const values = { accountId: id, viewerId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}
