// Slow: compares the server with a model over random sequences of actions.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createRemoteAccount } from '../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import type { Poll } from '../../entities/statuses/poll.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { parseEntity } from '../../lib/json/json-content.ts'
import { RequestError } from '../../lib/errors.ts'
import { renderStatus } from '../../render/statuses/render-statuses.ts'
import { notifyPollEnded } from '../notifications/notify/notify-poll-ended.ts'
import { endPoll } from './end-poll.ts'
import { recordRemoteVote } from './vote-in-poll.ts'

let now = Date.now()
const testServer = await openTestServer({ env: { DB_POOL: '10' }, effects: false, now: () => new Date(now) })
after(testServer.close)
const { ctx } = testServer

const SECOND_MS = 1_000
const LOCAL_VOTERS = 3
const REMOTE_VOTERS = 2
const OPTIONS = ['tea', 'coffee', 'water', 'milk', 'juice']

interface PollInput {
  options: string[]
  expires_in: number
  multiple: boolean
  hide_totals: boolean
}

type Step =
  | { kind: 'vote'; voter: number; choices: number[] }
  | { kind: 'parallel votes'; voter: number; choices: number[] }
  | { kind: 'edit'; poll: PollInput | null; repeatLast: boolean }
  | { kind: 'wait'; seconds: number }

const polls: fc.Arbitrary<PollInput> = fc.record({
  options: fc.shuffledSubarray(OPTIONS, { minLength: 2, maxLength: 4 }),
  expires_in: fc.constantFrom(300, 900, 5_000),
  multiple: fc.boolean(),
  hide_totals: fc.boolean(),
})
const voter = fc.nat({ max: LOCAL_VOTERS + REMOTE_VOTERS })
const choices = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.nat({ max: 3 })).map(([one]) => [one]) },
  fc.array(fc.nat({ max: 4 }), { maxLength: 4 }),
)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('vote' as const), voter, choices }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('parallel votes' as const), voter, choices }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), poll: polls, repeatLast: fc.boolean() }) },
    fc.record({ kind: fc.constant('edit' as const), poll: fc.constant(null), repeatLast: fc.constant(false) }),
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 299, 300, 900) }),
    },
  ),
  { minLength: 25, maxLength: 45, size: 'max' },
)

/**
 * The expected state of a poll, as a second implementation of the rules. Accounts are indexes: 0 is the author,
 * followed by the local and then the remote voters.
 */
class Model {
  poll: (PollInput & { endsAt: number; isEnded: boolean }) | null = null
  /** The poll in the author's last request. */
  lastInput: PollInput | null = null
  votes = new Map<number, Set<number>>()
  notified = new Set<number>()

  edit(poll: PollInput | null): void {
    const before = this.poll
    const isSame =
      before !== null &&
      poll !== null &&
      before.multiple === poll.multiple &&
      before.options.join() === poll.options.join()
    if (!isSame) this.votes.clear()
    this.lastInput = poll
    this.poll = poll && { ...poll, endsAt: now + poll.expires_in * SECOND_MS, isEnded: false }
  }

  vote(voter: number, places: readonly number[]): boolean {
    const { poll } = this
    if (poll === null || voter === 0 || now >= poll.endsAt || places.length === 0) return false
    if (places.some((place) => place >= poll.options.length)) return false
    const choices = [...(this.votes.get(voter) ?? []), ...places]
    if (new Set(choices).size < choices.length || (!poll.multiple && choices.length > 1)) return false
    this.votes.set(voter, new Set(choices))
    return true
  }

  end(): void {
    if (this.poll === null || this.poll.isEnded || now < this.poll.endsAt) return
    this.poll.isEnded = true
    for (const voter of [0, ...this.votes.keys()]) if (voter <= LOCAL_VOTERS) this.notified.add(voter)
  }

  /** Returns the poll entity for a viewer; null = anonymous. */
  viewAs(voter: number | null): object | null {
    const { poll } = this
    if (poll === null) return null
    const ballots = [...this.votes.values()]
    const count = (place: number) => ballots.filter((one) => one.has(place)).length
    const own = [...(this.votes.get(voter ?? -1) ?? [])].toSorted((a, b) => a - b)
    const { options, multiple, isEnded } = poll
    return {
      expires_at: new Date(poll.endsAt).toISOString(),
      expired: isEnded,
      multiple,
      votes_count: ballots.reduce((sum, one) => sum + one.size, 0),
      voters_count: this.votes.size,
      options: options.map((title, place) => ({
        title,
        votes_count: poll.hide_totals && !isEnded ? null : count(place),
      })),
      emojis: [],
      ...(voter !== null && { voted: voter === 0 || own.length > 0, own_votes: own }),
    }
  }
}

