import { notifyPollEnded } from '../domain/notifications/notify-poll-ended.ts'
import { notifyQuoted } from '../domain/notifications/notify-quoted.ts'
import { endPoll } from '../domain/polls/end.ts'
import { deliverPollEnd, deliverTally, deliverVotes } from '../federation/outbox/polls.ts'
import {
  deliverQuoteAccept,
  deliverQuoteReject,
  deliverQuoteRequest,
  deliverQuoteRevocation,
} from '../federation/outbox/quotes.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from polls, and from requests to quote a status. */
export const pollAndQuoteEffects = {
  'poll.due': { endPoll },
  'poll.ended': { notifyPollEnded, deliverPollEnd },
  'poll.voted': { deliverVotes },
  'poll.tallied': { deliverTally },
  'quote.requested': { deliverQuoteRequest },
  'quote.accepted': { notifyQuoted },
  'quote.revoked': { deliverQuoteRevocation },
  'quote.authorised': { deliverQuoteAccept },
  'quote.refused': { deliverQuoteReject },
} satisfies EffectsOf<'poll' | 'quote'>
