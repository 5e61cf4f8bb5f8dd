// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { ACTIONS, RelationsModel, WAIT_SECONDS } from '../../../test/relations-model.ts'
import type { Step } from '../../../test/relations-model.ts'
import { makeRemote, newName } from '../../../test/remote.ts'
import { walkPages } from '../../../test/walk.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { Refusal } from '../../lib/errors.ts'
import type { Tx } from '../context.ts'
import { partFromDomain } from './block-domain.ts'
import { blockAccount } from './block.ts'
import { authoriseAllRequests } from './follow-requests.ts'
import { acceptOwnRequest, rejectOwnRequest } from './own-requests.ts'
import { receiveFollow } from './receive-follow.ts'
import { unblockAccount } from './unblock.ts'
import { unfollowAccount } from './unfollow.ts'
import { expireMutes } from './unmute.ts'

let waitedMs = 0
const world = await openWorld({ env: { DB_POOL: '10' }, effects: false, now: () => new Date(Date.now() + waitedMs) })
after(world.close)
const { ctx } = world

/** Three people of here, and two of elsewhere. */
const HOMES = [null, null, null, 'far.test', 'deep.far.test']
const DOMAINS = ['far.test', 'deep.far.test', 'r.test']

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    // Without follows there is nothing to end.
    action: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ACTIONS) }, fc.constant('follow' as const)),
    from: fc.nat({ max: HOMES.length - 1 }),
    to: fc.nat({ max: HOMES.length - 1 }),
    reblogs: fc.option(fc.boolean(), { nil: undefined }),
    notifications: fc.boolean(),
    seconds: fc.constantFrom(0, WAIT_SECONDS / 2, WAIT_SECONDS * 1.5),
    domain: fc.nat({ max: DOMAINS.length - 1 }),
  }),
  { minLength: 60, maxLength: 120, size: 'max' },
)

/** What people elsewhere can do, towards people of here. */
const REMOTE_ACTIONS = new Set<Step['action']>(['follow', 'unfollow', 'grant', 'reject', 'block', 'unblock'])

function isPossible({ action, from, to }: Step): boolean {
  return HOMES[from] === null || (REMOTE_ACTIONS.has(action) && HOMES[to] === null)
}

/** Somebody of here has a client; of somebody elsewhere only the account is known. */
type Party = Pick<Person, 'accountId'> & Partial<Person>

async function createPeople(): Promise<Party[]> {
  return Promise.all(
    HOMES.map(async (domain) => {
      if (domain === null) return world.createPerson()
      const username = newName('guest')
      const uri = `https://${domain}/users/${username}`
      return { accountId: await makeRemote(ctx, { handle: { username, domain }, uri }) }
    }),
  )
}

/** Whether it was done; false when it was refused. */
async function doneBy(step: Step, people: readonly Party[]): Promise<boolean> {
  const [from, to] = [people[step.from]!, people[step.to]!]
  return from.client === undefined ? doneElsewhere(step, from.accountId, to.accountId) : doneHere(step, from, to)
}

async function wait(): Promise<boolean> {
  waitedMs += WAIT_SECONDS * 1000
  await expireMutes(ctx)
  return true
}

async function doneHere(step: Step, { accountId, client }: Party, to: Party): Promise<boolean> {
  const send = async (path: string, body: object = {}) => {
    const { status } = await client!.post(`/api/v1/${path}`, body)
    assert.ok(status === 200 || status === 403 || status === 404 || status === 422, `${path} ${status}`)
    return status === 200
  }
  const { notifications, seconds: duration, reblogs } = step
  const domain = DOMAINS[step.domain]!
  switch (step.action) {
    case 'follow':
      return send(`accounts/${to.accountId}/follow`, { reblogs: reblogs ?? null })
    case 'remove':
      return send(`accounts/${to.accountId}/remove_from_followers`)
    case 'mute':
      return send(`accounts/${to.accountId}/mute`, { notifications, duration })
    case 'grant':
      return send(`follow_requests/${to.accountId}/authorize`)
    case 'reject':
      return send(`follow_requests/${to.accountId}/reject`)
    case 'block domain':
      await send('domain_blocks', { domain })
      await partFromDomain(ctx, { accountId, domain })
      return true
    case 'unblock domain':
      return (await client!.delete('/api/v1/domain_blocks', { domain })).status === 200
    case 'lock':
    case 'unlock':
      await client!.patch('/api/v1/accounts/update_credentials', { locked: step.action === 'lock' })
      if (step.action === 'unlock') await authoriseAllRequests(ctx, { accountId })
      return true
    case 'wait':
      return wait()
    case 'unfollow':
    case 'block':
    case 'unblock':
    case 'unmute':
    case 'endorse':
    case 'unendorse':
      return send(`accounts/${to.accountId}/${step.action}`)
  }
}

/** By the verbs that the inbox calls. */
async function doneElsewhere({ action }: Step, from: string, to: string): Promise<boolean> {
  const [pair, answer] = [
    { accountId: from, targetAccountId: to },
    { accountId: to, targetAccountId: from },
  ]
  const uri = `https://far.test/activities/${newName()}`
  const write = async (verb: (tx: Tx) => Promise<unknown>) => ctx.write(verb)
  try {
    if (action === 'follow') return (await write((tx) => receiveFollow(tx, { ...pair, uri }))) !== 'rejected'
    if (action === 'grant') return (await write((tx) => acceptOwnRequest(tx, answer))) === true
    if (action === 'reject') return (await write((tx) => rejectOwnRequest(tx, answer))) === true
    if (action === 'unfollow') await write((tx) => unfollowAccount(tx, pair))
    if (action === 'block') await write((tx) => blockAccount(tx, { ...pair, uri }))
    if (action === 'unblock') await write((tx) => unblockAccount(tx, pair))
    return true
  } catch (err) {
    if (err instanceof Refusal) return false
    throw err
  }
}

