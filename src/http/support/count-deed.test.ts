import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openWorld } from '../../../test/world.ts'
import { THROTTLES } from './throttles.ts'

const world = await openWorld({ effects: false })
after(world.close)

test('BI19 a post that is refused is not counted, unless refusing it costs much', async () => {
  const { ctx } = world
  const { client, accountId } = await world.createPerson()
  const used = async (payload: object) => {
    const { status } = await client.post('/api/v1/statuses', payload)
    const { remaining } = await ctx.limiter.peek(THROTTLES.statuses, `account:${accountId}`, ctx.now())
    return [status, THROTTLES.statuses.limit - remaining]
  }
  assert.deepEqual(await used({ status: 'one' }), [200, 1])
  assert.deepEqual(await used({ status: '' }), [422, 1])
  assert.deepEqual(await used({ status: '@a '.repeat(600_000) }), [422, 2])
  // An account of another server is asked for before it is found that there is nothing to reply to.
  assert.deepEqual(await used({ status: '@a@unknown.test', in_reply_to_id: '1' }), [404, 3])
})
