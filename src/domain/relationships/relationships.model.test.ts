// Slow: runs random sequences of actions.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { ACTIONS, RelationshipsModel, WAIT_SECONDS } from '../../../test/oracles/relationships-model.ts'
import type { RelationshipStep } from '../../../test/oracles/relationships-model.ts'
import { createRemoteAccount, uniqueName } from '../../../test/federation/remote-records.ts'
import { walkPages } from '../../../test/http/walk-pages.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { deleteJobs } from '../../../test/jobs/delete-jobs.ts'
import { RequestError } from '../../lib/errors.ts'
import { PostponedError } from '../../platform/jobs/postponed-error.ts'
import type { Tx } from '../context.ts'
import { severUserDomainBlock } from './domain-blocks/block-domain.ts'
import { blockAccount } from './blocks/block-account.ts'
import { authorizeAllFollowRequests } from './follows/follow-requests.ts'
import { recordFollowAccept, recordFollowReject } from './follows/answered-requests.ts'
import { recordRemoteFollow } from './follows/record-remote-follow.ts'
import { unblockAccount } from './blocks/unblock-account.ts'
import { unfollowAccount } from './follows/unfollow-account.ts'
import { expireMutes } from './mutes/unmute-account.ts'

let waitedMs = 0
const testServer = await openTestServer({
  env: { DB_POOL: '10' },
  effects: false,
  now: () => new Date(Date.now() + waitedMs),
})
after(testServer.close)
const { ctx } = testServer

/** The domain of each account: three local and two remote accounts. */
const ACCOUNT_DOMAINS = [null, null, null, 'far.test', 'deep.far.test']
const DOMAINS = ['far.test', 'deep.far.test', 'r.test']

const steps: fc.Arbitrary<RelationshipStep[]> = fc.array(
  fc.record({
    // More weight on follows, because most other actions need one to have an effect.
    action: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ACTIONS) }, fc.constant('follow' as const)),
    from: fc.nat({ max: ACCOUNT_DOMAINS.length - 1 }),
    to: fc.nat({ max: ACCOUNT_DOMAINS.length - 1 }),
    reblogs: fc.option(fc.boolean(), { nil: undefined }),
    notifications: fc.boolean(),
    seconds: fc.constantFrom(0, WAIT_SECONDS / 2, WAIT_SECONDS * 1.5),
    domain: fc.nat({ max: DOMAINS.length - 1 }),
  }),
  { minLength: 60, maxLength: 120, size: 'max' },
)

/** The actions that remote accounts can perform on local accounts. */
const REMOTE_ACTIONS = new Set<RelationshipStep['action']>([
  'follow',
  'unfollow',
  'accept',
  'reject',
  'block',
  'unblock',
])

function isPossible({ action, from, to }: RelationshipStep): boolean {
  return ACCOUNT_DOMAINS[from] === null || (REMOTE_ACTIONS.has(action) && ACCOUNT_DOMAINS[to] === null)
}

/** A local user with a client, or a remote account. */
type Party = Pick<TestUser, 'accountId'> & Partial<TestUser>

async function createParties(): Promise<Party[]> {
  return Promise.all(
    ACCOUNT_DOMAINS.map(async (domain) => {
      if (domain === null) return testServer.createUser()
      const username = uniqueName('guest')
      const uri = `https://${domain}/users/${username}`
      return { accountId: await createRemoteAccount(ctx, { handle: { username, domain }, uri }) }
    }),
  )
}

/** Nothing runs the jobs here, and many of them postpone this effect. */
function ignorePostponement(err: unknown): void {
  if (!(err instanceof PostponedError)) throw err
}

/** Performs a step; returns false if the server refuses it. */
async function perform(step: RelationshipStep, parties: readonly Party[]): Promise<boolean> {
  const [from, to] = [parties[step.from]!, parties[step.to]!]
  return from.client === undefined
    ? performRemotely(step, from.accountId, to.accountId)
    : performLocally(step, from, to)
}

async function wait(): Promise<boolean> {
  waitedMs += WAIT_SECONDS * 1000
  await expireMutes(ctx)
  return true
}

