import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../test/servers/test-server.ts'
import { jobNames } from './jobs.ts'
import { enqueueJobs, listJobs } from './platform/jobs/job-queue.ts'

const testServer = await openTestServer()
after(testServer.close)

test('jobs that an earlier version wrote into the single queue are run', async () => {
  const { db } = testServer.ctx
  await enqueueJobs(db, [
    { name: 'deliverToHost', payload: { domain: 'nobody.test' }, maxAttempts: 8, key: 'delivery:nobody.test' },
    { name: 'processMedia', payload: { mediaId: '1' }, maxAttempts: 8 },
  ])
  await testServer.waitForJobs()
  assert.deepEqual(await listJobs(db, { known: jobNames, limit: 10 }), [])
})
