import { shareEqual } from '../../lib/memory/share-equal.ts'
import { createBatch } from '../../platform/create-batch.ts'
import { Cache } from '../../platform/db/cache.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Epoch } from '../../platform/db/invalidations.ts'
import { statement } from '../../platform/db/statement.ts'
import type { CachedRead } from '../context.ts'
import type { StatusRow } from './visibility.ts'

/** All statuses of an author with the same visibility that are no reblogs and not local-only. */
export interface StatusKind {
  author: string
  visibility: StatusRow['visibility']
  /** Identifies the kind: the author and the visibility, separated by a blank. */
  key: string
}

/** The properties of a status that decide who may see it. */
export interface StatusOutline {
  id: string
  author: string
  /** The status that it reblogs. */
  original: { id: string; author: string } | null
  /**
   * Kinds of which the viewer must see statuses to see this one: its own and, for a reblog, that of the original. Empty
   * if one of both is local-only.
   */
  kinds: readonly StatusKind[]
}

export interface OutlineRow extends Pick<StatusRow, 'id' | 'account_id' | 'reblog_of_id' | 'visibility'> {
  local_only: boolean
}

// The statuses and those that they reblog. Deleted statuses have no outline, and neither do reblogs of them.
const select = statement<{ params: { ids: readonly string[] }; row: OutlineRow }>(
  `select s.id, s.account_id, s.reblog_of_id, s.visibility, s.local_only
   from statuses s
   where s.deleted_at is null and s.id = any($ids::bigint[] || array(
     select b.reblog_of_id from statuses b where b.id = any($ids::bigint[]) and b.reblog_of_id is not null))`,
)

/** How many requests share a statement at most. */
const MAX_REQUESTS = 16

const selectTogether = createBatch<Db, readonly string[], ReadonlyMap<string, OutlineRow>>(
  async (db, requests) => {
    const rows = await select(db, { ids: [...new Set(requests.flat())] })
    const found = new Map(rows.map((row) => [row.id, row]))
    return requests.map(() => found)
  },
  { maxItems: MAX_REQUESTS },
)

const OUTLINE_BYTES = 350

const cache = new Cache<StatusOutline>({
  isInvalidated: (invalidations, { value: { id, original }, since }) =>
    invalidations.isInvalidated('status', id, since) ||
    (original !== null && invalidations.isInvalidated('status', original.id, since)),
})

/** How many kinds are shared by the outlines of different statuses. */
const MAX_SHARED_KINDS = 20_000

const shareKind = shareEqual<StatusKind>({ max: MAX_SHARED_KINDS, keyOf: ({ key }) => key })

/** Returns the outlines in the order of the ids; undefined for unknown and deleted statuses. */
export async function findStatusOutlines(
  { db, invalidations }: CachedRead,
  { ids }: { ids: readonly string[] },
): Promise<(StatusOutline | undefined)[]> {
  const outlines = ids.map((id) => cache.get(invalidations, id))
  const missing = ids.filter((_, n) => outlines[n] === undefined)
  if (missing.length === 0) return outlines
  const since = invalidations.epoch
  const rows = await selectTogether(db, missing)
  return ids.map((id, n) => outlines[n] ?? cacheOutline({ invalidations }, { id, rows, since }))
}

/** Caches the outlines of statuses that were read with something else. `since`: the epoch before they were read. */
export function cacheStatusOutlines(
  read: Pick<CachedRead, 'invalidations'>,
  { rows, since }: { rows: readonly OutlineRow[]; since: Epoch },
): void {
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const { id } of rows) cacheOutline(read, { id, rows: found, since })
}

function cacheOutline(
  { invalidations }: Pick<CachedRead, 'invalidations'>,
  { id, rows, since }: { id: string; rows: ReadonlyMap<string, OutlineRow>; since: Epoch },
): StatusOutline | undefined {
  const row = rows.get(id)
  const outline = row && outlineOf(row, rows)
  if (outline) cache.set(invalidations, id, { value: outline, since, bytes: OUTLINE_BYTES })
  return outline
}

function outlineOf(row: OutlineRow, rows: ReadonlyMap<string, OutlineRow>): StatusOutline | undefined {
  const { id, account_id: author, reblog_of_id: originalId } = row
  if (originalId === null) return { id, author, original: null, kinds: kindsOf([row]) }
  const original = rows.get(originalId)
  if (original === undefined) return undefined
  return { id, author, original: { id: originalId, author: original.account_id }, kinds: kindsOf([row, original]) }
}

function kindsOf(rows: readonly OutlineRow[]): StatusKind[] {
  if (rows.some((row) => row.local_only)) return []
  return rows.map(({ account_id: author, visibility }) =>
    shareKind({ author, visibility, key: `${author} ${visibility}` }),
  )
}
