import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '../../../../test/servers/linnet-process.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { isReceivingBurst, storeActivity } from './store-activity.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

let stored = 0

async function store(): Promise<void> {
  stored += 1
  const actorUri = 'https://remote.test/users/ann'
  const deduplicationKey = `${actorUri}/likes/${stored}`
  const body = JSON.stringify({ id: deduplicationKey, type: 'Like', actor: actorUri })
  await storeActivity(ctx, { reachableHost: null, actorUri, deduplicationKey, inboxAccountId: null, body })
}

test('activities that arrive together are a burst for a moment, single ones are none', async () => {
  await store()
  await store()
  assert.equal(isReceivingBurst(ctx), false)
  await Promise.all([store(), store(), store()])
  assert.equal(isReceivingBurst(ctx), true)
  await eventually(async () => assert.equal(isReceivingBurst(ctx), false))
})
