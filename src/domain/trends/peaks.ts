import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { LEAST_SCORE } from './eligible.ts'

/** Fewer people than these in a day make nothing trend. */
const LEAST_PEOPLE = 5

/** So long a peak is remembered. What was higher in this time does not rise again by less. */
const PEAK_DAYS = 2

/** So many trends of each kind are kept, the strongest. */
export const KEPT = 500

/** Something that is used by people from day to day. The texts are ours. */
interface Kind {
  /** Where its scores are, and the column with its id. */
  table: string
  id: string
  /** SELECT with `id` and the number of `people` on a day, by an expression for the day; only what at least so many use. */
  usedOn(day: string, atLeast: number): string
  /** How many used what has this id on a day. */
  countOf(id: string, day: string): string
  /** After so long, half of a peak is left. */
  halfLifeHours: number
}

const TODAY = `($now::timestamptz at time zone 'UTC')::date`

/**
 * Makes the statement by which trends of a kind are measured anew, at the transaction's moment: more people than on the
 * day before, in proportion to those. Each peak fades from the moment at which it was reached.
 */
export function measurePeaks({ table, id, usedOn, countOf, halfLifeHours }: Kind): (tx: Tx) => Promise<void> {
  const forget = statement<{ params: { now: Date } }>(
    `delete from ${table} where peaked_at < $now::timestamptz - interval '${PEAK_DAYS} days'`,
  )
  const raise = statement<{ params: { now: Date } }>(
    `with today as (${usedOn(TODAY, LEAST_PEOPLE)}), measured as (
       select today.id, case when people < expected then 0 else (people - expected) ^ 2 / expected end as score
       from today cross join lateral (
         select greatest(1, (${countOf('today.id', `${TODAY} - 1`)}))::double precision as expected) before
     ), strongest as (
       select id, score from measured where score >= ${LEAST_SCORE} order by score desc, id limit ${KEPT}
     )
     insert into ${table} as known (${id}, peak, peaked_at, score)
     select id, score, $now, score from strongest order by id
     on conflict (${id}) do update set peak = excluded.peak, peaked_at = excluded.peaked_at
       where known.peak < excluded.peak`,
  )
  const fade = statement<{ params: { now: Date } }>(
    `update ${table} set score = peak * 0.5 ^ (
       extract(epoch from $now::timestamptz - peaked_at)::double precision / ${halfLifeHours * 3_600})`,
  )
  const cut = statement(
    `delete from ${table} where ${id} = any(array(select ${id} from ${table} order by score desc, ${id} offset ${KEPT}))`,
  )
  return async (tx) => {
    for (const step of [forget, raise, fade]) await step(tx.db, { now: tx.now })
    await cut(tx.db)
  }
}
