import { createBatch } from '../batch.ts'
import { statement } from './statement.ts'
import type { Db } from './connect.ts'

/**
 * What has changed in the database since this process looked last, so that it may keep answers in memory and yet never
 * give one that is older than the question. Triggers write down in each commit what it changes (migrations/0010-cache-invalidation.ts); to
 * look is one short statement, shared by all who ask at the same time.
 */

/** When this process looked: a number that rises whenever something was found changed. */
export type Moment = number

/** What changes are told of, by their letters. `viewer`: what somebody did, and how they stand to others. */
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

/** So many are remembered of each kind. When there are more, everything kept so far is taken for changed. */
const MAX_REMEMBERED = 50_000

interface Look {
  /** The database's snapshot, in its own words. */
  snapshot: string
  /** Whether changes were forgotten that the last look had not seen, or there is no last look. */
  missed: boolean
  /** Which server answers, by when it was started. */
  server: number
  /** Letters of subjects with ids, and blanks between. */
  changed: string | null
  /** Milliseconds since 1970, by the database's clock. */
  at: number
}

const lookAround = statement<{ params: { snapshot: string | null }; row: Look }>(
  `select pg_current_snapshot()::text as snapshot,
     $snapshot::pg_snapshot is null or pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax($snapshot::pg_snapshot)
       or exists (select from changes_forgotten f where f.until >= pg_snapshot_xmin($snapshot::pg_snapshot)) as missed,
     extract(epoch from pg_postmaster_start_time())::double precision as server,
     changes_since($snapshot::pg_snapshot, ${MAX_REMEMBERED + 1}) as changed,
     (extract(epoch from now()) * 1000)::double precision as at`,
)

/** What one process knows of the changes of one database. */
export class Changes {
  #moment: Moment = 1
  /** Everything kept before is stale. */
  #floor: Moment = 1
  #snapshot: string | null = null
  #server: number | null = null
  /** By how much the database's clock is ahead of the one that only goes forward here. */
  #ahead = 0
  readonly #last = Object.fromEntries(Object.values(SUBJECTS).map((subject) => [subject, new Map()])) as Record<
    Subject,
    Map<string, Moment>
  >

  get moment(): Moment {
    return this.#moment
  }

  /** The present, by the database's clock: milliseconds since 1970. */
  get now(): number {
    return performance.now() + this.#ahead
  }

  /** Whether something about it is not as it was then. */
  hasChanged(subject: Subject, id: string, since: Moment): boolean {
    if (since === this.#moment) return false
    return since < this.#floor || (this.#last[subject].get(id) ?? 0) > since
  }

  /** The same of what is told of as everything, such as settings and roles. */
  hasEverythingChanged(since: Moment): boolean {
    return since < this.#floor
  }

  async look(db: Db): Promise<void> {
    const [row] = await lookAround(db, { snapshot: this.#snapshot })
    if (!row) return
    const { snapshot, server, changed, at } = row
    // One that took the place of another may number other commits by what was seen already.
    const missed = row.missed || server !== this.#server
    this.#snapshot = snapshot
    this.#server = server
    this.#ahead = at - performance.now()
    if (!missed && changed === null) return
    this.#moment += 1
    const words = missed ? [] : changed!.split(' ')
    if (missed || words.length > MAX_REMEMBERED) return this.#forget()
    for (const word of words) {
      const subject = SUBJECTS[word[0] as keyof typeof SUBJECTS] as Subject | undefined
      if (subject === undefined) return this.#forget()
      this.#last[subject].set(word.slice(1), this.#moment)
    }
    if (Object.values(this.#last).some((map) => map.size > MAX_REMEMBERED)) this.#forget()
  }

  #forget(): void {
    this.#floor = this.#moment
    for (const map of Object.values(this.#last)) map.clear()
  }
}

const known = new WeakMap<Db, Changes>()

function changesOf(db: Db): Changes {
  let changes = known.get(db)
  if (!changes) known.set(db, (changes = new Changes()))
  return changes
}

const lookTogether = createBatch<Db, null, null>(
  async (db, items) => {
    await changesOf(db).look(db)
    return items.map(() => null)
  },
  { maxItems: Number.POSITIVE_INFINITY },
)

/**
 * What is known of the changes, with everything in it that was committed before this call. `asOf`: a moment of a look
 * that was made for the same request, which is soon enough.
 */
export async function lookForChanges(db: Db, { asOf }: { asOf?: Moment | undefined } = {}): Promise<Changes> {
  if (db.isTransaction) return lookInside(db)
  if (asOf === undefined) await lookTogether(db, null)
  return changesOf(db)
}

/** What a transaction has changed itself is in nobody's list yet: it keeps nothing of what others keep. */
async function lookInside(tx: Db): Promise<Changes> {
  const changes = new Changes()
  await changes.look(tx)
  return changes
}
