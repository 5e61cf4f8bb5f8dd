// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { makeRemote } from '../../../test/remote.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { Poll } from '../../entities/poll.ts'
import type { Status } from '../../entities/status.ts'
import { Refusal } from '../../lib/errors.ts'
import { renderStatus } from '../../render/statuses.ts'
import { notifyPollEnded } from '../notifications/notify-poll-ended.ts'
import { endPoll } from './end.ts'
import { receiveVote } from './vote.ts'

let now = Date.now()
const world = await openWorld({ env: { DB_POOL: '10' }, effects: false, now: () => new Date(now) })
after(world.close)
const { ctx } = world

const SECOND_MS = 1_000
const HERE = 3
const ELSEWHERE = 2
const WORDS = ['tea', 'coffee', 'water', 'milk', 'juice']

interface Asked {
  options: string[]
  expires_in: number
  multiple: boolean
  hide_totals: boolean
}

type Step =
  | { kind: 'vote'; who: number; choices: number[] }
  | { kind: 'vote at once'; who: number; choices: number[] }
  | { kind: 'edit'; poll: Asked | null; keep: boolean }
  | { kind: 'wait'; seconds: number }

const asked: fc.Arbitrary<Asked> = fc.record({
  options: fc.shuffledSubarray(WORDS, { minLength: 2, maxLength: 4 }),
  expires_in: fc.constantFrom(300, 900, 5_000),
  multiple: fc.boolean(),
  hide_totals: fc.boolean(),
})
const who = fc.nat({ max: HERE + ELSEWHERE })
const choices = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.nat({ max: 3 })).map(([one]) => [one]) },
  fc.array(fc.nat({ max: 4 }), { maxLength: 4 }),
)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('vote' as const), who, choices }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('vote at once' as const), who, choices }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), poll: asked, keep: fc.boolean() }) },
    fc.record({ kind: fc.constant('edit' as const), poll: fc.constant(null), keep: fc.constant(false) }),
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 299, 300, 900) }),
    },
  ),
  { minLength: 25, maxLength: 45, size: 'max' },
)

/** What a poll is, by the rules, written again. People are places: 0 made it, the last ones are of elsewhere. */
class Model {
  poll: (Asked & { endsAt: number; over: boolean }) | null = null
  /** As its author asked for it last. */
  wanted: Asked | null = null
  votes = new Map<number, Set<number>>()
  told = new Set<number>()

  ask(poll: Asked | null): void {
    const before = this.poll
    const isSame =
      before !== null &&
      poll !== null &&
      before.multiple === poll.multiple &&
      before.options.join() === poll.options.join()
    if (!isSame) this.votes.clear()
    this.wanted = poll
    this.poll = poll && { ...poll, endsAt: now + poll.expires_in * SECOND_MS, over: false }
  }

  vote(person: number, places: readonly number[]): boolean {
    const { poll } = this
    if (poll === null || person === 0 || now >= poll.endsAt || places.length === 0) return false
    if (places.some((place) => place >= poll.options.length)) return false
    const all = [...(this.votes.get(person) ?? []), ...places]
    if (new Set(all).size < all.length || (!poll.multiple && all.length > 1)) return false
    this.votes.set(person, new Set(all))
    return true
  }

  end(): void {
    if (this.poll === null || this.poll.over || now < this.poll.endsAt) return
    this.poll.over = true
    for (const person of [0, ...this.votes.keys()]) if (person <= HERE) this.told.add(person)
  }

  /** As somebody sees it; null = anonymous. */
  show(person: number | null): object | null {
    const { poll } = this
    if (poll === null) return null
    const cast = [...this.votes.values()]
    const count = (place: number) => cast.filter((one) => one.has(place)).length
    const own = [...(this.votes.get(person ?? -1) ?? [])].toSorted((a, b) => a - b)
    const { options, multiple, over } = poll
    return {
      expires_at: new Date(poll.endsAt).toISOString(),
      expired: over,
      multiple,
      votes_count: cast.reduce((sum, one) => sum + one.size, 0),
      voters_count: this.votes.size,
      options: options.map((title, place) => ({ title, votes_count: poll.hide_totals && !over ? null : count(place) })),
      emojis: [],
      ...(person !== null && { voted: person === 0 || own.length > 0, own_votes: own }),
    }
  }
}

