import type { Read } from '../domain/context.ts'
import type { Status } from '../entities/status.ts'
import type { Json } from '../lib/json.ts'
import { statement } from '../platform/db/connect.ts'
import { ownKeys, prepareStatuses, selectShown } from './statuses.ts'
import type { Deeds, Shown } from './statuses.ts'

/** A rendering, and all those who see the status in just this way. */
export interface SharedRendering {
  status: Json<Status>
  viewerIds: string[]
}

const select = statement<Shown & { favourited_by: string[]; reblogged_by: string[] }>(
  selectShown(
    `array(select f.account_id from favourites f where f.status_id = shown.id and f.account_id = any($2::bigint[]))
       as favourited_by,
     array(select b.account_id from statuses b
       where b.reblog_of_id = shown.id and b.account_id = any($2::bigint[]) and b.deleted_at is null) as reblogged_by`,
  ),
)

/**
 * One status as each of these people sees it, in as many queries as for one of them. Most see the same, so a rendering
 * comes once, with everybody whom it is for. Empty when the status is not there. Whether they may see it has been
 * decided before.
 */
export async function renderStatusForMany(
  read: Read,
  { id, viewerIds }: { id: string; viewerIds: readonly string[] },
): Promise<SharedRendering[]> {
  if (viewerIds.length === 0) return []
  const rows = await select(read.db, [[id], viewerIds])
  const compose = await prepareStatuses(read, { rows })
  const doers = new Map(
    rows.map((row) => [row.id, { favourited: new Set(row.favourited_by), reblogged: new Set(row.reblogged_by) }]),
  )
  const shared = new Map<string, SharedRendering>()
  for (const viewerId of viewerIds) {
    const deedsOn = (statusId: string): Deeds => ({
      favourited: doers.get(statusId)?.favourited.has(viewerId) ?? false,
      reblogged: doers.get(statusId)?.reblogged.has(viewerId) ?? false,
    })
    const own = (row: Shown) => ownKeys(read.config, { row, view: { viewerId, deedsOn } })
    const likeness = rows.map(own).join()
    const known = shared.get(likeness)
    if (known) {
      known.viewerIds.push(viewerId)
      continue
    }
    const status = compose(id, own)
    if (status !== undefined) shared.set(likeness, { status, viewerIds: [viewerId] })
  }
  return [...shared.values()]
}
