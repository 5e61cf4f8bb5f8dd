import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { makeRemote } from '../../../test/remote.ts'
import { openWorld } from '../../../test/world.ts'
import { Refusal } from '../../lib/errors.ts'
import type { Tx } from '../context.ts'
import { blockAccount } from '../relationships/block.ts'
import { unblockAccount } from '../relationships/unblock.ts'
import { acceptFeatureRequest, rejectFeatureRequest } from './answer-request.ts'
import { addToCollection } from './add-item.ts'
import { createCollection } from './create.ts'
import { removeFromCollection, takeBackApproval, withdrawFromCollection } from './end-item.ts'

const world = await openWorld({ env: { DB_POOL: '10' }, effects: false })
after(world.close)
const { ctx } = world

/** The owner, two people of here who want to be discovered, one who does not, and two elsewhere. */
const OWNER = 0
const SHY = 3
const REMOTE = [4, 5]
const PEOPLE = 6

const ACTIONS = ['add', 'remove', 'withdraw', 'accept', 'reject', 'take back', 'block', 'blocked', 'unblock'] as const

interface Step {
  action: (typeof ACTIONS)[number]
  who: number
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ action: fc.constantFrom(...ACTIONS), who: fc.nat({ max: PEOPLE - 1 }) }),
  { minLength: 5, maxLength: 50 },
)

type State = 'pending' | 'accepted' | 'rejected' | 'revoked'

/** The same rules as one would tell them. */
class Model {
  readonly states = new Map<number, State>()
  readonly blocks = new Set<string>()

  /** False when the deed is refused, or has nothing to do. */
  do({ action, who }: Step): boolean {
    const state = this.states.get(who)
    const isOpen = state === 'pending' || state === 'accepted'
    switch (action) {
      case 'add':
        if (this.isApart(who) || who === SHY || isOpen || state === 'revoked') return false
        this.states.set(who, REMOTE.includes(who) ? 'pending' : 'accepted')
        return true
      case 'remove':
        return isOpen && this.states.delete(who)
      case 'withdraw':
        if (state === undefined || this.blocks.has(`owner ${who}`)) return false
        this.states.set(who, 'revoked')
        return true
      case 'accept':
        if (state === 'pending') this.states.set(who, 'accepted')
        return state !== undefined
      case 'reject':
        if (state === 'pending') this.states.set(who, 'rejected')
        if (state === 'accepted') this.states.set(who, 'revoked')
        return state !== undefined
      case 'take back':
        if (state === 'accepted') this.states.set(who, 'revoked')
        return state === 'accepted'
      case 'unblock':
        this.blocks.delete(`owner ${who}`)
        this.blocks.delete(`${who} owner`)
        return true
      case 'block':
      case 'blocked':
        if (who === OWNER) return true
        this.blocks.add(action === 'block' ? `owner ${who}` : `${who} owner`)
        if (isOpen) this.states.delete(who)
        return true
    }
  }

  private isApart(who: number): boolean {
    return this.blocks.has(`owner ${who}`) || this.blocks.has(`${who} owner`)
  }
}

/** Only people elsewhere answer requests; only people here withdraw. */
function isPossible({ action, who }: Step): boolean {
  const isAnswer = action === 'accept' || action === 'reject' || action === 'take back'
  return isAnswer ? REMOTE.includes(who) : action !== 'withdraw' || !REMOTE.includes(who)
}

interface Rig {
  collectionId: string
  ids: string[]
}

async function createRig(): Promise<Rig> {
  const ids: string[] = []
  for (let n = 0; n < PEOPLE; n += 1) {
    if (REMOTE.includes(n)) {
      ids.push(await makeRemote(ctx, { featurePolicy: { automatic: ['public'], manual: [] } }))
      continue
    }
    const { accountId } = await world.createPerson()
    await sql`update accounts set discoverable = ${n !== SHY} where id = ${accountId}`.execute(ctx.db)
    ids.push(accountId)
  }
  const texts = { name: 'All', sensitive: false, discoverable: true }
  const collectionId = await ctx.write((tx) => createCollection(tx, { accountId: ids[OWNER]!, texts }))
  return { collectionId, ids }
}

async function rowsOf({ collectionId }: Rig) {
  const { rows } = await sql<{ id: string; account_id: string; state: State; activity_uri: string | null }>`
    select id, account_id, state, activity_uri from collection_items where collection_id = ${collectionId}`.execute(
    ctx.db,
  )
  return rows
}

/** Does a step as its door would; false when it was refused, or had nothing to do. */
async function done({ action, who }: Step, rig: Rig): Promise<boolean> {
  const { collectionId: id, ids } = rig
  const [ownerId, accountId] = [ids[OWNER]!, ids[who]!]
  const row = (await rowsOf(rig)).find((one) => one.account_id === accountId)
  const itemId = row?.id ?? '0'
  const uri = row?.activity_uri ?? 'https://linnet.test/none'
  const approvalUri = `https://far.test/consents/${itemId}`
  const verbs: Record<Step['action'], (tx: Tx) => Promise<unknown>> = {
    add: (tx) => addToCollection(tx, { id, accountId: ownerId, targetAccountId: accountId }),
    remove: (tx) => removeFromCollection(tx, { id, itemId, accountId: ownerId }),
    withdraw: (tx) => withdrawFromCollection(tx, { id, itemId, accountId }),
    accept: (tx) => acceptFeatureRequest(tx, { uri, accountId, approvalUri }),
    reject: (tx) => rejectFeatureRequest(tx, { uri, accountId }),
    'take back': (tx) => takeBackApproval(tx, { uri: approvalUri, accountId }),
    block: (tx) => blockAccount(tx, { accountId: ownerId, targetAccountId: accountId }),
    blocked: (tx) => blockAccount(tx, { accountId, targetAccountId: ownerId }),
    unblock: async (tx) => {
      await unblockAccount(tx, { accountId: ownerId, targetAccountId: accountId })
      await unblockAccount(tx, { accountId, targetAccountId: ownerId })
    },
  }
  try {
    return (await ctx.write(verbs[action])) !== false
  } catch (err) {
    if (err instanceof Refusal && err.status < 500) return false
    throw err
  }
}

test('any history of a collection ends as a plain model says', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const rig = await createRig()
      const model = new Model()
      for (const step of list.filter(isPossible)) {
        assert.equal(await done(step, rig), model.do(step), JSON.stringify(step))
      }
      const states = (await rowsOf(rig)).map((row) => [rig.ids.indexOf(row.account_id), row.state] as const)
      assert.deepEqual(new Map(states), model.states)
    }),
    { numRuns: 25 },
  )
})

test('BI17 any deeds, all at once, leave nobody in a collection across a block, and each in it once', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const rig = await createRig()
      await Promise.all(list.filter(isPossible).map((step) => done(step, rig)))
      const { rows } = await sql`
        select from collection_items i join collections c on c.id = i.collection_id
          join blocks b on (b.account_id, b.target_account_id) in ((c.account_id, i.account_id), (i.account_id, c.account_id))
        where c.id = ${rig.collectionId} and i.state in ('pending', 'accepted')`.execute(ctx.db)
      assert.equal(rows.length, 0)
      const known = (await rowsOf(rig)).map((row) => row.account_id)
      assert.equal(new Set(known).size, known.length)
    }),
    { numRuns: 15 },
  )
})
