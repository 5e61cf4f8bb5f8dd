import { ValidationError } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { isFarLongerThan, isLongerThan } from '../../lib/text/count-characters.ts'
import { isBlank } from '../../lib/text/is-blank.ts'

const MIN_OPTIONS = 2
export const MAX_OPTIONS = 4
export const MAX_OPTION_CHARACTERS = 50
export const MIN_POLL_SECONDS = 300
/** One month. */
export const MAX_POLL_SECONDS = 2_629_746

/** A poll as requested by its author. */
export interface PollDraft {
  options: readonly string[]
  /** In seconds from now. */
  expiresIn: number | undefined
  multiple: boolean
  /** Whether the votes per option are hidden until the poll ends. */
  hideTotals: boolean
}

/** A poll as it will be stored. */
export interface CheckedPoll {
  options: string[]
  multiple: boolean
  hideTotals: boolean
  expiresAt: Date
}

/**
 * Validates a draft and returns the poll as it is stored: each option is a single line, and blank options are removed.
 * @throws ValidationError for the options and for the duration
 */
export function checkPoll({ draft, now }: { draft: PollDraft; now: Date }): CheckedPoll {
  if (draft.options.some((option) => isFarLongerThan(MAX_OPTION_CHARACTERS, option))) throw optionsError(LONG_OPTION)
  // Normalises white space like other servers do, because a remote vote names the option by its text.
  const options = draft.options
    .map((option) => cleanText(option).replace(/\s+/g, ' ').trim())
    .filter((option) => !isBlank(option))
  const problem = optionsProblem(options)
  if (problem) throw optionsError(problem)
  const { expiresIn } = draft
  const expiryProblem =
    expiresIn === undefined ? { code: 'ERR_BLANK', text: "can't be blank" } : durationProblem(expiresIn)
  if (expiresIn === undefined || expiryProblem)
    throw new ValidationError([{ attribute: 'expires_at', ...expiryProblem! }])
  const expiresAt = new Date(now.getTime() + expiresIn * 1000)
  return { options, multiple: draft.multiple, hideTotals: draft.hideTotals, expiresAt }
}

interface Problem {
  code: string
  text: string
}

const LONG_OPTION: Problem = {
  code: 'ERR_TOO_LONG',
  text: `can't be longer than ${MAX_OPTION_CHARACTERS} characters each`,
}

function optionsError(problem: Problem): ValidationError {
  return new ValidationError([{ attribute: 'options', ...problem }])
}

function optionsProblem(options: readonly string[]): Problem | null {
  if (options.length < MIN_OPTIONS) return { code: 'ERR_TOO_SHORT', text: 'must have more than one item' }
  if (options.length > MAX_OPTIONS)
    return { code: 'ERR_TOO_LONG', text: `can't contain more than ${MAX_OPTIONS} items` }
  if (options.some((option) => isLongerThan(MAX_OPTION_CHARACTERS, option))) return LONG_OPTION
  return new Set(options).size < options.length ? { code: 'ERR_TAKEN', text: 'contain duplicate items' } : null
}

function durationProblem(seconds: number): Problem | null {
  if (seconds < MIN_POLL_SECONDS) return { code: 'ERR_BELOW_LIMIT', text: 'is too soon' }
  return seconds > MAX_POLL_SECONDS ? { code: 'ERR_TOO_LONG', text: 'is too far into the future' } : null
}
