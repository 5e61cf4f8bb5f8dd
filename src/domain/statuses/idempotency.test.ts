import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'

const MINUTE = 60_000

let later = 0
const world = await openWorld({ env: { DB_POOL: '10' }, now: () => new Date(Date.now() + later) })
after(world.close)

test('BI10 a key stands for what it made for an hour, and is forgotten after that', async () => {
  const alice = await world.createPerson()
  const post = async () =>
    (await alice.client.post('/api/v1/statuses', { status: 'once' }, { 'idempotency-key': 'k' })).body.id
  const countKeys = async () => {
    await world.ctx.write(async (tx) => tx.emit('clock.hourly', {}))
    await world.settle()
    return (await sql`select from idempotency_keys`.execute(world.ctx.db)).rows.length
  }
  const first = await post()
  later += 59 * MINUTE
  assert.equal(await countKeys(), 1)
  assert.equal(await post(), first)
  later += 2 * MINUTE
  assert.equal(await countKeys(), 0)
  assert.notEqual(await post(), first)
})
