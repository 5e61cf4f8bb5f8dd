import type { Read } from '../domain/context.ts'
import type { Status } from '../entities/status.ts'
import type { Json } from '../lib/json.ts'
import { statement } from '../platform/db/connect.ts'
import { DEEDS, ownKeys, prepareStatuses, selectShown } from './statuses.ts'
import type { Deeds, Shown } from './statuses.ts'

/** A rendering, and all those who see the status in just this way. */
export interface SharedRendering {
  status: Json<Status>
  viewerIds: string[]
}

type Doers = Record<keyof Deeds, string[]>

const select = statement<Shown & Doers>(
  selectShown({
    deeds: Object.entries(DEEDS)
      .map(([name, rows]) => `array(select d.account_id from ${rows} and d.account_id = any($2::bigint[])) as ${name}`)
      .join(', '),
    viewers: '= any($2::bigint[])',
  }),
)

/**
 * One status as each of these people sees it, in as many queries as for one of them. Most see the same, so a rendering
 * comes once, with everybody whom it is for. Empty when the status is not there. Whether they may see it has been
 * decided before. `impersonal`: as for somebody unknown, and only where a viewer's filters have something to say, that.
 */
export async function renderStatusForMany(
  read: Read,
  { id, viewerIds, impersonal = false }: { id: string; viewerIds: readonly string[]; impersonal?: boolean },
): Promise<SharedRendering[]> {
  if (viewerIds.length === 0) return []
  const rows = await select(read.db, [[id], viewerIds])
  const { compose, filtered } = await prepareStatuses(read, { rows })
  const names = Object.keys(DEEDS) as (keyof Deeds)[]
  const doers = new Map(rows.map((row) => [row.id, names.map((name) => [name, new Set(row[name])] as const)]))
  const shared = new Map<string, SharedRendering>()
  for (const viewerId of viewerIds) {
    const deedsOn = (statusId: string) =>
      Object.fromEntries((doers.get(statusId) ?? []).map(([name, ids]) => [name, ids.has(viewerId)])) as Deeds
    const own = (row: Shown) => {
      const results = filtered(viewerId, row)
      const view = { viewerId: impersonal ? null : viewerId, deedsOn, filtered: results }
      return ownKeys(read.config, { row, view }) + (impersonal && results !== '[]' ? `,"filtered":${results}` : '')
    }
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