/** A status with a poll, the local users (the author first) and the remote accounts. */
interface Scenario {
  status: Status
  localUsers: TestUser[]
  remoteAccountIds: string[]
}

async function createScenario(poll: PollInput): Promise<Scenario> {
  const localUsers = await Promise.all(Array.from({ length: LOCAL_VOTERS + 1 }, () => testServer.createUser()))
  const remoteAccountIds = await Promise.all(Array.from({ length: REMOTE_VOTERS }, () => createRemoteAccount(ctx)))
  const { status, body } = await localUsers[0]!.client.post('/api/v1/statuses', { status: 'x', poll })
  assert.equal(status, 200)
  return { status: body, localUsers, remoteAccountIds }
}

async function vote(
  { status, localUsers, remoteAccountIds }: Scenario,
  poll: Poll | null,
  step: { voter: number; choices: number[] },
) {
  const user = localUsers[step.voter]
  if (user) {
    const response = await user.client.post(`/api/v1/polls/${poll?.id ?? 40404}/votes`, { choices: step.choices })
    assert.ok([200, 404, 422].includes(response.status))
    return response.status === 200
  }
  // Remote servers send one activity per choice.
  const [accountId, option] = [
    remoteAccountIds[step.voter - LOCAL_VOTERS - 1]!,
    poll?.options[step.choices[0] ?? 9]?.title ?? 'beer',
  ]
  try {
    await ctx.write((tx) =>
      recordRemoteVote(tx, { accountId, statusUri: status.uri, option, uri: `${status.uri}#${now}` }),
    )
    return true
  } catch (err) {
    if (err instanceof RequestError) return false
    throw err
  }
}

async function check(scenario: Scenario, model: Model): Promise<Poll | null> {
  const { localUsers, status } = scenario
  const views = await Promise.all(
    [null, ...localUsers.keys()].map(async (place) => {
      const viewerId = place === null ? null : localUsers[place]!.accountId
      const { poll } = parseEntity(await ctx.read(renderStatus, { id: status.id, viewerId }))
      const { id: _id, ...rest } = poll ?? {}
      return poll && rest
    }),
  )
  assert.deepEqual(
    views,
    [null, ...localUsers.keys()].map((place) => model.viewAs(place)),
  )
  const { rows } = await sql<{ account_id: string }>`
    select account_id from notifications where type = 'poll' and status_id = ${status.id}`.execute(ctx.db)
  const notified = rows.map((row) => localUsers.findIndex((user) => user.accountId === row.account_id))
  assert.deepEqual(
    notified.toSorted((a, b) => a - b),
    [...model.notified].toSorted((a, b) => a - b),
  )
  const { body } = await localUsers[0]!.client.get<Status>(`/api/v1/statuses/${status.id}`)
  return body.poll
}

/** Advances the clock and runs the jobs for the end of the poll, each one twice. */
async function wait(poll: Poll | null, seconds: number): Promise<void> {
  now += seconds * SECOND_MS
  if (!poll) return
  await Promise.all([endPoll(ctx, { pollId: poll.id }), endPoll(ctx, { pollId: poll.id })])
  await Promise.all([notifyPollEnded(ctx, { pollId: poll.id }), notifyPollEnded(ctx, { pollId: poll.id })])
}

test('FP4 VI18 after any votes and edits, the poll is as the model expects', async () => {
  await fc.assert(
    fc.asyncProperty(polls, steps, async (first, allSteps) => {
      const model = new Model()
      const scenario = await createScenario(first)
      model.edit(first)
      let poll = await check(scenario, model)
      for (const step of allSteps) {
        if (step.kind === 'vote') {
          const places = step.voter > LOCAL_VOTERS ? step.choices.slice(0, 1) : step.choices
          assert.equal(await vote(scenario, poll, step), model.vote(step.voter, places))
        } else if (step.kind === 'parallel votes') {
          const places = step.voter > LOCAL_VOTERS ? step.choices.slice(0, 1) : step.choices
          const results = await Promise.all([1, 2, 3, 4].map(() => vote(scenario, poll, step)))
          // Of several equal votes, at most one is valid.
          assert.equal(results.filter(Boolean).length, model.vote(step.voter, places) ? 1 : 0)
        } else if (step.kind === 'edit') {
          const next = step.poll && (step.repeatLast ? (model.lastInput ?? step.poll) : step.poll)
          const { status } = await scenario.localUsers[0]!.client.put(`/api/v1/statuses/${scenario.status.id}`, {
            status: 'x',
            ...(next && { poll: next }),
          })
          assert.equal(status, 200)
          model.edit(next)
        } else {
          await wait(poll, step.seconds)
          model.end()
        }
        poll = await check(scenario, model)
      }
    }),
    { numRuns: 12, endOnFailure: true },
  )
})
