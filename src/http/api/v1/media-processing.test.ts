// Slow: converts media.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { makeSample, noFfmpeg, samples } from '../../../../test/moving-samples.ts'
import { uploadFile } from '../../../../test/upload-file.ts'
import { openWorld } from '../../../../test/world.ts'
import type { World } from '../../../../test/world.ts'
import { processMedia } from '../../../domain/media/process.ts'
import type { MediaAttachment } from '../../../entities/media.ts'
import { everyJob } from '../../../../test/every-job.ts'

suite('an upload that is worked on', { skip: noFfmpeg, timeout: 60_000 }, async () => {
  const world = await openWorld({ effects: false })
  after(world.close)
  const mp4 = noFfmpeg ? Buffer.alloc(0) : await makeSample(samples.mp4)
  const stored = async () => {
    const all = await readdir(join(world.ctx.config.dataDir, 'media'), { recursive: true, withFileTypes: true })
    return all
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .toSorted()
  }

  test('is told with 206, is described meanwhile, and can not be posted before', async () => {
    const anna = await world.createPerson()
    const { body, status } = await uploadFile(anna, mp4)
    assert.deepEqual([status, body.url, body.preview_url], [202, null, null])
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 206)
    const put = await anna.client.put(`/api/v1/media/${body.id}`, { description: 'Bars', focus: '1,1' })
    assert.deepEqual([put.status, put.body.description, put.body.url], [206, 'Bars', null])
    const posted = await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })
    const error = 'Cannot attach files that have not finished processing. Try again in a moment!'
    assert.deepEqual([posted.status, posted.body], [422, { error }])
    await processMedia(world.ctx, { mediaId: body.id })
    const ready = await anna.client.get<MediaAttachment>(`/api/v1/media/${body.id}`)
    assert.deepEqual([ready.status, ready.body.description, ready.body.meta?.focus], [200, 'Bars', { x: 1, y: 1 }])
    assert.equal((await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })).status, 200)
  })

  test('by whoever dies over it is worked on again, and nothing is there twice', async () => {
    const anna = await world.createPerson()
    const before = await stored()
    const { body } = await uploadFile(anna, mp4)
    const dying = { ...world.ctx, write: () => Promise.reject(new Error('killed')) }
    await assert.rejects(processMedia(dying, { mediaId: body.id }), /killed/)
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 206)
    await Promise.all([1, 2].map(() => processMedia(world.ctx, { mediaId: body.id })))
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 200)
    const files = (await stored()).filter((name) => !before.includes(name))
    // The upload itself goes by a job, which nobody does here.
    assert.deepEqual(
      files.map((name) => name.replace(/^[0-9a-f]{32}/, '')),
      ['-small.jpg', '.bin', '.mp4'],
    )
  })

  test('and comes to nothing is told with 422, and can be taken back', async () => {
    const anna = await world.createPerson()
    const { body } = await uploadFile(anna, mp4)
    const open = () => Promise.resolve(null)
    await processMedia({ ...world.ctx, storage: { ...world.ctx.storage, open } }, { mediaId: body.id })
    const failed = await anna.client.get(`/api/v1/media/${body.id}`)
    assert.deepEqual([failed.status, failed.body], [422, { error: 'Error processing thumbnail for uploaded media' }])
    assert.equal((await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })).status, 422)
    assert.deepEqual((await anna.client.delete(`/api/v1/media/${body.id}`)).body, {})
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 404)
  })

  test('and is taken back meanwhile leaves nothing', async () => {
    const anna = await world.createPerson()
    const before = await stored()
    const { body } = await uploadFile(anna, mp4)
    const open: World['ctx']['storage']['open'] = async (input) => {
      await anna.client.delete(`/api/v1/media/${body.id}`)
      return world.ctx.storage.open(input)
    }
    await processMedia({ ...world.ctx, storage: { ...world.ctx.storage, open } }, { mediaId: body.id })
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 404)
    const [name] = (await stored()).filter((one) => !before.includes(one)).map((one) => one.slice(0, 32))
    const jobs = await sql<{ keys: string[] }>`
      select payload -> 'mediaKeys' as keys from ${everyJob} j
      where payload::text like ${`%${name}%`} order by number`.execute(world.ctx.db)
    const gone = jobs.rows.flatMap(({ keys }) => keys.map((key) => key.replace(/^.+[0-9a-f]{32}/, '')))
    assert.deepEqual(gone, ['.bin', '.mp4', '-small.jpg'])
  })
})

test('where ffmpeg is absent, videos and sounds are refused and not offered, and a GIF stays one', async () => {
  const world = await openWorld({ env: { FFMPEG_BINARY: '/nowhere/ffmpeg' } })
  try {
    const anna = await world.createPerson()
    const mp4 = Buffer.from('000000186674797069736f6d0000020069736f6d6d703432', 'hex')
    for (const path of ['/api/v1/media', '/api/v2/media']) {
      const { status, body } = await uploadFile(anna, mp4, { path })
      const error = 'Validation failed: File is a video or a sound, which this server does not take'
      assert.deepEqual([status, body], [422, { error }])
    }
    const { body } = await world.anonymous.get('/api/v2/instance')
    const { supported_mime_types: types, video_size_limit: most } = body.configuration.media_attachments
    assert.deepEqual([types.every((type: string) => type.startsWith('image/')), most], [true, 0])
    const raw = { width: 8, height: 16, channels: 3, pageHeight: 8 } as const
    const gif = await sharp(Buffer.alloc(8 * 16 * 3, 'ab'), { raw })
      .gif({ delay: [100, 100] })
      .toBuffer()
    const kept = await uploadFile(anna, gif)
    assert.deepEqual([kept.status, kept.body.type], [200, 'image'])
    assert.match(kept.body.url!, /\.gif$/)
  } finally {
    await world.close()
  }
})

test('where ffmpeg is there, it is offered what it takes', { skip: noFfmpeg }, async () => {
  const world = await openWorld()
  try {
    const { body } = await world.anonymous.get('/api/v2/instance')
    const { supported_mime_types: types, ...limits } = body.configuration.media_attachments
    for (const type of ['image/avif', 'video/mp4', 'video/webm', 'audio/mpeg', 'audio/flac'])
      assert.ok(types.includes(type))
    assert.ok(!types.includes('image/heic'))
    assert.deepEqual(
      [limits.video_size_limit, limits.video_frame_rate_limit, limits.video_matrix_limit],
      [103_809_024, 120, 8_294_400],
    )
  } finally {
    await world.close()
  }
})
