// Slow: converts media.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { gifOf, patch } from '../../../../test/bombs.ts'
import { multipart } from '../../../../test/client.ts'
import { makeSample, noFfmpeg, samples } from '../../../../test/moving-samples.ts'
import { stillPicture } from '../../../../test/pictures.ts'
import { uploadFile } from '../../../../test/upload-file.ts'
import { openWorld } from '../../../../test/world.ts'

const world = await openWorld()
after(world.close)
const MB = 1_048_576
const anna = await world.createPerson()
const { body: instance } = await world.anonymous.get('/api/v2/instance')
const told = instance.configuration.media_attachments

const refusal = async (bytes: Buffer) => {
  const { status, body } = await uploadFile(anna, bytes)
  return [status, (body as { error?: string }).error]
}

/** The same picture in a file of so many bytes: whatever stands behind its end is left out. */
async function pictureOf(bytes: number): Promise<Buffer> {
  const picture = await stillPicture('png')
  return Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])
}

test('a picture may have as many bytes as the server says, and not one more', async () => {
  assert.equal(told.image_size_limit, 16 * MB)
  assert.equal((await uploadFile(anna, await pictureOf(told.image_size_limit))).status, 200)
  const error = 'Validation failed: File size must be less than 16 MB'
  assert.deepEqual(await refusal(await pictureOf(told.image_size_limit + 1)), [422, error])
})

test('a picture may have as many pixels as the server says; 8,294,400 are kept, and 230,400 of its preview', async () => {
  assert.equal(told.image_matrix_limit, 33_177_600)
  const { status, body } = await uploadFile(anna, await stillPicture('jpeg', { width: 7_680, height: 4_320 }))
  assert.equal(status, 200)
  const { original, small } = body.meta as Record<'original' | 'small', { width: number; height: number }>
  assert.deepEqual([original.width, original.height], [3_840, 2_160])
  assert.deepEqual([small.width, small.height], [640, 360])
  const { rawPayload } = await world.server.inject({ url: new URL(body.url!).pathname })
  const { width, height } = await sharp(rawPayload).metadata()
  assert.deepEqual([width, height], [3_840, 2_160])
  const large = await stillPicture('jpeg', { width: 7_681, height: 4_320 })
  assert.deepEqual(await refusal(large), [422, 'Validation failed: File 7681x4320 images are not supported'])
})

test('a GIF may have a canvas of 921,600 pixels', async () => {
  const wide = gifOf({ frames: 2, width: 1_281, height: 720 })
  assert.deepEqual(await refusal(wide), [422, 'Validation failed: File 1281x720 GIF files are not supported'])
  const fits = await uploadFile(anna, gifOf({ frames: 2, width: 1_280, height: 720 }))
  assert.equal(fits.status, noFfmpeg ? 200 : 202, JSON.stringify(fits.body))
})

test('a file of more than 99 MB is refused before all of it has come', async () => {
  const { status, body } = await uploadFile(anna, Buffer.alloc(99 * MB + 1, 'x'))
  assert.deepEqual([status, Object.keys(body)], [413, ['error']])
})

test('a description has at most 10,000 characters, with the upload and later', async () => {
  const picture = await stillPicture('png')
  const { status, body } = await uploadFile(anna, picture, { description: 'é'.repeat(10_000) })
  assert.deepEqual([status, body.description?.length], [200, 10_000])
  assert.equal((await uploadFile(anna, picture, { description: 'é'.repeat(10_001) })).status, 422)
  const put = await anna.client.put(`/api/v1/media/${body.id}`, { description: 'é'.repeat(10_001) })
  assert.equal(put.status, 422)
  assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).body.description.length, 10_000)
})

test('a HEIC picture is refused with what to do instead', async () => {
  const heic = Buffer.concat([Buffer.from('000000186674797068656963000000006d69663168656963', 'hex'), Buffer.alloc(99)])
  assert.deepEqual(await refusal(heic), [422, 'HEIC pictures are not supported: send them as JPEG'])
  for (const type of ['image/heic', 'image/heif']) assert.ok(!told.supported_mime_types.includes(type))
})

test('files and a poll may stand in one post, a film as well as a picture', async () => {
  const files = [await stillPicture('png'), ...(noFfmpeg ? [] : [await makeSample(samples.mp4)])]
  for (const file of files) {
    const { body } = await uploadFile(anna, file, { path: '/api/v1/media' })
    const poll = { options: ['yes', 'no'], expires_in: 600 }
    const posted = await anna.client.post('/api/v1/statuses', { media_ids: [body.id], poll })
    assert.equal(posted.status, 200, JSON.stringify(posted.body))
    assert.deepEqual([posted.body.media_attachments.length, posted.body.poll.options.length], [1, 2])
  }
})

test('what was uploaded for a post of later can be described until it is published, and be in no other', async () => {
  const { body } = await uploadFile(anna, await stillPicture('png'))
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const { body: later } = await anna.client.post('/api/v1/statuses', { media_ids: [body.id], scheduled_at: at })
  assert.equal(later.media_attachments[0].id, body.id)
  const form = await multipart({ description: 'Later', focus: '0.25,-0.5' })
  const described = await anna.client.send({
    method: 'PUT',
    url: `/api/v1/media/${body.id}`,
    payload: form.payload,
    headers: form.headers,
  })
  assert.equal(described.status, 200, JSON.stringify(described.body))
  const { body: seen } = await anna.client.get(`/api/v1/scheduled_statuses/${later.id}`)
  const [shown] = seen.media_attachments
  assert.deepEqual([shown.description, shown.meta.focus], ['Later', { x: 0.25, y: -0.5 }])
  assert.equal((await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })).status, 422)
  await anna.client.delete(`/api/v1/scheduled_statuses/${later.id}`)
  assert.equal((await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })).status, 200)
  assert.equal((await anna.client.put(`/api/v1/media/${body.id}`, { description: 'x' })).status, 404)
})

test(
  'what turns out to be none only when it is worked on is refused with the answer, and leaves nothing',
  {
    skip: noFfmpeg,
  },
  async () => {
    const ben = await world.createPerson()
    const before = (await Array.fromAsync(world.ctx.storage.list({ folder: '' }))).length
    // Ten frames in eleven days.
    const slow = patch(await makeSample(samples.mp4), 'stts', [{ at: 12, value: 0x40000000 }])
    const { status, body } = await uploadFile(ben, slow, { path: '/api/v1/media' })
    assert.deepEqual([status, body], [422, { error: 'Error processing thumbnail for uploaded media' }])
    await world.settle()
    const rows = await world.ctx.db
      .selectFrom('media_attachments')
      .select('id')
      .where('account_id', '=', ben.accountId)
      .execute()
    assert.deepEqual(rows, [])
    assert.equal((await Array.fromAsync(world.ctx.storage.list({ folder: '' }))).length, before)
  },
)
