import type { FieldError } from '../../../lib/errors.ts'

const attribute = 'date_of_birth'

/**
 * Returns the problem of a date of birth (`YYYY-MM-DD`), or null. A user has the minimum age from the birthday on, by
 * the date in UTC; a user born on 29 February from 1 March on in other years.
 */
export function ageProblem({
  dateOfBirth,
  minAge,
  now,
}: {
  dateOfBirth: string
  /** In years. */
  minAge: number
  now: Date
}): FieldError | null {
  if (dateOfBirth === '') return { attribute, code: 'ERR_BLANK', text: "can't be blank" }
  const date = parseDate(dateOfBirth)
  if (date === null) return { attribute, code: 'ERR_INVALID', text: 'is invalid' }
  const birthday = new Date(date)
  birthday.setUTCFullYear(date.getUTCFullYear() + minAge)
  return birthday <= now ? null : { attribute, code: 'ERR_BELOW_LIMIT', text: 'is below the age limit' }
}

function parseDate(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null
  const date = new Date(`${text}T00:00:00Z`)
  // A day that the month does not have would be a day of the next month.
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : date
}
