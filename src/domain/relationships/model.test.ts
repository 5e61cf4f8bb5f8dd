import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { Refusal } from '../../lib/errors.ts'
import { renderRelationships } from '../../render/relationships.ts'
import { updateProfile } from '../accounts/update-profile.ts'
import type { Tx } from '../context.ts'
import { blockAccount } from './block.ts'
import { authoriseAllRequests, authoriseRequest, rejectRequest } from './follow-requests.ts'
import { followAccount } from './follow.ts'
import { muteAccount } from './mute.ts'
import { removeFollower } from './remove-follower.ts'
import { unblockAccount } from './unblock.ts'
import { unfollowAccount } from './unfollow.ts'
import { unmuteAccount } from './unmute.ts'

const world = await openWorld({ effects: false })
after(world.close)
const { ctx } = world

const PEOPLE = 4
const ACTIONS = 'follow unfollow remove grant reject block unblock mute unmute lock unlock'.split(' ')

interface Step {
  action: string
  from: number
  to: number
  reblogs: boolean | undefined
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    action: fc.constantFrom(...ACTIONS),
    from: fc.nat({ max: PEOPLE - 1 }),
    to: fc.nat({ max: PEOPLE - 1 }),
    reblogs: fc.option(fc.boolean(), { nil: undefined }),
  }),
  { minLength: 5, maxLength: 40 },
)

/** The same rules as one would tell them: who does what to whom, in plain sets. */
class Model {
  readonly follows = new Map<string, boolean>()
  readonly requests = new Map<string, boolean>()
  readonly blocks = new Set<string>()
  readonly mutes = new Set<string>()
  readonly locked = new Set<number>()

  /** False when the deed is refused. */
  do({ action, from, to, reblogs }: Step): boolean {
    const [pair, back] = [`${from} ${to}`, `${to} ${from}`]
    switch (action) {
      case 'follow':
        return this.follow(pair, { back, refused: from === to, reblogs, locked: this.locked.has(to) })
      case 'unfollow':
        this.follows.delete(pair)
        this.requests.delete(pair)
        return true
      case 'remove':
        this.follows.delete(back)
        return true
      case 'grant':
        return this.grant(back)
      case 'reject':
        return this.requests.delete(back)
      case 'block':
        if (from === to) return true
        this.blocks.add(pair)
        for (const one of [pair, back]) {
          this.follows.delete(one)
          this.requests.delete(one)
        }
        return true
      case 'unblock':
        this.blocks.delete(pair)
        return true
      case 'mute':
        if (from !== to) this.mutes.add(pair)
        return true
      case 'unmute':
        this.mutes.delete(pair)
        return true
      case 'lock':
        this.locked.add(from)
        return true
      default:
        this.locked.delete(from)
        for (const one of this.requests.keys()) if (one.endsWith(` ${from}`)) this.grant(one)
        return true
    }
  }

  private follow(
    pair: string,
    { back, refused, reblogs, locked }: { back: string; refused: boolean; reblogs?: boolean; locked: boolean },
  ): boolean {
    if (refused || this.blocks.has(pair) || this.blocks.has(back)) return false
    const known = [this.follows, this.requests].find((one) => one.has(pair))
    if (known) known.set(pair, reblogs ?? known.get(pair)!)
    else (locked ? this.requests : this.follows).set(pair, reblogs ?? true)
    return true
  }

  private grant(pair: string): boolean {
    const reblogs = this.requests.get(pair)
    if (reblogs === undefined) return false
    this.requests.delete(pair)
    this.follows.set(pair, reblogs)
    return true
  }

  count(person: number): [followers: number, following: number] {
    const pairs = [...this.follows.keys()].map((pair) => pair.split(' ').map(Number))
    return [pairs.filter(([, to]) => to === person).length, pairs.filter(([from]) => from === person).length]
  }
}

