import type { Read } from '../domain/context.ts'
import type { Status } from '../entities/status.ts'
import type { Json } from '../lib/json.ts'
import { textOfParts } from '../lib/json-parts.ts'
import type { JsonPart } from '../lib/json-parts.ts'
import { lookForChanges } from '../platform/db/changes.ts'
import { statement } from '../platform/db/connect.ts'
import { QUESTIONS, selectQuoting } from './answers.ts'
import type { Answers } from './answers.ts'
import { filteringViewers } from './filter-results.ts'
import type { FilteringViewers } from './filter-results.ts'
import { quoteStateFor } from './quotes.ts'
import type { QuoteState } from './quotes.ts'
import { findPieces } from './status-pieces.ts'
import { ownKeys, prepareStatuses, quotingOf } from './statuses.ts'
import type { Sight } from './statuses.ts'

/** A rendering, and all those who see the status in just this way. */
export interface SharedRendering {
  status: Json<Status>
  viewerIds: string[]
}

/** Of each question those about whom the answer is yes. */
interface Row extends Record<keyof typeof QUESTIONS, string[]> {
  id: string
  /** Account id → what they chose in its poll; null when nobody did. */
  choices: Record<string, number[]> | null
  filtering: FilteringViewers | null
}

const questions = Object.entries(QUESTIONS).map(
  ([name, rows]) => `array(select d.account_id from ${rows} and d.account_id = any($2::bigint[])) as ${name}`,
)
const select = statement<Row>(
  `select shown.id, ${questions.join(', ')}, (
     select jsonb_object_agg(mine.account_id, mine.choices) from (
       select v.account_id, jsonb_agg(v.choice order by v.choice) as choices
       from polls p join poll_votes v on v.poll_id = p.id
       where p.status_id = shown.id and v.account_id = any($2::bigint[]) group by v.account_id) mine) as choices,
     ${filteringViewers('= any($2::bigint[])')} as filtering
   from statuses shown where shown.id = any($1::bigint[])`,
)

/** In the order of the viewers. */
const selectStates = statement<{ id: string; states: (QuoteState | null)[] }>(
  selectQuoting(`array(
    select ${quoteStateFor('viewer.id')} from unnest($2::bigint[]) with ordinality viewer (id, place)
    order by viewer.place) as states`),
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
  const changes = await lookForChanges(read.db)
  const pieces = await findPieces(read, { ids: [id], changes })
  const quoting = quotingOf(pieces)
  const [answered, asked] = await Promise.all([
    select(read.db, [[...pieces.keys()], viewerIds]),
    quoting.length === 0 ? [] : selectStates(read.db, [quoting, viewerIds]),
  ])
  const viewers = answered[0]?.filtering ?? null
  const { write, subjectOf, filtered, cardFor } = await prepareStatuses(read, { pieces, viewers, changes })
  const names = Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]
  const yes = new Map(answered.map((row) => [row.id, names.map((name) => [name, new Set(row[name])] as const)]))
  const choices = new Map(answered.map((row) => [row.id, row.choices]))
  const states = new Map(asked.map((row) => [row.id, row.states]))
  const shared = new Map<string, SharedRendering>()
  for (const [place, viewerId] of viewerIds.entries()) {
    const answersOn = (statusId: string) => {
      const answers = (yes.get(statusId) ?? []).map(([name, ids]) => [name, ids.has(viewerId)] as const)
      return Object.fromEntries(answers) as unknown as Answers
    }
    const sight: Sight = {
      own(piece) {
        const subject = subjectOf(piece)
        const results = filtered(viewerId, piece)
        const shownTo = impersonal ? null : viewerId
        const view = {
          viewerId: shownTo,
          answers: answersOn(subject.row.id),
          choices: choices.get(piece.row.id)?.[viewerId] ?? null,
          filtered: results,
          card: cardFor(shownTo, piece),
        }
        const keys = ownKeys(read.config, { piece, subject, view })
        return keys + (impersonal && results !== '[]' ? `,"filtered":${results}` : '')
      },
      quoteState: (row) => states.get(row.id)?.[place] ?? null,
    }
    const likeness = [...pieces.values()].map((piece) => `${sight.quoteState(piece.row)}${sight.own(piece)}`).join()
    const known = shared.get(likeness)
    if (known) {
      known.viewerIds.push(viewerId)
      continue
    }
    const parts: JsonPart[] = []
    if (write(parts, id, sight)) {
      shared.set(likeness, { status: textOfParts(parts) as Json<Status>, viewerIds: [viewerId] })
    }
  }
  return [...shared.values()]
}
