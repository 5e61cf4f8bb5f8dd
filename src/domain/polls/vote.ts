import { NotFound, Unprocessable, ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { refuseBlocked } from '../statuses/refuse-blocked.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { whenDue } from './end.ts'

/** Other servers hear of new votes at most once in so many minutes. */
const TALLY_MINUTES = 3
const TALLY_MS = TALLY_MINUTES * 60_000

interface Votable {
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

// Whoever votes, edits or ends a poll holds its row: they come one after the other.
const lockBy = (column: string) =>
  statement<{ params: { pollId: string; accountId: string }; row: Votable }>(
    `select p.id, p.status_id, p.account_id, p.options, p.multiple, p.expires_at, p.ended_at, s.local, s.local_only
     from polls p join statuses s on s.id = p.status_id
     where ${column} = $pollId and ${visibleTo('$accountId')} for no key update of p`,
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
// What another server told is as large as it liked.
const count = statement<{ params: { pollId: string; choices: readonly number[]; newVoters: number } }>(
  `update polls set votes_count = least(votes_count::bigint + cardinality($choices::smallint[]), 2147483647),
     voters_count = case when voters_count is not null then least(voters_count::bigint + $newVoters, 2147483647) end,
     tallies = array(
       select least(tally.votes::bigint + (tally.place - 1 = any($choices))::int, 2147483647)::int
       from unnest(tallies) with ordinality tally (votes, place) order by tally.place)
   where id = $pollId`,
)

/**
 * Votes for options, by their places from 0, in the poll of a status that the person may see, here or elsewhere. What
 * was chosen can't be taken back; where several may be chosen, more of them can be added.
 * @throws NotFound · ValidationFailed for no option · Unprocessable for one's own poll, one that is over, an option that
 *   it has not, and a second vote
 */
export async function voteInPoll(
  tx: Tx,
  { accountId, pollId, choices }: { accountId: string; pollId: string; choices: readonly number[] },
): Promise<void> {
  const [poll] = await lockById(tx.db, { pollId, accountId })
  if (!poll) throw new NotFound()
  await refuseBlocked(tx, { accountId, statusId: poll.status_id })
  const voteIds = await castVotes(tx, { poll, accountId, choices, uri: null })
  if (!poll.local) {
    tx.emit('poll.voted', { accountId, voteIds })
    if (poll.expires_at) tx.emit('poll.due', { pollId }, whenDue(poll, poll.expires_at))
  }
}

/**
 * Takes in the vote of somebody elsewhere for an option, by its text, in a poll of here. `uri`: of the vote.
 * @throws as `voteInPoll`
 */
export async function receiveVote(
  tx: Tx,
  { accountId, statusUri, option, uri }: { accountId: string; statusUri: string; option: string; uri: string },
): Promise<void> {
  const [poll] = await lockByUri(tx.db, { pollId: statusUri, accountId })
  if (!poll?.local || poll.local_only) throw new NotFound()
  await refuseBlocked(tx, { accountId, statusId: poll.status_id })
  await castVotes(tx, { poll, accountId, choices: [poll.options.indexOf(option)], uri })
}

async function castVotes(
  tx: Tx,
  {
    poll,
    accountId,
    choices,
    uri,
  }: { poll: Votable; accountId: string; choices: readonly number[]; uri: string | null },
): Promise<string[]> {
  if (poll.account_id === accountId) throw refusal('You cannot vote in your own polls')
  if (isOver(poll, tx.now)) throw refusal('The poll has already ended')
  if (choices.length === 0) {
    throw new ValidationFailed([{ attribute: 'choices', code: 'ERR_BLANK', text: "can't be blank" }])
  }
  if (!choices.every((choice) => poll.options[choice] !== undefined)) {
    throw refusal('The chosen vote option does not exist')
  }
  const before = (await findChosen(tx.db, { pollId: poll.id, accountId })).map((row) => row.choice)
  const all = [...before, ...choices]
  if (poll.multiple ? new Set(all).size < all.length : all.length > 1) {
    throw refusal('You have already voted on this poll')
  }
  const votes = await insert(tx.db, { pollId: poll.id, accountId, choices, uri, now: tx.now })
  await count(tx.db, { pollId: poll.id, choices, newVoters: before.length === 0 ? 1 : 0 })
  if (poll.local && !poll.local_only) {
    tx.emit('poll.tallied', { statusId: poll.status_id }, nextTally(poll.id, tx.now))
  }
  return votes.map((vote) => vote.id)
}

/** It is over for all as soon as that was told, also for whoever asked a moment before. */
function isOver({ expires_at, ended_at }: Votable, now: Date): boolean {
  return ended_at !== null || (expires_at !== null && expires_at <= now)
}

/** Each poll has marks of its own on the clock: many votes between two of them are one piece of news. */
function nextTally(pollId: string, now: Date): Date {
  const shift = Number(BigInt(pollId) % BigInt(TALLY_MS))
  return new Date((Math.floor((now.getTime() - shift) / TALLY_MS) + 1) * TALLY_MS + shift)
}

function refusal(text: string): Unprocessable {
  return new Unprocessable(`Validation failed: ${text}`)
}
