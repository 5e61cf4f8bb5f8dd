import { createBatch } from '../../platform/create-batch.ts'
import type { Db } from '../../platform/db/connection.ts'

/** How many lookups share a statement at most. */
const MAX_LOOKUPS = 16

/** The subjects that one request looks up for a viewer: null for anonymous. */
interface Lookup<Viewer extends string | null, Subject> {
  viewerId: Viewer
  subjects: readonly Subject[]
}

/** One subject of a lookup. `place`: the position of the lookup in its batch. */
interface RequestedSubject<Viewer extends string | null, Subject> {
  place: number
  viewerId: Viewer
  subject: Subject
}

/** Returns a function that returns the rows of a lookup. The lookups of concurrent requests share a statement. */
export function batchLookups<Viewer extends string | null, Subject, Row extends { place: number }>(
  select: (db: Db, requested: readonly RequestedSubject<Viewer, Subject>[]) => Promise<readonly Row[]>,
): (db: Db, lookup: Lookup<Viewer, Subject>) => Promise<Row[]> {
  return createBatch<Db, Lookup<Viewer, Subject>, Row[]>(
    async (db, lookups) => {
      const requested = lookups.flatMap(({ viewerId, subjects }, place) =>
        subjects.map((subject) => ({ place, viewerId, subject })),
      )
      const results: Row[][] = lookups.map(() => [])
      for (const row of await select(db, requested)) results[row.place]!.push(row)
      return results
    },
    { maxItems: MAX_LOOKUPS },
  )
}
