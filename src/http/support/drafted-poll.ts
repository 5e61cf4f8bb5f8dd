import { Type } from 'typebox'
import type { Static } from 'typebox'
import { MAX_OPTION_CHARACTERS, MAX_OPTIONS, MAX_POLL_SECONDS, MIN_POLL_SECONDS } from '../../domain/polls/check.ts'
import type { PollDraft } from '../../domain/polls/check.ts'

/** The poll in the body of a request that posts or edits a status. */
export const DraftedPoll = Type.Object(
  {
    options: Type.Optional(
      Type.Array(Type.String(), {
        description: `2 to ${MAX_OPTIONS}, each once and of at most ${MAX_OPTION_CHARACTERS} characters.`,
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({ description: `Seconds that it is open: ${MIN_POLL_SECONDS} to ${MAX_POLL_SECONDS}.` }),
    ),
    multiple: Type.Optional(Type.Boolean({ description: 'Whether several options may be chosen.' })),
    hide_totals: Type.Optional(
      Type.Boolean({ description: 'Whether the votes of each option are hidden until the end.' }),
    ),
  },
  { description: 'Needs a text beside it.' },
)

/** What a request says of a poll; undefined when it says nothing. */
export function readDraftedPoll(poll: Static<typeof DraftedPoll> | undefined): PollDraft | undefined {
  if (poll === undefined || Object.keys(poll).length === 0) return undefined
  return {
    options: poll.options ?? [],
    expiresIn: poll.expires_in,
    multiple: poll.multiple ?? false,
    hideTotals: poll.hide_totals ?? false,
  }
}
