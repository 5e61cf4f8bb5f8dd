import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createRemoteAccount } from '../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { RequestError } from '../../lib/errors.ts'
import type { Tx } from '../context.ts'
import { blockAccount } from '../relationships/blocks/block-account.ts'
import { unblockAccount } from '../relationships/blocks/unblock-account.ts'
import { acceptFeatureRequest, rejectFeatureRequest } from './remote/answer-feature-request.ts'
import { addToCollection } from './add-to-collection.ts'
import { createCollection } from './create-collection.ts'
import { removeFromCollection, recordApprovalRevocation, withdrawFromCollection } from './remove-items.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' }, effects: false })
after(testServer.close)
const { ctx } = testServer

/** The accounts: the owner, two discoverable local accounts, one that is not discoverable, and two remote accounts. */
const OWNER = 0
const NOT_DISCOVERABLE = 3
const REMOTE = [4, 5]
const ACCOUNT_COUNT = 6

const ACTIONS = ['add', 'remove', 'withdraw', 'accept', 'reject', 'revoke', 'block', 'blocked', 'unblock'] as const

interface Step {
  action: (typeof ACTIONS)[number]
  index: number
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ action: fc.constantFrom(...ACTIONS), index: fc.nat({ max: ACCOUNT_COUNT - 1 }) }),
  { minLength: 5, maxLength: 50 },
)

type State = 'pending' | 'accepted' | 'rejected' | 'revoked'

/** A simple model of the rules. */
class Model {
  readonly states = new Map<number, State>()
  readonly blocks = new Set<string>()

  /** Applies a step; returns false if it is refused or has no effect. */
  apply({ action, index }: Step): boolean {
    const state = this.states.get(index)
    const isOpen = state === 'pending' || state === 'accepted'
    switch (action) {
      case 'add':
        if (this.hasBlock(index) || index === NOT_DISCOVERABLE || isOpen || state === 'revoked') return false
        this.states.set(index, REMOTE.includes(index) ? 'pending' : 'accepted')
        return true
      case 'remove':
        return isOpen && this.states.delete(index)
      case 'withdraw':
        if (state === undefined || this.blocks.has(`owner ${index}`)) return false
        this.states.set(index, 'revoked')
        return true
      case 'accept':
        if (state === 'pending') this.states.set(index, 'accepted')
        return state !== undefined
      case 'reject':
        if (state === 'pending') this.states.set(index, 'rejected')
        if (state === 'accepted') this.states.set(index, 'revoked')
        return state !== undefined
      case 'revoke':
        if (state === 'accepted') this.states.set(index, 'revoked')
        return state === 'accepted'
      case 'unblock':
        this.blocks.delete(`owner ${index}`)
        this.blocks.delete(`${index} owner`)
        return true
      case 'block':
      case 'blocked':
        if (index === OWNER) return true
        this.blocks.add(action === 'block' ? `owner ${index}` : `${index} owner`)
        if (isOpen) this.states.delete(index)
        return true
    }
  }

  private hasBlock(index: number): boolean {
    return this.blocks.has(`owner ${index}`) || this.blocks.has(`${index} owner`)
  }
}

/** Only remote accounts answer requests, and only local accounts withdraw. */
function isPossible({ action, index }: Step): boolean {
  const isAnswer = action === 'accept' || action === 'reject' || action === 'revoke'
  return isAnswer ? REMOTE.includes(index) : action !== 'withdraw' || !REMOTE.includes(index)
}

interface Fixture {
  collectionId: string
  ids: string[]
}

async function createFixture(): Promise<Fixture> {
  const ids: string[] = []
  for (let n = 0; n < ACCOUNT_COUNT; n += 1) {
    if (REMOTE.includes(n)) {
      ids.push(await createRemoteAccount(ctx, { featurePolicy: { automatic: ['public'], manual: [] } }))
      continue
    }
    const { accountId } = await testServer.createUser()
    await sql`update accounts set discoverable = ${n !== NOT_DISCOVERABLE} where id = ${accountId}`.execute(ctx.db)
    ids.push(accountId)
  }
  const texts = { name: 'All', sensitive: false, discoverable: true }
  const collectionId = await ctx.write((tx) => createCollection(tx, { accountId: ids[OWNER]!, texts }))
  return { collectionId, ids }
}

async function rowsOf({ collectionId }: Fixture) {
  const { rows } = await sql<{ id: string; account_id: string; state: State; activity_uri: string | null }>`
    select id, account_id, state, activity_uri from collection_items where collection_id = ${collectionId}`.execute(
    ctx.db,
  )
  return rows
}

/** Performs a step by its domain operation; returns false if it is refused or has no effect. */
async function perform({ action, index }: Step, fixture: Fixture): Promise<boolean> {
  const { collectionId: id, ids } = fixture
  const [ownerId, accountId] = [ids[OWNER]!, ids[index]!]
  const row = (await rowsOf(fixture)).find((one) => one.account_id === accountId)
  const itemId = row?.id ?? '0'
  const uri = row?.activity_uri ?? 'https://linnet.test/none'
  const approvalUri = `https://far.test/consents/${itemId}`
  const operations: Record<Step['action'], (tx: Tx) => Promise<unknown>> = {
    add: (tx) => addToCollection(tx, { id, accountId: ownerId, targetAccountId: accountId }),
    remove: (tx) => removeFromCollection(tx, { id, itemId, accountId: ownerId }),
    withdraw: (tx) => withdrawFromCollection(tx, { id, itemId, accountId }),
    accept: (tx) => acceptFeatureRequest(tx, { uri, accountId, approvalUri }),
    reject: (tx) => rejectFeatureRequest(tx, { uri, accountId }),
    revoke: (tx) => recordApprovalRevocation(tx, { uri: approvalUri, accountId }),
    block: (tx) => blockAccount(tx, { accountId: ownerId, targetAccountId: accountId }),
    blocked: (tx) => blockAccount(tx, { accountId, targetAccountId: ownerId }),
    unblock: async (tx) => {
      await unblockAccount(tx, { accountId: ownerId, targetAccountId: accountId })
      await unblockAccount(tx, { accountId, targetAccountId: ownerId })
    },
  }
  try {
    return (await ctx.write(operations[action])) !== false
  } catch (err) {
    if (err instanceof RequestError && err.status < 500) return false
    throw err
  }
}

test('any sequence of actions leaves a collection in the state that a simple model predicts', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const fixture = await createFixture()
      const model = new Model()
      for (const step of list.filter(isPossible)) {
        assert.equal(await perform(step, fixture), model.apply(step), JSON.stringify(step))
      }
      const states = (await rowsOf(fixture)).map((row) => [fixture.ids.indexOf(row.account_id), row.state] as const)
      assert.deepEqual(new Map(states), model.states)
    }),
    { numRuns: 25 },
  )
})

test('BI17 any concurrent actions leave no account in a collection across a block, and no account twice', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const fixture = await createFixture()
      await Promise.all(list.filter(isPossible).map((step) => perform(step, fixture)))
      const { rows } = await sql`
        select from collection_items i join collections c on c.id = i.collection_id
          join blocks b on (b.account_id, b.target_account_id) in ((c.account_id, i.account_id), (i.account_id, c.account_id))
        where c.id = ${fixture.collectionId} and i.state in ('pending', 'accepted')`.execute(ctx.db)
      assert.equal(rows.length, 0)
      const accountIds = (await rowsOf(fixture)).map((row) => row.account_id)
      assert.equal(new Set(accountIds).size, accountIds.length)
    }),
    { numRuns: 15 },
  )
})
