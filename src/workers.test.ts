import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '../test/servers/linnet-process.ts'
import { openTestServer } from '../test/servers/test-server.ts'
import { enqueueJobs, listJobs } from './platform/jobs/job-queue.ts'
import type { QueueName } from './platform/jobs/queues.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx

test('incoming activities in the queues of earlier versions are processed, too', async () => {
  const queues: QueueName[] = ['default', 'network', 'ingress']
  const jobs = queues.map((queue) => ({ name: 'processActivity', payload: { activityId: '0' }, maxAttempts: 1, queue }))
  await enqueueJobs(db, jobs)
  await eventually(async () => assert.deepEqual(await listJobs(db, { known: ['processActivity'], limit: 10 }), []))
})
