import { compareIds } from '../../lib/ids.ts'
import { createBatch } from '../../platform/create-batch.ts'
import { Cache } from '../../platform/db/cache.ts'
import type { Db } from '../../platform/db/connection.ts'
import { statement } from '../../platform/db/statement.ts'
import type { CachedRead } from '../context.ts'

/** The latest interactions of a viewer; for most viewers, these are all. */
export interface Interactions {
  /** The ids of statuses. */
  favourited: ReadonlySet<string>
  reblogged: ReadonlySet<string>
  bookmarked: ReadonlySet<string>
  mutedConversations: ReadonlySet<string>
  /** Zero-based indexes of the chosen options by poll. */
  choices: ReadonlyMap<string, number[]>
  /** The version of the viewer's filters; 0 without filters. */
  filtersVersion: number
  /** The interactions with these and later ids are complete. null: with all ids. */
  completeFrom: { status: string | null; conversation: string | null; poll: string | null }
}

/** How many interactions of each type are read. Older ones are read per status. */
const MAX_PER_TYPE = 500

interface InteractionsRow {
  favourited: string[]
  reblogged: string[]
  bookmarked: string[]
  muted_conversations: string[]
  /** Pairs of a poll and a choice, separated by a blank. */
  votes: string[]
  filters_version: number
}

const latest = (column: string, rows: string) => `array(select ${column}::text from ${rows} limit ${MAX_PER_TYPE})`

const select = statement<{ params: { viewerIds: readonly string[] }; row: InteractionsRow }>(
  `select
     ${latest('f.status_id', 'favourites f where f.account_id = requested.viewer order by f.status_id desc')} as favourited,
     ${latest('b.status_id', 'bookmarks b where b.account_id = requested.viewer order by b.status_id desc')} as bookmarked,
     ${latest(
       's.reblog_of_id',
       `statuses s where s.account_id = requested.viewer and s.reblog_of_id is not null and s.deleted_at is null
         order by s.reblog_of_id desc`,
     )} as reblogged,
     ${latest(
       'm.conversation_id',
       'conversation_mutes m where m.account_id = requested.viewer order by m.conversation_id desc',
     )} as muted_conversations,
     ${latest(
       "(v.poll_id || ' ' || v.choice)",
       'poll_votes v where v.account_id = requested.viewer order by v.poll_id desc, v.choice',
     )} as votes,
     coalesce((select u.filters_version from users u where u.account_id = requested.viewer), 0) as filters_version
   from unnest($viewerIds::bigint[]) with ordinality requested (viewer, place) order by requested.place`,
)

/** How many viewers share a statement at most. */
const MAX_VIEWERS = 32

const selectTogether = createBatch<Db, string, InteractionsRow>(async (db, viewerIds) => select(db, { viewerIds }), {
  maxItems: MAX_VIEWERS,
})

const VIEWER_BYTES = 600
const INTERACTION_BYTES = 70

const cache = new Cache<Interactions>({
  isInvalidated: (invalidations, { key, since }) => invalidations.isInvalidated('viewer', key, since),
})

/** Returns the interactions of a viewer. Any new one is an invalidation of the viewer. */
export async function findInteractions(
  { db, invalidations }: CachedRead,
  { viewerId }: { viewerId: string },
): Promise<Interactions> {
  const cached = cache.get(invalidations, viewerId)
  if (cached) return cached
  const since = invalidations.epoch
  const value = interactionsOf(await selectTogether(db, viewerId))
  const { favourited, reblogged, bookmarked, mutedConversations, choices } = value
  const count = [favourited, reblogged, bookmarked, mutedConversations, choices].reduce(
    (sum, { size }) => sum + size,
    0,
  )
  cache.set(invalidations, viewerId, { value, since, bytes: VIEWER_BYTES + count * INTERACTION_BYTES })
  return value
}

function interactionsOf(row: InteractionsRow): Interactions {
  const choices = new Map<string, number[]>()
  for (const vote of row.votes) {
    const [poll = '', choice] = vote.split(' ')
    choices.set(poll, [...(choices.get(poll) ?? []), Number(choice)])
  }
  const starts = [row.favourited, row.reblogged, row.bookmarked].flatMap((ids) => startOf(ids) ?? [])
  return {
    favourited: new Set(row.favourited),
    reblogged: new Set(row.reblogged),
    bookmarked: new Set(row.bookmarked),
    mutedConversations: new Set(row.muted_conversations),
    choices,
    filtersVersion: row.filters_version,
    completeFrom: {
      status: starts.toSorted(compareIds).at(-1) ?? null,
      conversation: startOf(row.muted_conversations),
      // The limit may have cut off votes in the last poll.
      poll: row.votes.length < MAX_PER_TYPE ? null : [...choices.keys()].at(-2)!,
    },
  }
}

/** Returns from which id a list is complete, null for all ids. `ids`: the latest first. */
const startOf = (ids: readonly string[]) => (ids.length < MAX_PER_TYPE ? null : ids.at(-1)!)

/** Returns whether the list of interactions is complete for a status that is no reblog. */
export function isCompleteFor(
  { completeFrom }: Interactions,
  { id, conversation, poll }: { id: string; conversation: string | null; poll: string | null },
): boolean {
  return (
    isWithin(completeFrom.status, id) &&
    isWithin(completeFrom.conversation, conversation) &&
    isWithin(completeFrom.poll, poll)
  )
}

const isWithin = (completeFrom: string | null, id: string | null) =>
  completeFrom === null || id === null || compareIds(id, completeFrom) >= 0
