import { ByteLimit } from '../../lib/memory/byte-limited-cache.ts'
import { createBatch } from '../create-batch.ts'
import type { Db } from './connection.ts'
import { statement } from './statement.ts'

/**
 * Determines which cached values are out of date. Triggers record the changes of each commit in the table
 * `invalidations` (`migrations/0010-cache-invalidation.ts`). A process reads the new rows with one short statement
 * before it uses a cached value, so a value is never older than the request that uses it. Concurrent requests share one
 * statement.
 */

/** A point in the sequence of checks of one process: a number that increases with each check that finds changes. */
export type Epoch = number

/** What an invalidation affects, by its letter in the table. `viewer`: interactions and relationships of an account. */
const KINDS = {
  s: 'status',
  c: 'status counters',
  a: 'account',
  n: 'account counters',
  u: 'user',
  v: 'viewer',
  t: 'token',
  i: 'IP blocks',
  r: 'trends',
} as const
export type InvalidationKind = (typeof KINDS)[keyof typeof KINDS]

/** The memory limit of the caches of a database, if `limitCaches` has set no other. */
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024

/** How many changes a check returns at most. If there are more, everything is invalidated. */
const MAX_CHANGES = 50_000

/** How many ids of each kind a process stores. Beyond that, it deletes the half that was changed first. */
const MAX_REMEMBERED = 20_000

interface CheckRow {
  /** `pg_current_snapshot()` as text. */
  snapshot: string
  /** Whether rows were pruned since the last check, or there was no last check. */
  missed: boolean
  /** When the PostgreSQL server was started, which identifies it: seconds since 1970. */
  server: number
  /** Letters of kinds with ids, separated by blanks; null for none. */
  changed: string | null
  /** Milliseconds since 1970, by the clock of the database. */
  at: number
}

const selectInvalidations = statement<{ params: { snapshot: string | null }; row: CheckRow }>(
  `select pg_current_snapshot()::text as snapshot,
     $snapshot::pg_snapshot is null or pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax($snapshot::pg_snapshot)
       or exists (select from invalidation_horizon f where f.pruned_until_xid >= pg_snapshot_xmin($snapshot::pg_snapshot)) as missed,
     extract(epoch from pg_postmaster_start_time())::double precision as server,
     invalidations_since($snapshot::pg_snapshot, ${MAX_CHANGES + 1}) as changed,
     (extract(epoch from now()) * 1000)::double precision as at`,
)

/** The invalidations in one database that one process has read. */
export class Invalidations {
  /** Limits the memory of all values that are cached for this database. */
  cacheLimit = new ByteLimit({ maxBytes: DEFAULT_CACHE_BYTES })
  #epoch: Epoch = 1
  /** Everything cached before this epoch is invalid. */
  #validFrom: Epoch = 1
  #snapshot: string | null = null
  #server: number | null = null
  /** Milliseconds by which the clock of the database is ahead of `performance.now()`. */
  #clockOffset = 0
  /** When the last check began, by `performance.now()`. */
  #checkedAt = Number.NEGATIVE_INFINITY
  readonly #changes = Object.fromEntries(Object.values(KINDS).map((kind) => [kind, new RememberedChanges()])) as Record<
    InvalidationKind,
    RememberedChanges
  >

  get epoch(): Epoch {
    return this.#epoch
  }

  /** The current time of the database's clock: milliseconds since 1970. */
  get now(): number {
    return performance.now() + this.#clockOffset
  }

  /** Milliseconds since the last check. */
  get age(): number {
    return performance.now() - this.#checkedAt
  }

  /** Returns whether a change of the subject was committed after the epoch `since`. */
  isInvalidated(kind: InvalidationKind, id: string, since: Epoch): boolean {
    if (since === this.#epoch) return false
    return since < this.#validFrom || this.#changes[kind].mayHaveChanged(id, since)
  }

  /** Returns the same for tables whose changes invalidate everything, such as settings and roles. */
  isEverythingInvalidated(since: Epoch): boolean {
    return since < this.#validFrom
  }

  async check(db: Db): Promise<void> {
    const startedAt = performance.now()
    const [row] = await selectInvalidations(db, { snapshot: this.#snapshot })
    if (!row) return
    const { snapshot, server, changed, at } = row
    // A PostgreSQL server that replaced another one may use transaction ids that this process has already seen.
    const missed = row.missed || server !== this.#server
    this.#snapshot = snapshot
    this.#server = server
    this.#checkedAt = startedAt
    this.#clockOffset = at - performance.now()
    if (!missed && changed === null) return
    this.#epoch += 1
    const words = missed ? [] : changed!.split(' ')
    if (missed || words.length > MAX_CHANGES) return this.#invalidateEverything()
    for (const word of words) {
      const kind = KINDS[word[0] as keyof typeof KINDS] as InvalidationKind | undefined
      if (kind === undefined) return this.#invalidateEverything()
      this.#changes[kind].add(word.slice(1), this.#epoch)
    }
  }

  #invalidateEverything(): void {
    this.#validFrom = this.#epoch
    for (const changes of Object.values(this.#changes)) changes.clear()
  }
}

/** The ids of one kind that were changed, with their last epoch. */
class RememberedChanges {
  /** In the order of the epochs. */
  readonly #epochs = new Map<string, Epoch>()
  /** The last epoch of the ids that were forgotten: what was cached before may have changed. */
  #forgottenUntil: Epoch = 0

  add(id: string, epoch: Epoch): void {
    this.#epochs.delete(id)
    this.#epochs.set(id, epoch)
    if (this.#epochs.size > MAX_REMEMBERED) this.#forgetHalf()
  }

  mayHaveChanged(id: string, since: Epoch): boolean {
    return since < this.#forgottenUntil || (this.#epochs.get(id) ?? 0) > since
  }

  clear(): void {
    this.#epochs.clear()
  }

  #forgetHalf(): void {
    for (const [id, epoch] of this.#epochs) {
      if (this.#epochs.size <= MAX_REMEMBERED / 2) return
      this.#epochs.delete(id)
      this.#forgottenUntil = epoch
    }
  }
}

const invalidationsByDb = new WeakMap<Db, Invalidations>()

function invalidationsOf(db: Db): Invalidations {
  let invalidations = invalidationsByDb.get(db)
  if (!invalidations) invalidationsByDb.set(db, (invalidations = new Invalidations()))
  return invalidations
}

/** Sets the memory limit of the caches of a database, before their first use. */
export function limitCaches(db: Db, limit: ByteLimit): void {
  invalidationsOf(db).cacheLimit = limit
}

const checkTogether = createBatch<Db, null, null>(
  async (db, items) => {
    await invalidationsOf(db).check(db)
    return items.map(() => null)
  },
  { maxItems: Number.POSITIVE_INFINITY },
)

/** Returns the invalidations of this process, including all that were committed before the call. */
export async function checkForInvalidations(db: Db): Promise<Invalidations> {
  if (db.isTransaction) return checkInTransaction(db)
  await checkTogether(db, null)
  return invalidationsOf(db)
}

/** Returns the invalidations of this process if it has checked within `maxAgeMs`, without a statement; else null. */
export function findRecentInvalidations(db: Db, { maxAgeMs }: { maxAgeMs: number }): Invalidations | null {
  const invalidations = invalidationsOf(db)
  return invalidations.age <= maxAgeMs ? invalidations : null
}

/** A transaction gets its own empty caches: its uncommitted changes are in no table that other sessions can read. */
async function checkInTransaction(tx: Db): Promise<Invalidations> {
  const invalidations = new Invalidations()
  await invalidations.check(tx)
  return invalidations
}
