import { html } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { emojify } from '../layout/emoji.ts'
import type { Emoji } from '../layout/emoji.ts'
import { formatsFor } from '../layout/formats.ts'
import type { Text } from '../text.ts'
import { fullTime } from '../layout/time.ts'

/** `votes` of an option is null where it is not told; those of the whole are the people who voted, where that is known. */
export type PostPoll = {
  options: readonly { title: string; votes: number | null }[]
  votes: number
  ended: boolean
  /** When it ends, if it does. */
  endsAt?: Date | null
}

/** What is asked, and how the votes are shared out. */
export function pollResults(
  { post: text, everybody, lang }: Text,
  { poll, emojis = [] }: { poll: PostPoll; emojis?: readonly Emoji[] | undefined },
): SafeHtml {
  const { percent } = formatsFor(lang)
  const { options, votes, ended, endsAt } = poll
  const end = ended ? text.ended : endsAt ? everybody.post.closesAt(fullTime(lang, endsAt)) : null
  return html`<div class="poll" role="group" aria-label="${text.poll}">
    <ul>
      ${options.map((option) => {
        const share = option.votes === null ? null : option.votes / Math.max(votes, 1)
        return html`<li>
          <span class="poll-title" dir="auto">${emojify(option.title, emojis)}</span>
          ${share !== null && html`<span class="poll-share">${percent.format(share)}</span> ${bar(share)}`}
        </li>`
      })}
    </ul>
    <p class="quiet">${text.voters(votes)}${end && html` · ${end}`}</p>
  </div>`
}

function bar(share: number): SafeHtml {
  const width = `${Math.round(Math.min(share, 1) * 100)}%`
  return html`<svg class="poll-bar" width="100%" height="6" aria-hidden="true" focusable="false">
    <rect class="poll-rest" width="100%" height="6" rx="3" />
    <rect class="poll-part" width="${width}" height="6" rx="3" />
  </svg>`
}
