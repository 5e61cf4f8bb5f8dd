// Slow: converts media.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { makeSample, noFfmpeg, SAMPLE_ARGUMENTS } from '../../../../../test/media/audio-video-samples.ts'
import { uploadFile } from '../../../../../test/http/upload-file.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../../test/servers/test-server.ts'
import { processMedia } from '../../../../domain/media/uploads/process-media.ts'
import type { MediaAttachment } from '../../../../entities/statuses/media.ts'

suite('an upload that is being processed', { skip: noFfmpeg, timeout: 300_000 }, async () => {
  const testServer = await openTestServer({ effects: false })
  after(testServer.close)
  const mp4 = noFfmpeg ? Buffer.alloc(0) : await makeSample(SAMPLE_ARGUMENTS.mp4)
  const storedFiles = async () => {
    const all = await readdir(join(testServer.ctx.config.dataDir, 'media'), { recursive: true, withFileTypes: true })
    return all
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .toSorted()
  }

  test('responds with 206, can be described, and cannot be posted yet', async () => {
    const anna = await testServer.createUser()
    const { body, status } = await uploadFile(anna, mp4)
    assert.deepEqual([status, body.url, body.preview_url], [202, null, null])
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 206)
    const put = await anna.client.put(`/api/v1/media/${body.id}`, { description: 'Bars', focus: '1,1' })
    assert.deepEqual([put.status, put.body.description, put.body.url], [206, 'Bars', null])
    const posted = await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })
    const error = 'Cannot attach files that have not finished processing. Try again in a moment!'
    assert.deepEqual([posted.status, posted.body], [422, { error }])
    await processMedia(testServer.ctx, { mediaId: body.id })
    const ready = await anna.client.get<MediaAttachment>(`/api/v1/media/${body.id}`)
    assert.deepEqual([ready.status, ready.body.description, ready.body.meta?.focus], [200, 'Bars', { x: 1, y: 1 }])
    assert.equal((await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })).status, 200)
  })

  test('is processed again after the worker died, without duplicate files', async () => {
    const anna = await testServer.createUser()
    const before = await storedFiles()
    const { body } = await uploadFile(anna, mp4)
    const failingCtx = { ...testServer.ctx, write: () => Promise.reject(new Error('killed')) }
    await assert.rejects(processMedia(failingCtx, { mediaId: body.id }), /killed/)
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 206)
    await Promise.all([1, 2].map(() => processMedia(testServer.ctx, { mediaId: body.id })))
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 200)
    const files = (await storedFiles()).filter((name) => !before.includes(name))
    // A job deletes the original file; no worker runs in this test.
    assert.deepEqual(
      files.map((name) => name.replace(/^[0-9a-f]{32}/, '')),
      ['-small.jpg', '.bin', '.mp4'],
    )
  })

  test('responds with 422 if the processing fails, and can be deleted then', async () => {
    const anna = await testServer.createUser()
    const { body } = await uploadFile(anna, mp4)
    const open = () => Promise.resolve(null)
    await processMedia({ ...testServer.ctx, storage: { ...testServer.ctx.storage, open } }, { mediaId: body.id })
    const failed = await anna.client.get(`/api/v1/media/${body.id}`)
    assert.deepEqual([failed.status, failed.body], [422, { error: 'Error processing thumbnail for uploaded media' }])
    assert.equal((await anna.client.post('/api/v1/statuses', { media_ids: [body.id] })).status, 422)
    assert.deepEqual((await anna.client.delete(`/api/v1/media/${body.id}`)).body, {})
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 404)
  })

  test('leaves no files if it is deleted during the processing', async () => {
    const anna = await testServer.createUser()
    const before = await storedFiles()
    const { body } = await uploadFile(anna, mp4)
    const open: TestServer['ctx']['storage']['open'] = async (input) => {
      await anna.client.delete(`/api/v1/media/${body.id}`)
      return testServer.ctx.storage.open(input)
    }
    await processMedia({ ...testServer.ctx, storage: { ...testServer.ctx.storage, open } }, { mediaId: body.id })
    assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 404)
    const [name] = (await storedFiles()).filter((file) => !before.includes(file)).map((file) => file.slice(0, 32))
    const jobs = await sql<{ keys: string[] }>`
      select payload -> 'mediaKeys' as keys from jobs j
      where payload::text like ${`%${name}%`} order by id`.execute(testServer.ctx.db)
    const deleted = jobs.rows.flatMap(({ keys }) => keys.map((key) => key.replace(/^.+[0-9a-f]{32}/, '')))
    assert.deepEqual(deleted, ['.bin', '.mp4', '-small.jpg'])
  })
})

test('without ffmpeg the server rejects and does not announce videos and audio, and a GIF remains a GIF', async () => {
  const testServer = await openTestServer({ env: { FFMPEG_BINARY: '/nowhere/ffmpeg' } })
  try {
    const anna = await testServer.createUser()
    const mp4 = Buffer.from('000000186674797069736f6d0000020069736f6d6d703432', 'hex')
    for (const path of ['/api/v1/media', '/api/v2/media']) {
      const { status, body } = await uploadFile(anna, mp4, { path })
      const error = 'Validation failed: File is a video or a sound, which this server does not take'
      assert.deepEqual([status, body], [422, { error }])
    }
    const { body } = await testServer.anonymous.get('/api/v2/instance')
    const { supported_mime_types: types, video_size_limit: limit } = body.configuration.media_attachments
    assert.deepEqual([types.every((type: string) => type.startsWith('image/')), limit], [true, 0])
    const raw = { width: 8, height: 16, channels: 3, pageHeight: 8 } as const
    const gif = await sharp(Buffer.alloc(8 * 16 * 3, 'ab'), { raw })
      .gif({ delay: [100, 100] })
      .toBuffer()
    const uploaded = await uploadFile(anna, gif)
    assert.deepEqual([uploaded.status, uploaded.body.type], [200, 'image'])
    assert.match(uploaded.body.url!, /\.gif$/)
  } finally {
    await testServer.close()
  }
})

test('with ffmpeg the server announces the supported types and limits', { skip: noFfmpeg }, async () => {
  const testServer = await openTestServer()
  try {
    const { body } = await testServer.anonymous.get('/api/v2/instance')
    const { supported_mime_types: types, ...limits } = body.configuration.media_attachments
    for (const type of ['image/avif', 'video/mp4', 'video/webm', 'audio/mpeg', 'audio/flac'])
      assert.ok(types.includes(type))
    assert.ok(!types.includes('image/heic'))
    assert.deepEqual(
      [limits.video_size_limit, limits.video_frame_rate_limit, limits.video_matrix_limit],
      [103_809_024, 120, 8_294_400],
    )
  } finally {
    await testServer.close()
  }
})
