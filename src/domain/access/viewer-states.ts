import { statement } from '../../platform/db/statement.ts'
import type { CachedRead } from '../context.ts'
import { findAuthorRelations } from './author-relations.ts'
import { findInteractions, isCompleteFor } from './interactions.ts'
import type { Interactions } from './interactions.ts'
import { quoterRelations } from './quoter-relations.ts'
import type { QuoterRelations } from './quoter-relations.ts'

/** The interactions of a viewer with the status `shown`: SQL for the rows that record each, with `d.account_id`. */
const INTERACTIONS = {
  favourited: 'favourites d where d.status_id = shown.id',
  reblogged: 'statuses d where d.reblog_of_id = shown.id and d.deleted_at is null',
  bookmarked: 'bookmarks d where d.status_id = shown.id',
  muted: 'conversation_mutes d where d.conversation_id = shown.conversation_id',
} as const

/** All conditions on a viewer: interactions with a status, and relations to its author. */
export const VIEWER_CONDITIONS = { ...INTERACTIONS, ...quoterRelations('shown') } as const

/** The viewer state of a status. */
export interface ViewerState extends Record<keyof typeof VIEWER_CONDITIONS, boolean> {
  /** Zero-based indexes of the options that the viewer chose in the poll of the status; null for none. */
  choices: number[] | null
  /** The version of the viewer's filters; 0 without filters. */
  filters_version: number
}

export interface ViewerStateRow extends ViewerState {
  id: string
}

/** Returns an SQL expression with an account's choices in the poll of the status in `column` as JSON; null for none. */
export function choicesOf(column: string, account: string): string {
  return `(select jsonb_agg(v.choice order by v.choice) from polls p join poll_votes v on v.poll_id = p.id
    where p.status_id = ${column} and v.account_id = ${account}::bigint)`
}

/** Returns the columns of a `ViewerStateRow` without the id. `viewer`: SQL for the account id of the viewer. */
export function viewerStateColumns(viewer: string): string {
  const conditions = Object.entries(VIEWER_CONDITIONS).map(
    ([name, rows]) => `exists (select from ${rows} and d.account_id = ${viewer} offset 0) as ${name}`,
  )
  return `${conditions.join(', ')}, ${choicesOf('shown.id', viewer)} as choices,
     coalesce((select u.filters_version from users u where u.account_id = ${viewer}), 0) as filters_version`
}

const select = statement<{ params: { missingIds: readonly string[]; viewerId: string }; row: ViewerStateRow }>(
  `select shown.id, ${viewerStateColumns('$viewerId')} from statuses shown where shown.id = any($missingIds::bigint[])`,
)

/** A status that is no reblog. */
export interface OriginalStatus {
  id: string
  author: string
  conversation: string | null
  poll: string | null
}

/**
 * Returns the viewer state of each of these statuses, and the version of the viewer's filters, 0 for none. What most
 * states consist of is cached: the latest interactions of the viewer, and the viewer's relations to authors. So a
 * viewer's first page with a new status needs no statement for its state.
 */
export async function findViewerStates(
  read: CachedRead,
  { statuses, viewerId }: { statuses: readonly OriginalStatus[]; viewerId: string },
): Promise<{ states: ReadonlyMap<string, ViewerState>; filtersVersion: number }> {
  const [interactions, relations] = await Promise.all([
    findInteractions(read, { viewerId }),
    findAuthorRelations(read, { viewerId, authorIds: statuses.map(({ author }) => author) }),
  ])
  const states = new Map<string, ViewerState>()
  const missingIds: string[] = []
  for (const [n, status] of statuses.entries()) {
    const relation = relations[n]
    if (!relation || !isCompleteFor(interactions, status)) missingIds.push(status.id)
    else states.set(status.id, stateOf(status, { interactions, relations: relation }))
  }
  const rows = missingIds.length === 0 ? [] : await select(read.db, { missingIds, viewerId })
  for (const { id, ...state } of rows) states.set(id, state)
  return { states, filtersVersion: interactions.filtersVersion }
}

function stateOf(
  { id, conversation, poll }: OriginalStatus,
  { interactions, relations }: { interactions: Interactions; relations: QuoterRelations },
): ViewerState {
  return {
    favourited: interactions.favourited.has(id),
    reblogged: interactions.reblogged.has(id),
    bookmarked: interactions.bookmarked.has(id),
    muted: conversation !== null && interactions.mutedConversations.has(conversation),
    choices: (poll !== null && interactions.choices.get(poll)) || null,
    follows_author: relations.follows_author,
    followed_by_author: relations.followed_by_author,
    is_blocked: relations.is_blocked,
    filters_version: interactions.filtersVersion,
  }
}
