import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, mock, test } from 'node:test'
import sharp from 'sharp'
import { multipart } from '../../../test/http/client.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { MediaAttachment } from '../../entities/statuses/media.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { jobNames } from '../../jobs.ts'
import { listJobs } from '../../platform/jobs/job-queue.ts'
import { removeFiles, removeOrphans } from './remove-files.ts'

const WORKER_SLOTS = 4
const NETWORK_SLOTS = 8

let hours = 0
const testServer = await openTestServer({
  env: { WORKER_CONCURRENCY: String(WORKER_SLOTS), NETWORK_CONCURRENCY: String(NETWORK_SLOTS) },
  now: () => new Date(Date.now() + hours * 3_600_000),
})
after(testServer.close)
const { storage } = testServer.ctx
const { client } = await testServer.createUser()
const bytes = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#a92449' } })
  .jpeg()
  .toBuffer()

async function upload(): Promise<MediaAttachment> {
  const form = await multipart({ file: { filename: 'a.jpg', type: 'image/jpeg', bytes } })
  return (await client.post<MediaAttachment>('/api/v2/media', form.payload, form.headers)).body
}

test('deletions of files in a storage that does not respond delay no feeds', async () => {
  const response = Promise.withResolvers<void>()
  const remove = mock.method(storage, 'remove', () => response.promise)
  for (const _ of Array.from({ length: WORKER_SLOTS })) {
    const { id } = await upload()
    const { body } = await client.post<Status>('/api/v1/statuses', { media_ids: [id] })
    await client.delete(`/api/v1/statuses/${body.id}`, { delete_media: true })
  }
  await eventually(async () => assert.equal(remove.mock.callCount(), WORKER_SLOTS))
  const { body } = await client.post<Status>('/api/v1/statuses', { status: 'In the feed' })
  await eventually(async () => {
    const feed = await client.get<Status[]>('/api/v1/timelines/home')
    assert.ok(feed.body.some(({ id }) => id === body.id))
  })
  // Further deletions wait without occupying a place of a delivery, however many files they delete.
  const further: Promise<void>[] = []
  const postponed: string[] = []
  await eventually(async () => {
    const deletion = removeFiles(testServer.ctx, { mediaKeys: ['media/00/0.jpg'] })
    further.push(deletion.catch((err: Error) => void postponed.push(err.name)))
    assert.ok(postponed.includes('PostponedError'))
  })
  const mediaKeys = Array.from({ length: 500 }, () => `media/00/${randomBytes(16).toString('hex')}.jpg`)
  await testServer.ctx.write(async (tx) => tx.emit('media.removed', { mediaKeys }))
  await eventually(async () => {
    const jobs = await listJobs(testServer.ctx.db, { known: jobNames, limit: 10 })
    const deletion = jobs.find(({ state, runAt }) => state !== 'running' && runAt.getTime() > Date.now())
    assert.deepEqual([deletion?.name, deletion?.state, deletion?.lastError], ['removeFiles', 'waiting', null])
  })
  remove.mock.restore()
  response.resolve()
  await Promise.all(further)
  await makeJobsDue(testServer.ctx, 'removeFiles')
  await testServer.waitForJobs()
})

test('many deletions that begin at once in a storage that does not respond delay no deliveries', async () => {
  const response = Promise.withResolvers<void>()
  const remove = mock.method(storage, 'remove', () => response.promise)
  const deletions = Array.from({ length: 3 * NETWORK_SLOTS }, async () =>
    removeFiles(testServer.ctx, { mediaKeys: [`media/00/${randomBytes(16).toString('hex')}.jpg`] }).then(
      () => 'deleted',
      (err: Error) => err.name,
    ),
  )
  const ends: string[] = []
  for (const deletion of deletions) void deletion.then((end) => ends.push(end))
  await eventually(async () => assert.ok(deletions.length - ends.length < NETWORK_SLOTS))
  assert.deepEqual(new Set(ends), new Set(['PostponedError']))
  remove.mock.restore()
  response.resolve()
  await Promise.all(deletions)
})

test('deletions that begin at once run a few at a time', async () => {
  let [running, most] = [0, 0]
  const remove = mock.method(storage, 'remove', async () => {
    most = Math.max(most, (running += 1))
    await new Promise(setImmediate)
    running -= 1
  })
  await Promise.all(
    Array.from({ length: 30 }, async (_, n) => removeFiles(testServer.ctx, { mediaKeys: [`media/00/${n}.jpg`] })),
  )
  remove.mock.restore()
  assert.equal(remove.mock.callCount(), 30)
  assert.ok(most <= 4, `${most} ran at a time`)
})

test('the files of unattached uploads are deleted when the storage works again', async () => {
  const { id, url } = await upload()
  const remove = mock.method(storage, 'remove', async () => assert.fail('The storage failed'))
  hours = 25
  await removeOrphans(testServer.ctx)
  await eventually(async () => assert.equal(remove.mock.callCount(), 1))
  remove.mock.restore()
  await testServer.waitForJobs()
  assert.equal((await client.get(`/api/v1/media/${id}`)).status, 404)
  assert.equal((await testServer.server.inject({ url: new URL(url!).pathname })).statusCode, 404)
})
