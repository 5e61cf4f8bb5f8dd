import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

const MAX_CHARACTERS = 100_000

/** One version of the terms of service. Days are as `2026-01-31`, in UTC. */
export interface Terms {
  effectiveDate: string
  /** In force at the moment that was asked about, or before it. */
  effective: boolean
  /** In Markdown. */
  text: string
  /** When the next version comes into force; null: there is none. */
  succeededBy: string | null
}

const DAY = `'YYYY-MM-DD'`

const VERSIONS = `select to_char(t.effective_date, ${DAY}) as "effectiveDate", t.text,
    t.effective_date <= ($now::timestamptz at time zone 'UTC')::date as effective,
    to_char(lead(t.effective_date) over (order by t.effective_date), ${DAY}) as "succeededBy"
  from terms_of_service t`

const list = statement<{ params: { now: Date }; row: Terms }>(`${VERSIONS} order by t.effective_date desc`)
// What is in force, else what comes into force first.
const findCurrent = statement<{ params: { now: Date }; row: Terms }>(
  `select * from (${VERSIONS}) v
   order by v.effective desc, case when v.effective then v."effectiveDate" end desc, v."effectiveDate" limit 1`,
)
const findDated = statement<{ params: { now: Date; date: string }; row: Terms }>(
  `select * from (${VERSIONS}) v where v."effectiveDate" = $date`,
)
const insert = statement<{ params: { effectiveDate: string; words: string; now: Date }; row: { text: string } }>(
  `insert into terms_of_service as t (effective_date, text, published_at) values ($effectiveDate::text::date, $words,
    $now)
   on conflict (effective_date) do update set text = excluded.text, published_at = excluded.published_at
     where t.effective_date > ($now::timestamptz at time zone 'UTC')::date
   returning t.text`,
)
const remove = statement<{ params: { effectiveDate: string }; row: { text: string } }>(
  `delete from terms_of_service where effective_date = $effectiveDate::text::date returning text`,
)

/** All versions, the latest first. */
export async function listTerms(read: Read, { now }: { now: Date }): Promise<Terms[]> {
  return list(read.db, { now })
}

/** What holds now, or will first hold; of a date, what came or comes into force then. @throws NotFound */
export async function findTerms(read: Read, { now, date }: { now: Date; date?: string }): Promise<Terms> {
  const [terms] = date === undefined ? await findCurrent(read.db, { now }) : await findDated(read.db, { now, date })
  if (!terms) throw new NotFound()
  return terms
}

/**
 * Publishes terms that come into force on a day. What has not come into force yet can still be replaced.
 * @throws Unprocessable
 */
export async function publishTerms(
  tx: Tx,
  { text, effectiveDate }: { text: string; effectiveDate: string },
): Promise<void> {
  const words = cleanText(text).trim()
  if (words === '') throw new Unprocessable('Terms of service say something')
  if (words.length > MAX_CHARACTERS)
    throw new Unprocessable(`Terms of service have at most ${MAX_CHARACTERS} characters`)
  if (!isDay(effectiveDate)) throw new Unprocessable(`"${effectiveDate}" is no day, such as 2026-01-31`)
  const rows = await insert(tx.db, { effectiveDate, words, now: tx.now })
  if (rows.length === 0) throw new Unprocessable(`There are terms in force since ${effectiveDate} already`)
}

/** @throws NotFound */
export async function removeTerms(tx: Tx, { effectiveDate }: { effectiveDate: string }): Promise<void> {
  if (!isDay(effectiveDate) || (await remove(tx.db, { effectiveDate })).length === 0)
    throw new NotFound(`There are no terms of ${effectiveDate}`)
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
