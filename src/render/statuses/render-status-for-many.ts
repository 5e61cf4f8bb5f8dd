import { VIEWER_CONDITIONS } from '../../domain/access/viewer-states.ts'
import type { ViewerState } from '../../domain/access/viewer-states.ts'
import type { CachedRead } from '../../domain/context.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { entityJson } from '../../lib/json/entity-json.ts'
import { jsonText } from '../../lib/json/json-content.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { statement } from '../../platform/db/statement.ts'
import { filteringViewers } from '../filters/filter-results.ts'
import type { FilteringViewers } from '../filters/filter-results.ts'
import { selectQuoting } from './quote-states.ts'
import { quoteStateFor } from './quotes.ts'
import type { QuoteState } from './quotes.ts'
import { prepareStatuses, quotingOf } from './render-statuses.ts'
import type { RenderContext } from './render-statuses.ts'
import { statusForViewer } from './status-for-viewer.ts'
import type { OwnFields } from './status-for-viewer.ts'
import { findStatusRecords } from './status-records.ts'

/** A rendered status, and the viewers for whom it is identical. */
export interface SharedRendering {
  status: EntityJson<Status>
  viewerIds: string[]
}

/** The accounts that meet each condition. */
interface ViewersRow extends Record<keyof typeof VIEWER_CONDITIONS, string[]> {
  id: string
  /** Account id → the positions of the options that it chose in the poll; null if no viewer voted. */
  choices: Record<string, number[]> | null
  filtering: FilteringViewers | null
}

const conditions = Object.entries(VIEWER_CONDITIONS).map(
  ([name, rows]) => `array(select d.account_id from ${rows} and d.account_id = any($viewerIds::bigint[])) as ${name}`,
)
const selectViewers = statement<{
  params: { statusIds: readonly string[]; viewerIds: readonly string[] }
  row: ViewersRow
}>(
  `select shown.id, ${conditions.join(', ')}, (
     select jsonb_object_agg(voter.account_id, voter.choices) from (
       select v.account_id, jsonb_agg(v.choice order by v.choice) as choices
       from polls p join poll_votes v on v.poll_id = p.id
       where p.status_id = shown.id and v.account_id = any($viewerIds::bigint[])
       group by v.account_id) voter) as choices,
     ${filteringViewers('= any($viewerIds::bigint[])')} as filtering
   from statuses shown where shown.id = any($statusIds::bigint[])`,
)

/** In the order of the viewers. */
const selectQuoteStates = statement<{
  params: { ids: readonly string[]; viewerIds: readonly string[] }
  row: { id: string; states: (QuoteState | null)[] }
}>(
  selectQuoting(`array(
    select ${quoteStateFor('viewer.id')} from unnest($viewerIds::bigint[]) with ordinality viewer (id, position)
    order by viewer.position) as states`),
)

const NONE: ReadonlySet<string> = new Set()

/**
 * Renders one status for many viewers, with as many queries as for one. Most viewers see the same, so each rendering is
 * returned once, with its viewers. Empty if the status does not exist. The caller has checked that the viewers may see
 * the status; the visibility of a quoted status is checked here. `impersonal`: renders for an anonymous viewer, but
 * with the quote state and the filter results of each viewer.
 */
export async function renderStatusForMany(
  read: CachedRead,
  { id, viewerIds, impersonal = false }: { id: string; viewerIds: readonly string[]; impersonal?: boolean },
): Promise<SharedRendering[]> {
  if (viewerIds.length === 0) return []
  const records = await findStatusRecords(read, { ids: [id] })
  const quoting = quotingOf(records)
  const [viewersRows, quoteRows] = await Promise.all([
    selectViewers(read.db, { statusIds: [...records.keys()], viewerIds }),
    quoting.length === 0 ? [] : selectQuoteStates(read.db, { ids: quoting, viewerIds }),
  ])
  const viewers = viewersRows[0]?.filtering ?? null
  const renderer = await prepareStatuses(read, { records, viewers })
  const stateOf = viewerStates(viewersRows)
  const choices = new Map(viewersRows.map((row) => [row.id, row.choices]))
  const quoteStates = new Map(quoteRows.map((row) => [row.id, row.states]))
  const contextOf = (viewerId: string, position: number): RenderContext => ({
    fieldsOf(record) {
      const subject = renderer.subjectOf(record)
      const results = renderer.filterResults(viewerId, record)
      const renderedViewerId = impersonal ? null : viewerId
      return statusForViewer(read.config, {
        record,
        subject,
        viewing: {
          viewerId: renderedViewerId,
          state: stateOf(subject.row.id, viewerId),
          choices: choices.get(record.row.id)?.[viewerId] ?? null,
          filtered: impersonal && jsonText(results) === '[]' ? undefined : results,
          card: renderer.cardOf(record, renderedViewerId),
          collections: renderer.collectionsOf(record),
        },
      })
    },
    quoteStateOf: (row) => quoteStates.get(row.id)?.[position] ?? null,
    withheld: NONE,
  })
  const renderings = new Map<string, SharedRendering>()
  for (const [position, viewerId] of viewerIds.entries()) {
    const context = contextOf(viewerId, position)
    const key = [...records.values()]
      .map(
        (record) => `${context.quoteStateOf(record.row)}${jsonText(entityJson<OwnFields>(context.fieldsOf(record)))}`,
      )
      .join()
    const existing = renderings.get(key)
    if (existing) {
      existing.viewerIds.push(viewerId)
      continue
    }
    const status = renderer.render(id, context)
    if (status !== null) renderings.set(key, { status, viewerIds: [viewerId] })
  }
  return [...renderings.values()]
}

function viewerStates(rows: readonly ViewersRow[]): (statusId: string, viewerId: string) => ViewerState {
  const names = Object.keys(VIEWER_CONDITIONS) as (keyof typeof VIEWER_CONDITIONS)[]
  const accounts = new Map(rows.map((row) => [row.id, names.map((name) => [name, new Set(row[name])] as const)]))
  return (statusId, viewerId) => {
    const entries = (accounts.get(statusId) ?? []).map(([name, ids]) => [name, ids.has(viewerId)] as const)
    return Object.fromEntries(entries) as unknown as ViewerState
  }
}
