import { ValidationFailed } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { isFarLongerThan, isLongerThan } from '../../lib/text/countCharacters.ts'
import { isBlank } from '../../lib/text/isBlank.ts'

const MIN_OPTIONS = 2
export const MAX_OPTIONS = 4
export const MAX_OPTION_CHARACTERS = 50
export const MIN_POLL_SECONDS = 300
/** A month. */
export const MAX_POLL_SECONDS = 2_629_746

/** A poll as its author wants it. */
export interface PollDraft {
  options: readonly string[]
  /** Seconds from now. */
  expiresIn: number | undefined
  multiple: boolean
  /** Whether the votes of each option are shown only at the end. */
  hideTotals: boolean
}

/** A poll as it will be stored. */
export interface CheckedPoll {
  options: string[]
  multiple: boolean
  hideTotals: boolean
  expiresAt: Date
}

/** A draft as it will be stored: each option is one line, and those with nothing in them are left out. @throws ValidationFailed */
export function checkPoll({ draft, now }: { draft: PollDraft; now: Date }): CheckedPoll {
  if (draft.options.some((option) => isFarLongerThan(MAX_OPTION_CHARACTERS, option))) throw refuseOptions(LONG_OPTION)
  // As other servers read a line, so that a vote from there names the very same option.
  const options = draft.options
    .map((option) => cleanText(option).replace(/\s+/g, ' ').trim())
    .filter((one) => !isBlank(one))
  const wrong = wrongOptions(options)
  if (wrong) throw refuseOptions(wrong)
  const { expiresIn } = draft
  const late = expiresIn === undefined ? { code: 'ERR_BLANK', text: "can't be blank" } : wrongDuration(expiresIn)
  if (expiresIn === undefined || late) throw new ValidationFailed([{ attribute: 'expires_at', ...late! }])
  const expiresAt = new Date(now.getTime() + expiresIn * 1000)
  return { options, multiple: draft.multiple, hideTotals: draft.hideTotals, expiresAt }
}

interface Wrong {
  code: string
  text: string
}

const LONG_OPTION: Wrong = {
  code: 'ERR_TOO_LONG',
  text: `can't be longer than ${MAX_OPTION_CHARACTERS} characters each`,
}

function refuseOptions(wrong: Wrong): ValidationFailed {
  return new ValidationFailed([{ attribute: 'options', ...wrong }])
}

function wrongOptions(options: readonly string[]): Wrong | null {
  if (options.length < MIN_OPTIONS) return { code: 'ERR_TOO_SHORT', text: 'must have more than one item' }
  if (options.length > MAX_OPTIONS)
    return { code: 'ERR_TOO_LONG', text: `can't contain more than ${MAX_OPTIONS} items` }
  if (options.some((option) => isLongerThan(MAX_OPTION_CHARACTERS, option))) return LONG_OPTION
  return new Set(options).size < options.length ? { code: 'ERR_TAKEN', text: 'contain duplicate items' } : null
}

function wrongDuration(seconds: number): Wrong | null {
  if (seconds < MIN_POLL_SECONDS) return { code: 'ERR_BELOW_LIMIT', text: 'is too soon' }
  return seconds > MAX_POLL_SECONDS ? { code: 'ERR_TOO_LONG', text: 'is too far into the future' } : null
}
