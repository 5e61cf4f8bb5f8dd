import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Listed } from '../accounts/listed.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import { findVisibleStatus, visibleTo } from './visibility.ts'

// $statusId the status, $viewerId the viewer. Whom the viewer does not want to see, and who shuts them out, is left out.
const shown = `${usableAccount()} and ($viewerId::bigint is null or (
  not exists (select from blocks b where b.account_id = $viewerId and b.target_account_id = a.id)
  and not exists (select from blocks b where b.account_id = a.id and b.target_account_id = $viewerId)))`

const page = pageClause('d.id')

const favouriters = (order: string) =>
  statement<{ params: { statusId: string; viewerId: string | null } & PageParameters; row: Listed }>(
    `select d.id as cursor, a.id
     from favourites d join accounts a on a.id = d.account_id left join users u on u.account_id = a.id
     where d.status_id = $statusId and ${page.where} and ${shown} ${order}`,
  )
const boosters = (order: string) =>
  statement<{ params: { statusId: string; viewerId: string | null } & PageParameters; row: Listed }>(
    `select d.id as cursor, a.id
     from statuses d join accounts a on a.id = d.account_id left join users u on u.account_id = a.id
     where d.reblog_of_id = $statusId and d.visibility in ('public', 'unlisted') and ${page.where} and ${visibleTo('$viewerId', 'd')} and ${shown} ${order}`,
  )
const pagesOf = (select: typeof favouriters) => ({
  descending: select(page.descending),
  ascending: select(page.ascending),
})
const favouritePages = pagesOf(favouriters)
const boostPages = pagesOf(boosters)

type Input = { statusId: string; viewerId: string | null; page: Page }

/** Those who favourited a status, latest first; cursors are the favourites' ids. @throws NotFound */
export async function readFavouriters(read: Read, input: Input): Promise<Listed[]> {
  return readAdmirers(read, input, favouritePages)
}

/**
 * The accounts with a public or unlisted boost of a status, latest first; cursors are the boosts' ids.
 * Mastodon: GET /api/v1/statuses/:id/reblogged_by. @throws NotFound
 */
export async function readBoosters(read: Read, input: Input): Promise<Listed[]> {
  return readAdmirers(read, input, boostPages)
}

async function readAdmirers(
  read: Read,
  { statusId, viewerId, page: asked }: Input,
  { descending, ascending }: typeof favouritePages,
): Promise<Listed[]> {
  const found = await findVisibleStatus(read, { id: statusId, viewerId })
  const values = { statusId: found.reblog_of_id ?? found.id, viewerId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
