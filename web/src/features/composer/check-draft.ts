import { countCharacters, countGraphemes } from '../../../../src/lib/text/count-characters.ts'
import type { Instance } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import type { Draft, DraftPost } from '../drafts/draft.ts'

type Limits = Instance['configuration']

const MIN_MINUTES_AHEAD = 5
const MIN_OPTIONS = 2

/** Returns how many characters a post may still have, as the server counts them. Negative: too many. */
export function remainingCharacters({ text, warning }: DraftPost, { statuses }: Limits): number {
  return statuses.maxCharacters - countCharacters({ text, spoilerText: warning })
}

/** Returns whether a post has nothing to publish. */
export function isEmptyPost({ text, media }: DraftPost, { hasQuote }: { hasQuote: boolean }): boolean {
  return text.trim() === '' && media.length === 0 && !hasQuote
}

/** Returns why a draft cannot be sent, or null. */
export function findProblem(draft: Draft, limits: Limits): string | null {
  if (draft.scheduledAt !== null && isTooEarly(draft.scheduledAt)) return message('web.composer.schedule-too-early')
  for (const [index, post] of draft.posts.entries()) {
    if (isEmptyPost(post, { hasQuote: index === 0 && draft.quotedStatusId !== null }))
      return message('web.composer.post-empty')
    if (remainingCharacters(post, limits) < 0)
      return message('web.composer.post-too-long', { max: limits.statuses.maxCharacters })
    const problem = findPollProblem(post, limits)
    if (problem !== null) return problem
  }
  return null
}

/** Returns whether a local time is not far enough ahead for a scheduled post. */
export function isTooEarly(localTime: string): boolean {
  const time = new Date(localTime).getTime()
  return Number.isNaN(time) || time <= Date.now() + MIN_MINUTES_AHEAD * 60_000
}

function findPollProblem({ poll, text }: DraftPost, { polls }: Limits): string | null {
  if (!poll) return null
  const options = poll.options.map((option) => option.trim()).filter((option) => option !== '')
  if (text.trim() === '') return message('web.composer.poll-needs-text')
  if (options.length < MIN_OPTIONS) return message('web.composer.poll-too-few')
  if (new Set(options).size < options.length) return message('web.composer.poll-duplicate')
  const isLong = options.some((option) => countGraphemes(option) > polls.maxCharactersPerOption)
  return isLong ? message('web.composer.poll-option-too-long', { max: polls.maxCharactersPerOption }) : null
}
