import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openWorld } from '../test/world.ts'
import { jobNames } from './jobs.ts'
import { enqueueJobs, listJobs } from './platform/jobs/queue.ts'

const world = await openWorld()
after(world.close)

test('what an earlier version wrote into the one queue that there was is done', async () => {
  const { db } = world.ctx
  await enqueueJobs(db, [
    { name: 'deliverToHost', payload: { domain: 'nobody.test' }, attempts: 8, key: 'host:nobody.test' },
    { name: 'processMedia', payload: { mediaId: '1' }, attempts: 8 },
  ])
  await world.settle()
  assert.deepEqual(await listJobs(db, { known: jobNames, limit: 10 }), [])
})
