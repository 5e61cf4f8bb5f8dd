import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { meanDifference, framesOf, pixelsOf } from '../../../../../test/media/decode-media.ts'
import { makeSample, noFfmpeg, SAMPLE_ARGUMENTS } from '../../../../../test/media/audio-video-samples.ts'
import { createImage } from '../../../../../test/media/images.ts'
import { openS3 } from '../../../../../test/services/s3-server.ts'
import { uploadFile } from '../../../../../test/http/upload-file.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { MediaAttachment } from '../../../../entities/statuses/media.ts'

const s3 = await openS3()
const testServer = await openTestServer({ env: s3.env })
after(async () => {
  await testServer.close()
  await s3.close()
})

const storedKeys = async () =>
  (await Array.fromAsync(testServer.ctx.storage.list({ folder: '' }))).map(({ key }) => key)
const fileOf = (url: string, headers = {}) => testServer.server.inject({ url: new URL(url).pathname, headers })

/** Waits for all jobs and returns the processed upload. */
async function readProcessed(user: TestUser, id: string): Promise<MediaAttachment> {
  await testServer.waitForJobs()
  const { status, body } = await user.client.get<MediaAttachment>(`/api/v1/media/${id}`)
  assert.equal(status, 200)
  return body
}

/** Returns a served file; checks ranges, conditional requests and headers. */
async function fetchFile(url: string): Promise<Buffer> {
  const whole = await fileOf(url)
  assert.equal(whole.statusCode, 200)
  const size = whole.rawPayload.length
  const part = await fileOf(url, { range: 'bytes=10-29' })
  assert.deepEqual(
    [part.statusCode, part.headers['content-range'], part.rawPayload],
    [206, `bytes 10-29/${size}`, whole.rawPayload.subarray(10, 30)],
  )
  assert.equal((await fileOf(url, { range: `bytes=${size}-` })).statusCode, 416)
  assert.equal((await fileOf(url, { 'if-none-match': String(whole.headers.etag) })).statusCode, 304)
  assert.equal(whole.headers['x-content-type-options'], 'nosniff')
  assert.match(String(whole.headers['content-security-policy']), /sandbox/)
  return whole.rawPayload
}

test('an image is stored in and served from the bucket, and deleted from it with its status', async () => {
  const anna = await testServer.createUser()
  const sent = await createImage('png')
  const { body } = await uploadFile(anna, sent)
  assert.ok(meanDifference(await pixelsOf(sent), await pixelsOf(await fetchFile(body.url!))) < 1)
  await fetchFile(body.preview_url!)
  assert.equal((await storedKeys()).length, 2)
  const posted = await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })
  await anna.client.delete(`/api/v1/statuses/${posted.body.id}`, { delete_media: true })
  await testServer.waitForJobs()
  assert.deepEqual([(await fileOf(body.url!)).statusCode, await storedKeys()], [404, []])
})

test('a video is read from the bucket for processing, and the upload is deleted then', { skip: noFfmpeg }, async () => {
  const anna = await testServer.createUser()
  const sent = await makeSample(SAMPLE_ARGUMENTS.webm)
  const { status, body } = await uploadFile(anna, sent)
  assert.equal(status, 202)
  const { url, preview_url } = await readProcessed(anna, body.id)
  const size = { width: 128, height: 96 }
  const [before, now] = [await framesOf(sent, size), await framesOf(await fetchFile(url!), size)]
  assert.equal(now.length, before.length)
  assert.ok(meanDifference(before[5]!, now[5]!) < 9)
  assert.deepEqual(await pixelsOf(await fetchFile(preview_url!)).then(({ width, height }) => ({ width, height })), size)
  const keys = (await storedKeys()).map((key) => key.replace(/^media\/..\/[0-9a-f]{32}/, ''))
  assert.deepEqual(keys.toSorted(), ['-small.jpg', '.mp4'])
  assert.deepEqual((await anna.client.delete(`/api/v1/media/${body.id}`)).body, {})
  await testServer.waitForJobs()
  assert.deepEqual(await storedKeys(), [])
})