/** Everything that the API says of what is between these people. */
async function readAll(people: readonly Party[]) {
  const ids = people.map(({ accountId }) => accountId)
  const placeOf = (id: string) => ids.indexOf(id)
  const counters = await Promise.all(
    ids.map(async (id) => {
      const { body } = await world.anonymous.get(`/api/v1/accounts/${id}`)
      return [body.followers_count, body.following_count]
    }),
  )
  const views = await Promise.all(
    people.map(async ({ accountId, client }) => {
      if (!client) return null
      const { body: shown } = await client.get('/api/v1/accounts/relationships', { id: ids })
      const list = async (path: string) =>
        (await walkPages(client, `/api/v1/${path}?limit=2`))
          .flat()
          .map(placeOf)
          .toSorted((a, b) => a - b)
      const { body: domains } = await client.get<string[]>('/api/v1/domain_blocks')
      const { body: muted } = await client.get<{ id: string; mute_expires_at: string | null }[]>('/api/v1/mutes')
      return {
        relations: shown.map(summary),
        followers: await list(`accounts/${accountId}/followers`),
        following: await list(`accounts/${accountId}/following`),
        requests: await list('follow_requests'),
        blocks: await list('blocks'),
        mutes: await list('mutes'),
        endorsements: await list('endorsements'),
        endsOfMutes: muted.filter((one) => one.mute_expires_at !== null).length,
        domains: domains.toSorted(),
      }
    }),
  )
  return { counters, views }
}

function summary(one: Record<string, unknown>) {
  const { id: _id, notifying: _notifying, languages: _languages, note: _note, muting_expires_at: ends, ...rest } = one
  return { ...rest, mute_ends: ends !== null }
}

/** What `readAll` should give. */
function expectAll(model: RelationsModel): Awaited<ReturnType<typeof readAll>> {
  const places = [...model.people.keys()]
  const sorted = (list: Iterable<number>) => [...list].toSorted((a, b) => a - b)
  return {
    counters: places.map((place) => [model.whoHas('follows', place).length, model.people[place]!.follows.size]),
    views: model.people.map((self, from) => {
      if (self.domain !== null) return null
      return {
        relations: model.people.map((other, to) => ({
          following: self.follows.has(to),
          showing_reblogs: self.follows.get(to) ?? self.requests.get(to) ?? false,
          followed_by: other.follows.has(from),
          blocking: self.blocks.has(to),
          blocked_by: other.blocks.has(from),
          muting: self.mutes.has(to),
          muting_notifications: self.mutes.get(to)?.notifications ?? false,
          requested: self.requests.has(to),
          requested_by: other.requests.has(from),
          domain_blocking: model.blocksDomainOf(from, to),
          endorsed: self.endorses.has(to),
          mute_ends: typeof self.mutes.get(to)?.until === 'number',
        })),
        followers: sorted(model.whoHas('follows', from)),
        following: sorted(self.follows.keys()),
        requests: sorted(model.whoHas('requests', from)),
        blocks: sorted(self.blocks),
        mutes: sorted(self.mutes.keys()),
        endorsements: sorted(self.endorses),
        endsOfMutes: [...self.mutes.values()].filter(({ until }) => until !== null).length,
        domains: [...self.domains].toSorted(),
      }
    }),
  }
}

test('any history of what people here and elsewhere do to each other ends as a plain model says, in every list', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const people = await createPeople()
      const model = new RelationsModel({ homes: HOMES, domains: DOMAINS })
      for (const step of list.filter(isPossible)) {
        assert.equal(await doneBy(step, people), model.do(step), JSON.stringify(step))
      }
      assert.deepEqual(await readAll(people), expectAll(model))
    }),
    { numRuns: 15 },
  )
})

test('BI17 any deeds, all at once, leave counters that equal a recount and nothing across a block', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const people = await createPeople()
      await Promise.all(list.filter(isPossible).map((step) => doneBy(step, people)))
      const ids = people.map(({ accountId }) => accountId)
      for (const accountId of ids) {
        for (const domain of DOMAINS) await partFromDomain(ctx, { accountId, domain })
      }
      const { rows: wrong } = await sql`
        select from account_stats st where account_id = any(${ids}::bigint[]) and (
          followers_count <> (select count(*) from follows where target_account_id = st.account_id)
          or following_count <> (select count(*) from follows where account_id = st.account_id))`.execute(ctx.db)
      assert.equal(wrong.length, 0)
      const { rows: ties } = await sql<{ account_id: string; target_account_id: string }>`
        select account_id, target_account_id from follows where account_id = any(${ids}::bigint[])
        union all select account_id, target_account_id from follow_requests where account_id = any(${ids}::bigint[])`.execute(
        ctx.db,
      )
      for (const person of people) {
        if (!person.client) continue
        const { body } = await person.client.get('/api/v1/accounts/relationships', { id: ids })
        for (const { id, blocking, blocked_by, domain_blocking } of body) {
          const tied = ties.some(
            (tie) =>
              [tie.account_id, tie.target_account_id].includes(person.accountId) &&
              [tie.account_id, tie.target_account_id].includes(id) &&
              id !== person.accountId,
          )
          assert.ok(!tied || !(blocking || blocked_by || domain_blocking))
        }
      }
    }),
    { numRuns: 15 },
  )
})
