import { UnprocessableError, ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { isBlank } from '../../lib/text/is-blank.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const MAX_TITLE_CHARACTERS = 256
const MAX_KEYWORD_CHARACTERS = 512

/** The limits of all filters of one account together. They bound the work of filtering a status. */
const MAX_FILTERS = 1_000
const MAX_KEYWORDS = 1_000
const MAX_CHARACTERS_OF_KEYWORDS = 65_536
const MAX_STATUSES = 1_000

/** A filter that expires later than in 100 years never expires. */
const MAX_SECONDS = 100 * 365 * 86_400

const count = statement<{
  params: { accountId: string }
  row: { filters: number; keywords: number; characters: number; statuses: number }
}>(
  `select count(*)::int as filters, coalesce(sum(k.n), 0)::int as keywords,
     coalesce(sum(k.characters), 0)::int as characters, coalesce(sum(s.n), 0)::int as statuses
   from filters f,
     lateral (select count(*) as n, sum(length(keyword)) as characters from filter_keywords where filter_id = f.id) k,
     lateral (select count(*) as n from filter_statuses where filter_id = f.id) s
   where f.account_id = $accountId`,
)

/** @throws ValidationError if the title is blank or too long */
export function checkTitle(title: string, attribute = 'title'): void {
  checkText({ attribute, text: title, max: MAX_TITLE_CHARACTERS })
}

/** @throws ValidationError if the keyword is blank or too long */
export function checkKeyword(keyword: string): void {
  checkText({ attribute: 'keyword', text: keyword, max: MAX_KEYWORD_CHARACTERS })
}

/** @throws ValidationError if there is no context, because the filter would never apply */
export function checkContexts(contexts: readonly string[]): void {
  if (contexts.length === 0) throw new ValidationError([blank('context')])
}

/** @throws UnprocessableError if the account's filters exceed the limits */
export async function checkFilterLimits(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  const [sums] = await count(tx.db, { accountId })
  if (!sums) return
  if (sums.filters > MAX_FILTERS) throw new UnprocessableError(`You cannot have more than ${MAX_FILTERS} filters`)
  if (sums.keywords > MAX_KEYWORDS || sums.characters > MAX_CHARACTERS_OF_KEYWORDS)
    throw new UnprocessableError(
      `Your filters cannot have more than ${MAX_KEYWORDS} keywords with ${MAX_CHARACTERS_OF_KEYWORDS} characters together`,
    )
  if (sums.statuses > MAX_STATUSES)
    throw new UnprocessableError(`Your filters cannot have more than ${MAX_STATUSES} posts together`)
}

/**
 * Returns when a filter expires, `seconds` from now; null (never) for 0. A negative number is valid and means that the
 * filter has expired, because clients send the remaining time of a filter.
 */
export function filterExpiry({ now, seconds }: { now: Date; seconds: number }): Date | null {
  if (seconds === 0 || seconds > MAX_SECONDS) return null
  return new Date(now.getTime() + Math.max(seconds, -MAX_SECONDS) * 1000)
}

function checkText({ attribute, text, max }: { attribute: string; text: string; max: number }): void {
  const isLong = text.length > 2 * max || Array.from(text).length > max
  const tooLong = { attribute, code: 'ERR_TOO_LONG', text: `is too long (maximum is ${max} characters)` }
  if (isLong) throw new ValidationError([tooLong])
  if (isBlank(text)) throw new ValidationError([blank(attribute)])
}

function blank(attribute: string): FieldError {
  return { attribute, code: 'ERR_BLANK', text: "can't be blank" }
}