/** A post, and those around it: its author first, then people of here, then people of elsewhere. */
interface Scene {
  status: Status
  here: Person[]
  elsewhere: string[]
}

async function openScene(poll: Asked): Promise<Scene> {
  const here = await Promise.all(Array.from({ length: HERE + 1 }, () => world.createPerson()))
  const elsewhere = await Promise.all(Array.from({ length: ELSEWHERE }, () => makeRemote(ctx)))
  const { status, body } = await here[0]!.client.post('/api/v1/statuses', { status: 'x', poll })
  assert.equal(status, 200)
  return { status: body, here, elsewhere }
}

async function vote({ status, here, elsewhere }: Scene, poll: Poll | null, step: { who: number; choices: number[] }) {
  const person = here[step.who]
  if (person) {
    const answer = await person.client.post(`/api/v1/polls/${poll?.id ?? 40404}/votes`, { choices: step.choices })
    assert.ok([200, 404, 422].includes(answer.status))
    return answer.status === 200
  }
  // From elsewhere each choice comes by itself.
  const [accountId, option] = [elsewhere[step.who - HERE - 1]!, poll?.options[step.choices[0] ?? 9]?.title ?? 'beer']
  try {
    await ctx.write((tx) => receiveVote(tx, { accountId, statusUri: status.uri, option, uri: `${status.uri}#${now}` }))
    return true
  } catch (err) {
    if (err instanceof Refusal) return false
    throw err
  }
}

async function check(scene: Scene, model: Model): Promise<Poll | null> {
  const { here, status } = scene
  const views = await Promise.all(
    [null, ...here.keys()].map(async (place) => {
      const viewerId = place === null ? null : here[place]!.accountId
      const { poll } = JSON.parse(await renderStatus(ctx, { id: status.id, viewerId })) as Status
      const { id: _id, ...rest } = poll ?? {}
      return poll && rest
    }),
  )
  assert.deepEqual(
    views,
    [null, ...here.keys()].map((place) => model.show(place)),
  )
  const { rows } = await sql<{ account_id: string }>`
    select account_id from notifications where type = 'poll' and status_id = ${status.id}`.execute(ctx.db)
  const told = rows.map((row) => here.findIndex((person) => person.accountId === row.account_id))
  assert.deepEqual(
    told.toSorted((a, b) => a - b),
    [...model.told].toSorted((a, b) => a - b),
  )
  const { body } = await here[0]!.client.get<Status>(`/api/v1/statuses/${status.id}`)
  return body.poll
}

/** What the queue does when the time has come, and twice. */
async function wait(poll: Poll | null, seconds: number): Promise<void> {
  now += seconds * SECOND_MS
  if (!poll) return
  await Promise.all([endPoll(ctx, { pollId: poll.id }), endPoll(ctx, { pollId: poll.id })])
  await Promise.all([notifyPollEnded(ctx, { pollId: poll.id }), notifyPollEnded(ctx, { pollId: poll.id })])
}

test('FP4 VI18 whatever people vote and the author edits, a poll is what the rules make of it', async () => {
  await fc.assert(
    fc.asyncProperty(asked, steps, async (first, all) => {
      const model = new Model()
      const scene = await openScene(first)
      model.ask(first)
      let poll = await check(scene, model)
      for (const step of all) {
        if (step.kind === 'vote') {
          const places = step.who > HERE ? step.choices.slice(0, 1) : step.choices
          assert.equal(await vote(scene, poll, step), model.vote(step.who, places))
        } else if (step.kind === 'vote at once') {
          const places = step.who > HERE ? step.choices.slice(0, 1) : step.choices
          const done = await Promise.all([1, 2, 3, 4].map(() => vote(scene, poll, step)))
          // The same again is always once too often.
          assert.equal(done.filter(Boolean).length, model.vote(step.who, places) ? 1 : 0)
        } else if (step.kind === 'edit') {
          const next = step.poll && (step.keep ? (model.wanted ?? step.poll) : step.poll)
          const { status } = await scene.here[0]!.client.put(`/api/v1/statuses/${scene.status.id}`, {
            status: 'x',
            ...(next && { poll: next }),
          })
          assert.equal(status, 200)
          model.ask(next)
        } else {
          await wait(poll, step.seconds)
          model.end()
        }
        poll = await check(scene, model)
      }
    }),
    { numRuns: 12, endOnFailure: true },
  )
})
