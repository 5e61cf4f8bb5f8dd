import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { emojify } from '../layout/emoji.ts'
import type { Emoji } from '../layout/emoji.ts'
import { formatsFor } from '../layout/formats.ts'
import { fullTime } from '../layout/time.ts'
import { message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/**
 * A poll. `votes` of an option is null while the counts are hidden; `votes` of the poll counts voters, or votes if the
 * number of voters is unknown.
 */
export type PostPoll = {
  options: readonly { title: string; votes: number | null }[]
  votes: number
  ended: boolean
  /** When the poll ends; null if it has no end. */
  endsAt?: Date | null
}

/** The options of a poll with their shares of the votes. */
export function pollResults(
  locale: Locale,
  { poll, emojis = [] }: { poll: PostPoll; emojis?: readonly Emoji[] | undefined },
): SafeHtml {
  const { percent } = formatsFor(locale)
  const { options, votes, ended, endsAt } = poll
  const end = ended
    ? message(locale, 'post.ended')
    : endsAt
      ? message(locale, 'post.closes-at', { time: fullTime(locale, endsAt) })
      : null
  return html`<div class="poll" role="group" aria-label="${message(locale, 'post.poll')}">
    <ul>
      ${options.map((option) => {
        const share = option.votes === null ? null : option.votes / Math.max(votes, 1)
        return html`<li>
          <span class="poll-title" dir="auto">${emojify(option.title, emojis)}</span>
          ${share !== null && html`<span class="poll-share">${percent.format(share)}</span> ${bar(share)}`}
        </li>`
      })}
    </ul>
    <p class="quiet">${message(locale, 'post.voters', { count: votes })}${end && html` &middot; ${end}`}</p>
  </div>`
}

function bar(share: number): SafeHtml {
  const width = `${Math.round(Math.min(share, 1) * 100)}%`
  return html`<svg class="poll-bar" width="100%" height="6" aria-hidden="true" focusable="false">
    <rect class="poll-rest" width="100%" height="6" rx="3" />
    <rect class="poll-part" width="${width}" height="6" rx="3" />
  </svg>`
}
