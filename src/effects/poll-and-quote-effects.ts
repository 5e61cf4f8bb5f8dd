import { notifyPollEnded } from '../domain/notifications/notify/notify-poll-ended.ts'
import { notifyQuote } from '../domain/notifications/notify/notify-quote.ts'
import { endPoll } from '../domain/polls/end-poll.ts'
import { deliverPollEnd, deliverPollVotes, deliverVotes } from '../federation/outbox/deliver-polls.ts'
import {
  deliverQuoteAccept,
  deliverQuoteReject,
  deliverQuoteRequest,
  deliverQuoteRevocation,
} from '../federation/outbox/deliver-quotes.ts'
import { yielding } from './effect-table.ts'
import type { EffectsOf } from './effect-table.ts'

/** The effects of polls, and of requests to quote a status. */
export const pollAndQuoteEffects = {
  'poll.due': { endPoll },
  'poll.ended': { notifyPollEnded, deliverPollEnd },
  'poll.voters_due': { notifyMoreVoters: yielding(notifyPollEnded) },
  'poll.voted': { deliverVotes },
  'poll.votes_changed': { deliverPollVotes },
  'quote.requested': { deliverQuoteRequest },
  'quote.accepted': { notifyQuote },
  'quote.revoked': { deliverQuoteRevocation },
  'quote.request_accepted': { deliverQuoteAccept },
  'quote.request_rejected': { deliverQuoteReject },
} satisfies EffectsOf<'poll' | 'quote'>
