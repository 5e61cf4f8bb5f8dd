import type { Read } from '../domain/context.ts'
import type { Status } from '../entities/status.ts'
import type { Json } from '../lib/json.ts'
import { statement } from '../platform/db/connect.ts'
import { quoteStateFor } from './quotes.ts'
import type { QuoteState } from './quotes.ts'
import { QUESTIONS, selectShown } from './shown.ts'
import type { Answers, Shown } from './shown.ts'
import { ownKeys, prepareStatuses } from './statuses.ts'
import type { Sight } from './statuses.ts'

/** A rendering, and all those who see the status in just this way. */
export interface SharedRendering {
  status: Json<Status>
  viewerIds: string[]
}

/** Of each question those about whom the answer is yes, and of a quote what it is for each, in the order of the ids. */
type Row = Shown & Record<keyof Answers, string[]> & { quote_states: (QuoteState | null)[] | null }

const select = statement<Row>(
  selectShown({
    columns: Object.entries(QUESTIONS)
      .map(([name, rows]) => `array(select d.account_id from ${rows} and d.account_id = any($2::bigint[])) as ${name}`)
      .concat(
        `case when shown.quote_id is not null then array(
           select ${quoteStateFor('viewer.id')} from unnest($2::bigint[]) with ordinality viewer (id, place)
           order by viewer.place) end as quote_states`,
      )
      .join(', '),
    viewers: '= any($2::bigint[])',
    quoted: true,
  }),
)

/**
 * One status as each of these people sees it, in as many queries as for one of them. Most see the same, so a rendering
 * comes once, with everybody whom it is for. Empty when the status is not there. Whether they may see it has been
 * decided before; whether they may see what it quotes is looked at here. `impersonal`: as for somebody unknown, but with
 * what becomes of a quote for the viewer, and where their filters have something to say, that.
 */
export async function renderStatusForMany(
  read: Read,
  { id, viewerIds, impersonal = false }: { id: string; viewerIds: readonly string[]; impersonal?: boolean },
): Promise<SharedRendering[]> {
  if (viewerIds.length === 0) return []
  const rows = await select(read.db, [[id], viewerIds])
  const { compose, subjectOf, filtered, cardFor } = await prepareStatuses(read, { rows })
  const names = Object.keys(QUESTIONS) as (keyof Answers)[]
  const yes = new Map(rows.map((row) => [row.id, names.map((name) => [name, new Set(row[name])] as const)]))
  const states = new Map(rows.map((row) => [row.id, row.quote_states]))
  const shared = new Map<string, SharedRendering>()
  for (const [place, viewerId] of viewerIds.entries()) {
    const answersOn = (statusId: string) =>
      Object.fromEntries((yes.get(statusId) ?? []).map(([name, ids]) => [name, ids.has(viewerId)])) as Answers
    const sight: Sight = {
      own(row) {
        const results = filtered(viewerId, row)
        const shownTo = impersonal ? null : viewerId
        const view = { viewerId: shownTo, answersOn, filtered: results, card: cardFor(shownTo, row) }
        const keys = ownKeys(read.config, { row, subject: subjectOf(row), view })
        return keys + (impersonal && results !== '[]' ? `,"filtered":${results}` : '')
      },
      quoteState: (row) => states.get(row.id)?.[place] ?? null,
    }
    const likeness = rows.map((row) => `${sight.quoteState(row)}${sight.own(row)}`).join()
    const known = shared.get(likeness)
    if (known) {
      known.viewerIds.push(viewerId)
      continue
    }
    const status = compose(id, sight)
    if (status !== undefined) shared.set(likeness, { status, viewerIds: [viewerId] })
  }
  return [...shared.values()]
}
