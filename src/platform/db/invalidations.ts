import { createBatch } from '../batch.ts'
import type { Db } from './connect.ts'
import { statement } from './statement.ts'

/**
 * Tells which cached values are out of date. Triggers write into the table `changes` what each commit changes
 * (`migrations/0010-cache-invalidation.ts`). A process reads the new rows with one short statement before it uses a cached value, so a value is never older
 * than the request that uses it. Concurrent requests share one statement.
 */

/** A point in the order of the checks of one process: a number that rises with each check that finds something. */
export type Epoch = number

/** What an invalidation concerns, by its letter in the table. `viewer`: the interactions and relationships of an account. */
const SUBJECTS = {
  s: 'status',
  c: 'status counters',
  a: 'account',
  n: 'account counters',
  u: 'user',
  v: 'viewer',
  t: 'token',
} as const
export type Subject = (typeof SUBJECTS)[keyof typeof SUBJECTS]

/** How many ids of each subject a process remembers. Beyond that, it invalidates everything. */
const MAX_REMEMBERED = 50_000

interface CheckRow {
  /** `pg_current_snapshot()` as text. */
  snapshot: string
  /** Whether rows were pruned since the last check, or there was no last check. */
  missed: boolean
  /** When the PostgreSQL server was started, which identifies it: seconds since 1970. */
  server: number
  /** Letters of subjects with ids, separated by blanks; null for none. */
  changed: string | null
  /** Milliseconds since 1970, by the clock of the database. */
  at: number
}

const selectInvalidations = statement<{ params: { snapshot: string | null }; row: CheckRow }>(
  `select pg_current_snapshot()::text as snapshot,
     $snapshot::pg_snapshot is null or pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax($snapshot::pg_snapshot)
       or exists (select from changes_forgotten f where f.until >= pg_snapshot_xmin($snapshot::pg_snapshot)) as missed,
     extract(epoch from pg_postmaster_start_time())::double precision as server,
     changes_since($snapshot::pg_snapshot, ${MAX_REMEMBERED + 1}) as changed,
     (extract(epoch from now()) * 1000)::double precision as at`,
)

/** What one process knows of the invalidations in one database. */
export class Invalidations {
  #epoch: Epoch = 1
  /** Everything cached before this epoch is invalid. */
  #floor: Epoch = 1
  #snapshot: string | null = null
  #server: number | null = null
  /** Milliseconds by which the clock of the database is ahead of `performance.now()`. */
  #ahead = 0
  readonly #last = Object.fromEntries(Object.values(SUBJECTS).map((subject) => [subject, new Map()])) as Record<
    Subject,
    Map<string, Epoch>
  >

  get epoch(): Epoch {
    return this.#epoch
  }

  /** The present by the clock of the database: milliseconds since 1970. */
  get now(): number {
    return performance.now() + this.#ahead
  }

  /** Whether something that concerns the subject was committed after the epoch `since`. */
  isInvalidated(subject: Subject, id: string, since: Epoch): boolean {
    if (since === this.#epoch) return false
    return since < this.#floor || (this.#last[subject].get(id) ?? 0) > since
  }

  /** The same for tables whose changes invalidate everything, such as settings and roles. */
  isEverythingInvalidated(since: Epoch): boolean {
    return since < this.#floor
  }

  async check(db: Db): Promise<void> {
    const [row] = await selectInvalidations(db, { snapshot: this.#snapshot })
    if (!row) return
    const { snapshot, server, changed, at } = row
    // A server that replaced another one may give other commits the numbers that were already seen.
    const missed = row.missed || server !== this.#server
    this.#snapshot = snapshot
    this.#server = server
    this.#ahead = at - performance.now()
    if (!missed && changed === null) return
    this.#epoch += 1
    const words = missed ? [] : changed!.split(' ')
    if (missed || words.length > MAX_REMEMBERED) return this.#invalidateEverything()
    for (const word of words) {
      const subject = SUBJECTS[word[0] as keyof typeof SUBJECTS] as Subject | undefined
      if (subject === undefined) return this.#invalidateEverything()
      this.#last[subject].set(word.slice(1), this.#epoch)
    }
    if (Object.values(this.#last).some((map) => map.size > MAX_REMEMBERED)) this.#invalidateEverything()
  }

  #invalidateEverything(): void {
    this.#floor = this.#epoch
    for (const map of Object.values(this.#last)) map.clear()
  }
}

const known = new WeakMap<Db, Invalidations>()

function invalidationsOf(db: Db): Invalidations {
  let invalidations = known.get(db)
  if (!invalidations) known.set(db, (invalidations = new Invalidations()))
  return invalidations
}

const checkTogether = createBatch<Db, null, null>(
  async (db, items) => {
    await invalidationsOf(db).check(db)
    return items.map(() => null)
  },
  { maxItems: Number.POSITIVE_INFINITY },
)

/** Returns the invalidations of this process, with all that was committed before the call. */
export async function checkForInvalidations(db: Db): Promise<Invalidations> {
  if (db.isTransaction) return checkInTransaction(db)
  await checkTogether(db, null)
  return invalidationsOf(db)
}

/** A transaction's own changes are in no table yet: it starts with empty caches and leaves nothing in those of others. */
async function checkInTransaction(tx: Db): Promise<Invalidations> {
  const invalidations = new Invalidations()
  await invalidations.check(tx)
  return invalidations
}
