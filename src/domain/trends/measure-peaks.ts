import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { MIN_SCORE } from './trend-eligibility.ts'

/** The minimum number of accounts that must use a subject in a day to make it trend. */
const MIN_ACCOUNTS = 5

/** How long a peak is stored. In this time, a lower peak does not replace it. */
const PEAK_DAYS = 2

/** The maximum number of trends of each kind that are stored, those with the highest scores. */
export const MAX_TRENDS = 500

/** A kind of subject that accounts use, such as hashtags. All strings are trusted SQL fragments. */
interface TrendSource {
  /** The table with the scores, and its column with the id of the subject. */
  table: string
  id: string
  /**
   * Returns a SELECT of `id` and the number of `accounts` on a day, which is given as an SQL expression, for all
   * subjects that at least `atLeast` accounts use.
   */
  usedOn(day: string, atLeast: number): string
  /** Returns a SELECT of the number of accounts that use the subject with this id on a day. */
  countOf(id: string, day: string): string
  /** The time after which the score of a peak is halved. */
  halfLifeHours: number
}

const TODAY = `($now::timestamptz at time zone 'UTC')::date`

/**
 * Returns a function that measures the trends of a kind at the time of the transaction. The score compares the number
 * of accounts with that of the day before: (observed − expected)² / expected. Each peak decays from the time at which
 * it was reached.
 */
export function measurePeaks({ table, id, usedOn, countOf, halfLifeHours }: TrendSource): (tx: Tx) => Promise<void> {
  const deleteOld = statement<{ params: { now: Date } }>(
    `delete from ${table} where peaked_at < $now::timestamptz - interval '${PEAK_DAYS} days'`,
  )
  const updatePeaks = statement<{ params: { now: Date } }>(
    `with today as (${usedOn(TODAY, MIN_ACCOUNTS)}), measured as (
       select today.id, case when accounts < expected then 0 else (accounts - expected) ^ 2 / expected end as score
       from today cross join lateral (
         select greatest(1, (${countOf('today.id', `${TODAY} - 1`)}))::double precision as expected) before
     ), strongest as (
       select id, score from measured where score >= ${MIN_SCORE} order by score desc, id limit ${MAX_TRENDS}
     )
     insert into ${table} as existing (${id}, peak, peaked_at, score)
     select id, score, $now, score from strongest order by id
     on conflict (${id}) do update set peak = excluded.peak, peaked_at = excluded.peaked_at
       where existing.peak < excluded.peak`,
  )
  const updateScores = statement<{ params: { now: Date } }>(
    `update ${table} set score = peak * 0.5 ^ (
       extract(epoch from $now::timestamptz - peaked_at)::double precision / ${halfLifeHours * 3_600})`,
  )
  const deleteWeakest = statement(
    `delete from ${table} where ${id} = any(array(select ${id} from ${table} order by score desc, ${id} offset ${MAX_TRENDS}))`,
  )
  return async (tx) => {
    for (const step of [deleteOld, updatePeaks, updateScores]) await step(tx.db, { now: tx.now })
    await deleteWeakest(tx.db)
  }
}
