// Slow: converts media.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { gifOf, patchBytes } from '../../../../../test/media/decompression-bombs.ts'
import { multipart } from '../../../../../test/http/client.ts'
import { makeSample, noFfmpeg, SAMPLE_ARGUMENTS } from '../../../../../test/media/audio-video-samples.ts'
import { createImage } from '../../../../../test/media/images.ts'
import { uploadFile } from '../../../../../test/http/upload-file.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const MB = 1_048_576
const anna = await testServer.createUser()
const { body: instance } = await testServer.anonymous.get('/api/v2/instance')
const limits = instance.configuration.media_attachments

const rejectionOf = async (bytes: Buffer) => {
  const { status, body } = await uploadFile(anna, bytes)
  return [status, (body as { error?: string }).error]
}

/** Returns an image padded to a number of bytes: decoders ignore data after its end. */
async function imageOf(bytes: number): Promise<Buffer> {
  const image = await createImage('png')
  return Buffer.concat([image, Buffer.alloc(bytes - image.length)])
}

test('an image may have image_size_limit bytes, but not one more', async () => {
  assert.equal(limits.image_size_limit, 16 * MB)
  assert.equal((await uploadFile(anna, await imageOf(limits.image_size_limit))).status, 200)
  const error = 'Validation failed: File size must be less than 16 MB'
  assert.deepEqual(await rejectionOf(await imageOf(limits.image_size_limit + 1)), [422, error])
})

test('an image may have image_matrix_limit pixels; it is scaled to 8,294,400, its preview to 230,400', async () => {
  assert.equal(limits.image_matrix_limit, 33_177_600)
  const { status, body } = await uploadFile(anna, await createImage('jpeg', { width: 7_680, height: 4_320 }))
  assert.equal(status, 200)
  const { original, small } = body.meta as Record<'original' | 'small', { width: number; height: number }>
  assert.deepEqual([original.width, original.height], [3_840, 2_160])
  assert.deepEqual([small.width, small.height], [640, 360])
  const { rawPayload } = await testServer.server.inject({ url: new URL(body.url!).pathname })
  const { width, height } = await sharp(rawPayload).metadata()
  assert.deepEqual([width, height], [3_840, 2_160])
  const large = await createImage('jpeg', { width: 7_681, height: 4_320 })
  assert.deepEqual(await rejectionOf(large), [422, 'Validation failed: File 7681x4320 images are not supported'])
})

test('a GIF may have a canvas of 921,600 pixels', async () => {
  const wide = gifOf({ frames: 2, width: 1_281, height: 720 })
  assert.deepEqual(await rejectionOf(wide), [422, 'Validation failed: File 1281x720 GIF files are not supported'])
  const accepted = await uploadFile(anna, gifOf({ frames: 2, width: 1_280, height: 720 }))
  assert.equal(accepted.status, noFfmpeg ? 200 : 202, JSON.stringify(accepted.body))
})

test('a file of more than 99 MB is rejected before it is received completely', async () => {
  const { status, body } = await uploadFile(anna, Buffer.alloc(99 * MB + 1, 'x'))
  assert.deepEqual([status, Object.keys(body)], [413, ['error']])
})

test('a description has at most 10,000 characters, with the upload and later', async () => {
  const image = await createImage('png')
  const { status, body } = await uploadFile(anna, image, { description: 'é'.repeat(10_000) })
  assert.deepEqual([status, body.description?.length], [200, 10_000])
  assert.equal((await uploadFile(anna, image, { description: 'é'.repeat(10_001) })).status, 422)
  const put = await anna.client.put(`/api/v1/media/${body.id}`, { description: 'é'.repeat(10_001) })
  assert.equal(put.status, 422)
  assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).body.description.length, 10_000)
})

test('a HEIC image is rejected with advice', async () => {
  const heic = Buffer.concat([Buffer.from('000000186674797068656963000000006d69663168656963', 'hex'), Buffer.alloc(99)])
  assert.deepEqual(await rejectionOf(heic), [422, 'HEIC pictures are not supported: send them as JPEG'])
  for (const type of ['image/heic', 'image/heif']) assert.ok(!limits.supported_mime_types.includes(type))
})

test('a status may have both a poll and media, images as well as videos', async () => {
  const files = [await createImage('png'), ...(noFfmpeg ? [] : [await makeSample(SAMPLE_ARGUMENTS.mp4)])]
  for (const file of files) {
    const { body } = await uploadFile(anna, file, { path: '/api/v1/media' })
    const poll = { options: ['yes', 'no'], expires_in: 600 }
    const posted = await anna.client.post('/api/v1/statuses', { media_ids: [body.id], poll })
    assert.equal(posted.status, 200, JSON.stringify(posted.body))
    assert.deepEqual([posted.body.media_attachments.length, posted.body.poll.options.length], [1, 2])
  }
})

test('media of a scheduled status can be described until it is published, but not be in another status', async () => {
  const { body } = await uploadFile(anna, await createImage('png'))
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const { body: scheduled } = await anna.client.post('/api/v1/statuses', { media_ids: [body.id], scheduled_at: at })
  assert.equal(scheduled.media_attachments[0].id, body.id)
  const form = await multipart({ description: 'Later', focus: '0.25,-0.5' })
  const described = await anna.client.send({
    method: 'PUT',
    url: `/api/v1/media/${body.id}`,
    payload: form.payload,
    headers: form.headers,
  })
  assert.equal(described.status, 200, JSON.stringify(described.body))
  const { body: found } = await anna.client.get(`/api/v1/scheduled_statuses/${scheduled.id}`)
  const [attachment] = found.media_attachments
  assert.deepEqual([attachment.description, attachment.meta.focus], ['Later', { x: 0.25, y: -0.5 }])
  assert.equal((await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })).status, 422)
  await anna.client.delete(`/api/v1/scheduled_statuses/${scheduled.id}`)
  assert.equal((await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })).status, 200)
  assert.equal((await anna.client.put(`/api/v1/media/${body.id}`, { description: 'x' })).status, 404)
})

test(
  'a file whose processing fails is rejected in the response and leaves no row and no file',
  {
    skip: noFfmpeg,
  },
  async () => {
    const ben = await testServer.createUser()
    const before = (await Array.fromAsync(testServer.ctx.storage.list({ folder: '' }))).length
    // Ten frames over eleven days.
    const slow = patchBytes(await makeSample(SAMPLE_ARGUMENTS.mp4), 'stts', [{ at: 12, value: 0x40000000 }])
    const { status, body } = await uploadFile(ben, slow, { path: '/api/v1/media' })
    assert.deepEqual([status, body], [422, { error: 'Error processing thumbnail for uploaded media' }])
    await testServer.waitForJobs()
    const rows = await testServer.ctx.db
      .selectFrom('media_attachments')
      .select('id')
      .where('account_id', '=', ben.accountId)
      .execute()
    assert.deepEqual(rows, [])
    assert.equal((await Array.fromAsync(testServer.ctx.storage.list({ folder: '' }))).length, before)
  },
)
