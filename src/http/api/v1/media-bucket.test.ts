import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { distance, framesOf, pixelsOf } from '../../../../test/decoded.ts'
import { makeSample, noFfmpeg, samples } from '../../../../test/moving-samples.ts'
import { stillPicture } from '../../../../test/pictures.ts'
import { openS3 } from '../../../../test/s3.ts'
import { uploadFile } from '../../../../test/upload-file.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import type { MediaAttachment } from '../../../entities/media.ts'

const s3 = await openS3()
const world = await openWorld({ env: s3.env })
after(async () => {
  await world.close()
  await s3.close()
})

const stored = async () => (await Array.fromAsync(world.ctx.storage.list({ folder: '' }))).map(({ key }) => key)
const fileOf = (url: string, headers = {}) => world.server.inject({ url: new URL(url).pathname, headers })

/** What an upload has become once all work is done. */
async function ready(person: Person, id: string): Promise<MediaAttachment> {
  await world.settle()
  const { status, body } = await person.client.get<MediaAttachment>(`/api/v1/media/${id}`)
  assert.equal(status, 200)
  return body
}

/** The file as it is served: whole, in a range, and not again to whoever has it. */
async function look(url: string): Promise<Buffer> {
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

test('a picture lies in the bucket, is served from there, and is gone from it with its status', async () => {
  const anna = await world.createPerson()
  const sent = await stillPicture('png')
  const { body } = await uploadFile(anna, sent)
  assert.ok(distance(await pixelsOf(sent), await pixelsOf(await look(body.url!))) < 1)
  await look(body.preview_url!)
  assert.equal((await stored()).length, 2)
  const posted = await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })
  await anna.client.delete(`/api/v1/statuses/${posted.body.id}`, { delete_media: true })
  await world.settle()
  assert.deepEqual([(await fileOf(body.url!)).statusCode, await stored()], [404, []])
})

test('a film is fetched from the bucket to be worked on, and the upload itself goes', { skip: noFfmpeg }, async () => {
  const anna = await world.createPerson()
  const sent = await makeSample(samples.webm)
  const { status, body } = await uploadFile(anna, sent)
  assert.equal(status, 202)
  const { url, preview_url } = await ready(anna, body.id)
  const size = { width: 128, height: 96 }
  const [before, now] = [await framesOf(sent, size), await framesOf(await look(url!), size)]
  assert.equal(now.length, before.length)
  assert.ok(distance(before[5]!, now[5]!) < 9)
  assert.deepEqual(await pixelsOf(await look(preview_url!)).then(({ width, height }) => ({ width, height })), size)
  const keys = (await stored()).map((key) => key.replace(/^media\/..\/[0-9a-f]{32}/, ''))
  assert.deepEqual(keys.toSorted(), ['-small.jpg', '.mp4'])
  assert.deepEqual((await anna.client.delete(`/api/v1/media/${body.id}`)).body, {})
  await world.settle()
  assert.deepEqual(await stored(), [])
})