async function take({ action, reblogs }: Step, from: string, to: string): Promise<void> {
  const pair = { accountId: from, targetAccountId: to }
  const write = (verb: (tx: Tx) => Promise<unknown>) => ctx.write(verb)
  if (action === 'follow') await write((tx) => followAccount(tx, { ...pair, terms: { showReblogs: reblogs } }))
  else if (action === 'unfollow') await write((tx) => unfollowAccount(tx, pair))
  else if (action === 'remove') await write((tx) => removeFollower(tx, { accountId: from, followerId: to }))
  else if (action === 'grant') await write((tx) => authoriseRequest(tx, { accountId: from, requesterId: to }))
  else if (action === 'reject') await write((tx) => rejectRequest(tx, { accountId: from, requesterId: to }))
  else if (action === 'block') await write((tx) => blockAccount(tx, pair))
  else if (action === 'unblock') await write((tx) => unblockAccount(tx, pair))
  else if (action === 'mute') await write((tx) => muteAccount(tx, pair))
  else if (action === 'unmute') await write((tx) => unmuteAccount(tx, pair))
  else {
    await updateProfile(ctx, { accountId: from, changes: { locked: action === 'lock' } })
    if (action === 'unlock') await authoriseAllRequests(ctx, { accountId: from })
  }
}

async function doneBy(step: Step, people: Person[]): Promise<boolean> {
  try {
    await take(step, people[step.from]!.accountId, people[step.to]!.accountId)
    return true
  } catch (err) {
    if (err instanceof Refusal) return false
    throw err
  }
}

async function countersOf(people: Person[]): Promise<Record<string, [number, number]>> {
  const { rows } = await sql<{ id: string; kept: [number, number]; counted: [number, number] }>`
    select account_id as id, array[followers_count, following_count] as kept,
      array[(select count(*)::int from follows where target_account_id = st.account_id),
        (select count(*)::int from follows where account_id = st.account_id)] as counted
    from account_stats st where account_id = any(${people.map((one) => one.accountId)}::bigint[])`.execute(ctx.db)
  for (const row of rows) assert.deepEqual(row.kept, row.counted, 'kept counters and a recount')
  return Object.fromEntries(rows.map((row) => [row.id, row.kept]))
}

test('any sequence of follows, requests, blocks and mutes ends as a plain model says, with exact counters', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const people = await Promise.all(Array.from({ length: PEOPLE }, () => world.createPerson()))
      const model = new Model()
      for (const step of list) assert.equal(await doneBy(step, people), model.do(step), JSON.stringify(step))
      const kept = await countersOf(people)
      for (const [i, { accountId }] of people.entries()) {
        assert.deepEqual(kept[accountId], model.count(i))
        const shown = await renderRelationships(ctx, { ids: people.map((one) => one.accountId), viewerId: accountId })
        for (const [j, relation] of shown.entries()) {
          const [pair, back] = [`${i} ${j}`, `${j} ${i}`]
          const { following, requested, showing_reblogs, followed_by, requested_by, blocking, blocked_by, muting } =
            relation
          assert.deepEqual(
            { following, requested, showing_reblogs, followed_by, requested_by, blocking, blocked_by, muting },
            {
              following: model.follows.has(pair),
              requested: model.requests.has(pair),
              showing_reblogs: model.follows.get(pair) ?? model.requests.get(pair) ?? false,
              followed_by: model.follows.has(back),
              requested_by: model.requests.has(back),
              blocking: model.blocks.has(pair),
              blocked_by: model.blocks.has(back),
              muting: model.mutes.has(pair),
            },
          )
        }
      }
    }),
    { numRuns: 25 },
  )
})

test('BI17 any steps, all at once, leave counters that equal a recount and no follow across a block', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const people = await Promise.all(Array.from({ length: PEOPLE }, () => world.createPerson()))
      await Promise.all(list.map((step) => doneBy(step, people)))
      await countersOf(people)
      const { rows } = await sql`
        select from blocks b join (
          select account_id, target_account_id from follows union all
          select account_id, target_account_id from follow_requests) f
        on f.account_id = any(array[b.account_id, b.target_account_id])
          and f.target_account_id = any(array[b.account_id, b.target_account_id])`.execute(ctx.db)
      assert.equal(rows.length, 0)
    }),
    { numRuns: 15 },
  )
})
