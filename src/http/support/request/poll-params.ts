import { Type } from 'typebox'
import type { Static } from 'typebox'
import {
  MAX_OPTION_CHARACTERS,
  MAX_OPTIONS,
  MAX_POLL_SECONDS,
  MIN_POLL_SECONDS,
} from '../../../domain/polls/check-poll.ts'
import type { PollDraft } from '../../../domain/polls/check-poll.ts'

/** The poll in the body of a request that creates or edits a status. */
export const PollParams = Type.Object(
  {
    options: Type.Optional(
      Type.Array(Type.String(), {
        description: `2 to ${MAX_OPTIONS} different options, each of at most ${MAX_OPTION_CHARACTERS} characters.`,
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({ description: `How many seconds the poll is open: ${MIN_POLL_SECONDS} to ${MAX_POLL_SECONDS}.` }),
    ),
    multiple: Type.Optional(Type.Boolean({ description: 'Whether several options may be chosen.' })),
    hide_totals: Type.Optional(
      Type.Boolean({ description: 'Whether the votes of each option are hidden until the end.' }),
    ),
  },
  { description: 'The status also needs a text.' },
)

/** Returns the poll of a request; undefined if it has none. */
export function readPollParams(poll: Static<typeof PollParams> | undefined): PollDraft | undefined {
  if (poll === undefined || Object.keys(poll).length === 0) return undefined
  return {
    options: poll.options ?? [],
    expiresIn: poll.expires_in,
    multiple: poll.multiple ?? false,
    hideTotals: poll.hide_totals ?? false,
  }
}