async function performLocally(step: RelationshipStep, { accountId, client }: Party, to: Party): Promise<boolean> {
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
    case 'accept':
      return send(`follow_requests/${to.accountId}/authorize`)
    case 'reject':
      return send(`follow_requests/${to.accountId}/reject`)
    case 'block domain':
      await send('domain_blocks', { domain })
      await severUserDomainBlock(ctx, { accountId, domain })
      return true
    case 'unblock domain':
      return (await client!.delete('/api/v1/domain_blocks', { domain })).status === 200
    case 'lock':
    case 'unlock':
      await client!.patch('/api/v1/accounts/update_credentials', { locked: step.action === 'lock' })
      if (step.action === 'unlock') await authorizeAllFollowRequests(ctx, { accountId }).catch(ignorePostponement)
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

/** Performs a step by the domain operations that the inbox calls. */
async function performRemotely({ action }: RelationshipStep, from: string, to: string): Promise<boolean> {
  const [pair, answer] = [
    { accountId: from, targetAccountId: to },
    { accountId: to, targetAccountId: from },
  ]
  const uri = `https://far.test/activities/${uniqueName()}`
  const write = async (operation: (tx: Tx) => Promise<unknown>) => ctx.write(operation)
  try {
    if (action === 'follow') return (await write((tx) => recordRemoteFollow(tx, { ...pair, uri }))) !== 'rejected'
    if (action === 'accept') return (await write((tx) => recordFollowAccept(tx, answer))) === true
    if (action === 'reject') return (await write((tx) => recordFollowReject(tx, answer))) === true
    if (action === 'unfollow') await write((tx) => unfollowAccount(tx, pair))
    if (action === 'block') await write((tx) => blockAccount(tx, { ...pair, uri }))
    if (action === 'unblock') await write((tx) => unblockAccount(tx, pair))
    return true
  } catch (err) {
    if (err instanceof RequestError) return false
    throw err
  }
}

/** Returns all relationships between the accounts, as the API shows them. */
async function readAll(parties: readonly Party[]) {
  const ids = parties.map(({ accountId }) => accountId)
  const indexOf = (id: string) => ids.indexOf(id)
  const counters = await Promise.all(
    ids.map(async (id) => {
      const { body } = await testServer.anonymous.get(`/api/v1/accounts/${id}`)
      return [body.followers_count, body.following_count]
    }),
  )
  const views = await Promise.all(
    parties.map(async ({ accountId, client }) => {
      if (!client) return null
      const { body: relationships } = await client.get('/api/v1/accounts/relationships', { id: ids })
      const list = async (path: string) =>
        (await walkPages(client, `/api/v1/${path}?limit=2`))
          .flat()
          .map(indexOf)
          .toSorted((a, b) => a - b)
      const { body: domains } = await client.get<string[]>('/api/v1/domain_blocks')
      const { body: muted } = await client.get<{ id: string; mute_expires_at: string | null }[]>('/api/v1/mutes')
      return {
        relationships: relationships.map(summary),
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

/** Returns the result that `readAll` should have. */
function expectAll(model: RelationshipsModel): Awaited<ReturnType<typeof readAll>> {
  const indexes = [...model.accounts.keys()]
  const sorted = (list: Iterable<number>) => [...list].toSorted((a, b) => a - b)
  return {
    counters: indexes.map((index) => [
      model.accountsWith('follows', index).length,
      model.accounts[index]!.follows.size,
    ]),
    views: model.accounts.map((self, from) => {
      if (self.domain !== null) return null
      return {
        relationships: model.accounts.map((other, to) => ({
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
        followers: sorted(model.accountsWith('follows', from)),
        following: sorted(self.follows.keys()),
        requests: sorted(model.accountsWith('requests', from)),
        blocks: sorted(self.blocks),
        mutes: sorted(self.mutes.keys()),
        endorsements: sorted(self.endorses),
        endsOfMutes: [...self.mutes.values()].filter(({ until }) => until !== null).length,
        domains: [...self.domains].toSorted(),
      }
    }),
  }
}

test('any sequence of actions of local and remote accounts has the result that a simple model predicts, in every list', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const parties = await createParties()
      const model = new RelationshipsModel({ accountDomains: ACCOUNT_DOMAINS, domains: DOMAINS })
      for (const step of list.filter(isPossible)) {
        if (step.action === 'unlock') await deleteJobs(ctx)
        assert.equal(await perform(step, parties), model.apply(step), JSON.stringify(step))
      }
      assert.deepEqual(await readAll(parties), expectAll(model))
    }),
    { numRuns: 15 },
  )
})

test('BI17 any concurrent actions leave exact counters and no relationship across a block', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const parties = await createParties()
      await Promise.all(list.filter(isPossible).map((step) => perform(step, parties)))
      const ids = parties.map(({ accountId }) => accountId)
      for (const accountId of ids) {
        for (const domain of DOMAINS) await severUserDomainBlock(ctx, { accountId, domain })
      }
      const { rows: wrong } = await sql`
        select from account_stats st where account_id = any(${ids}::bigint[]) and (
          followers_count <> (select count(*) from follows where target_account_id = st.account_id)
          or following_count <> (select count(*) from follows where account_id = st.account_id))`.execute(ctx.db)
      assert.equal(wrong.length, 0)
      const { rows: pairs } = await sql<{ account_id: string; target_account_id: string }>`
        select account_id, target_account_id from follows where account_id = any(${ids}::bigint[])
        union all select account_id, target_account_id from follow_requests where account_id = any(${ids}::bigint[])`.execute(
        ctx.db,
      )
      for (const party of parties) {
        if (!party.client) continue
        const { body } = await party.client.get('/api/v1/accounts/relationships', { id: ids })
        for (const { id, blocking, blocked_by, domain_blocking } of body) {
          const isRelated = pairs.some(
            (pair) =>
              [pair.account_id, pair.target_account_id].includes(party.accountId) &&
              [pair.account_id, pair.target_account_id].includes(id) &&
              id !== party.accountId,
          )
          assert.ok(!isRelated || !(blocking || blocked_by || domain_blocking))
        }
      }
    }),
    { numRuns: 15 },
  )
})
