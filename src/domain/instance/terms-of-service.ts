import { NotFoundError, ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'

const MAX_CHARACTERS = 100_000
const MAX_CHANGELOG_CHARACTERS = 10_000

/** A version of the terms of service. Dates have the form `2026-01-31`, in UTC. */
export interface TermsVersion {
  effectiveDate: string
  /** Whether it is or was in force at the requested time. */
  effective: boolean
  /** Markdown. */
  text: string
  /** The date on which the next version comes into force; null: there is none. */
  succeededBy: string | null
  /** Markdown: what has changed, for the mail to users; may be empty. */
  changelog: string
  publishedAt: Date
  /** When an administrator had users notified of it. */
  notificationSentAt: Date | null
}

const DATE_FORMAT = `'YYYY-MM-DD'`

const VERSIONS = `select to_char(t.effective_date, ${DATE_FORMAT}) as "effectiveDate", t.text,
    t.effective_date <= ($now::timestamptz at time zone 'UTC')::date as effective,
    to_char(lead(t.effective_date) over (order by t.effective_date), ${DATE_FORMAT}) as "succeededBy",
    t.changelog, t.published_at as "publishedAt", t.notification_sent_at as "notificationSentAt"
  from terms_of_service t`

const list = statement<{ params: { now: Date }; row: TermsVersion }>(`${VERSIONS} order by t.effective_date desc`)
// Finds the version in force, else the one that comes into force first.
const findCurrent = statement<{ params: { now: Date }; row: TermsVersion }>(
  `select * from (${VERSIONS}) v
   order by v.effective desc, case when v.effective then v."effectiveDate" end desc, v."effectiveDate" limit 1`,
)
const findByDate = statement<{ params: { now: Date; date: string }; row: TermsVersion }>(
  `select * from (${VERSIONS}) v where v."effectiveDate" = $date`,
)
// Another text is another publication, of which users can be notified again.
const insert = statement<{
  params: { effectiveDate: string; text: string; changelog: string; now: Date }
  row: { text: string }
}>(
  `insert into terms_of_service as t (effective_date, text, changelog, published_at)
   values ($effectiveDate::text::date, $text, $changelog, $now)
   on conflict (effective_date) do update set text = excluded.text, changelog = excluded.changelog,
       published_at = excluded.published_at, notification_sent_at = null, notified_until = null
     where t.effective_date > ($now::timestamptz at time zone 'UTC')::date
   returning t.text`,
)
const remove = statement<{ params: { effectiveDate: string }; row: { text: string } }>(
  `delete from terms_of_service where effective_date = $effectiveDate::text::date returning text`,
)

/** Returns all versions, latest first. */
export async function listTerms(read: Read, { now }: { now: Date }): Promise<TermsVersion[]> {
  return list(read.db, { now })
}

/**
 * Returns the version that is in force, or else the first that will be; with a `date`, the version that came or comes
 * into force on that day (Mastodon: GET /api/v1/instance/terms_of_service). @throws NotFoundError
 */
export async function findTerms(read: Read, { now, date }: { now: Date; date?: string }): Promise<TermsVersion> {
  const [terms] = date === undefined ? await findCurrent(read.db, { now }) : await findByDate(read.db, { now, date })
  if (!terms) throw new NotFoundError()
  return terms
}

/**
 * Publishes terms that come into force on a date. A version that is not in force yet can still be replaced.
 * @throws ValidationError
 */
export async function publishTerms(
  tx: Tx,
  {
    by,
    text,
    changelog = '',
    effectiveDate,
  }: { by: Actor; text: string; changelog?: string | undefined; effectiveDate: string },
): Promise<void> {
  const cleaned = cleanText(text).trim()
  const cleanedChangelog = cleanText(changelog).trim()
  const problems: FieldError[] = []
  if (cleaned === '') problems.push({ attribute: 'text', code: 'ERR_BLANK', text: "can't be blank" })
  if (cleaned.length > MAX_CHARACTERS) {
    const tooLong = `is too long (maximum is ${MAX_CHARACTERS} characters)`
    problems.push({ attribute: 'text', code: 'ERR_TOO_LONG', text: tooLong })
  }
  if (cleanedChangelog.length > MAX_CHANGELOG_CHARACTERS) {
    const tooLong = `is too long (maximum is ${MAX_CHANGELOG_CHARACTERS} characters)`
    problems.push({ attribute: 'changelog', code: 'ERR_TOO_LONG', text: tooLong })
  }
  if (!isIsoDate(effectiveDate)) {
    problems.push({ attribute: 'effective_date', code: 'ERR_INVALID', text: 'is not a date, such as 2026-01-31' })
  }
  if (problems.length > 0) throw new ValidationError(problems)
  const rows = await insert(tx.db, { effectiveDate, text: cleaned, changelog: cleanedChangelog, now: tx.now })
  if (rows.length === 0) {
    const taken = 'is the date of terms that are in force already'
    throw new ValidationError([{ attribute: 'effective_date', code: 'ERR_TAKEN', text: taken }])
  }
  await record(tx, { by, action: 'publish', effectiveDate })
}

/** Deletes the version of a date. @throws NotFoundError */
export async function removeTerms(tx: Tx, { by, effectiveDate }: { by: Actor; effectiveDate: string }): Promise<void> {
  if (!isIsoDate(effectiveDate) || (await remove(tx.db, { effectiveDate })).length === 0) throw new NotFoundError()
  await record(tx, { by, action: 'delete', effectiveDate })
}

async function record(
  tx: Tx,
  { by, action, effectiveDate }: { by: Actor; action: 'publish' | 'delete'; effectiveDate: string },
): Promise<void> {
  await recordAuditEntry(tx, { by, action, targetType: 'terms_of_service', targetId: null, label: effectiveDate })
}

/** Whether a text is a date, such as `2026-01-31`. */
export function isIsoDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
