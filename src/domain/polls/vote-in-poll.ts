import { NotFoundError, UnprocessableError, ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { checkNotBlocked } from '../access/check-not-blocked.ts'
import { visibleTo } from '../access/visibility.ts'
import { pollDueAt } from './end-poll.ts'

/** The tallies of a local poll are sent to other servers at most once per interval. */
const TALLY_INTERVAL_MINUTES = 3
const TALLY_MS = TALLY_INTERVAL_MINUTES * 60_000

interface VotablePoll {
  id: string
  status_id: string
  account_id: string
  options: string[]
  multiple: boolean
  expires_at: Date | null
  ended_at: Date | null
  local: boolean
  local_only: boolean
}

// Votes, edits and the end of a poll lock its row, so that they run one after another.
const lockBy = (column: string) =>
  statement<{ params: { value: string; accountId: string }; row: VotablePoll }>(
    `select p.id, p.status_id, p.account_id, p.options, p.multiple, p.expires_at, p.ended_at, s.local, s.local_only
     from polls p join statuses s on s.id = p.status_id
     where ${column} = $value and ${visibleTo('$accountId')} for no key update of p`,
  )
const lockById = lockBy('p.id')
const lockByUri = lockBy('s.uri')
const findChosen = statement<{ params: { pollId: string; accountId: string }; row: { choice: number } }>(
  `select choice from poll_votes where poll_id = $pollId and account_id = $accountId`,
)
const insert = statement<{
  params: { pollId: string; accountId: string; choices: readonly number[]; uri: string | null; now: Date }
  row: { id: string }
}>(
  `insert into poll_votes (poll_id, account_id, choice, uri, created_at)
   select $pollId, $accountId, choice, $uri, $now from unnest($choices::smallint[]) with ordinality chosen (choice,
     place) order by place
   returning id`,
)
// `least` prevents an overflow: the tallies that a remote server reports may be arbitrarily large.
const count = statement<{ params: { pollId: string; choices: readonly number[]; newVoters: number } }>(
  `update polls set votes_count = least(votes_count::bigint + cardinality($choices::smallint[]), 2147483647),
     voters_count = case when voters_count is not null then least(voters_count::bigint + $newVoters, 2147483647) end,
     tallies = array(
       select least(tally.votes::bigint + (tally.place - 1 = any($choices))::int, 2147483647)::int
       from unnest(tallies) with ordinality tally (votes, place) order by tally.place)
   where id = $pollId`,
)

/**
 * Votes in a local or remote poll whose status the account may see. `choices` are indexes of options, from 0. A vote
 * cannot be undone; in a multiple-choice poll, more choices can be added later. Mastodon: POST /api/v1/polls/:id/votes
 * @throws NotFoundError; ValidationError without choices; UnprocessableError for the account's own poll, an ended poll,
 *   an unknown option, and a repeated vote
 */
export async function voteInPoll(
  tx: Tx,
  { accountId, pollId, choices }: { accountId: string; pollId: string; choices: readonly number[] },
): Promise<void> {
  const [poll] = await lockById(tx.db, { value: pollId, accountId })
  if (!poll) throw new NotFoundError()
  await checkNotBlocked(tx, { accountId, statusId: poll.status_id })
  const voteIds = await castVotes(tx, { poll, accountId, choices, uri: null })
  if (!poll.local) {
    tx.emit('poll.voted', { accountId, voteIds })
    if (poll.expires_at) tx.emit('poll.due', { pollId }, pollDueAt(poll, poll.expires_at))
  }
}

/**
 * Records the vote of a remote account in a local poll. `option` is the text of the option, `uri` the id of the vote
 * object.
 * @throws the errors of `voteInPoll`
 */
export async function recordRemoteVote(
  tx: Tx,
  { accountId, statusUri, option, uri }: { accountId: string; statusUri: string; option: string; uri: string },
): Promise<void> {
  const [poll] = await lockByUri(tx.db, { value: statusUri, accountId })
  if (!poll?.local || poll.local_only) throw new NotFoundError()
  await checkNotBlocked(tx, { accountId, statusId: poll.status_id })
  await castVotes(tx, { poll, accountId, choices: [poll.options.indexOf(option)], uri })
}

async function castVotes(
  tx: Tx,
  {
    poll,
    accountId,
    choices,
    uri,
  }: { poll: VotablePoll; accountId: string; choices: readonly number[]; uri: string | null },
): Promise<string[]> {
  if (poll.account_id === accountId) throw validationError('You cannot vote in your own polls')
  if (isEnded(poll, tx.now)) throw validationError('The poll has already ended')
  if (choices.length === 0) {
    throw new ValidationError([{ attribute: 'choices', code: 'ERR_BLANK', text: "can't be blank" }])
  }
  if (!choices.every((choice) => poll.options[choice] !== undefined)) {
    throw validationError('The chosen vote option does not exist')
  }
  const before = (await findChosen(tx.db, { pollId: poll.id, accountId })).map((row) => row.choice)
  const all = [...before, ...choices]
  if (poll.multiple ? new Set(all).size < all.length : all.length > 1) {
    throw validationError('You have already voted on this poll')
  }
  const votes = await insert(tx.db, { pollId: poll.id, accountId, choices, uri, now: tx.now })
  await count(tx.db, { pollId: poll.id, choices, newVoters: before.length === 0 ? 1 : 0 })
  if (poll.local && !poll.local_only) {
    tx.emit('poll.votes_changed', { statusId: poll.status_id }, nextTallyAt(poll.id, tx.now))
  }
  return votes.map((vote) => vote.id)
}

/** Returns whether the poll has ended: its end was processed, or it expired before this transaction. */
function isEnded({ expires_at, ended_at }: VotablePoll, now: Date): boolean {
  return ended_at !== null || (expires_at !== null && expires_at <= now)
}

/** Returns the next time at which the tallies of the poll are published. All votes in an interval cause one update. */
function nextTallyAt(pollId: string, now: Date): Date {
  // The offset differs between polls, so that their updates are not sent all at once.
  const offset = Number(BigInt(pollId) % BigInt(TALLY_MS))
  return new Date((Math.floor((now.getTime() - offset) / TALLY_MS) + 1) * TALLY_MS + offset)
}

function validationError(text: string): UnprocessableError {
  return new UnprocessableError(`Validation failed: ${text}`)
}
