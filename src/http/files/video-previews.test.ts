// Slow: decodes videos.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { makeSample, noFfmpeg, SAMPLE_ARGUMENTS } from '../../../test/media/audio-video-samples.ts'
import { createImage } from '../../../test/media/images.ts'
import { openRemoteFiles } from '../../../test/media/remote-files.ts'

const { serve, attach, get, requestsFor } = await openRemoteFiles()
const without = await openRemoteFiles({ env: { FFMPEG_BINARY: '/nonexistent/ffmpeg' } })

test('the preview of a remote video without a thumbnail is its first frame', { skip: noFfmpeg }, async () => {
  for (const name of ['mp4', 'webm'] as const) {
    const url = serve(await makeSample(SAMPLE_ARGUMENTS[name]), `video/${name}`)
    const media = await attach(url, { type: 'video' })
    assert.match(media.preview_url!, new RegExp(`/media_proxy/${media.id}/small\\?key=`))
    assert.equal(media.preview_remote_url, null)
    const small = await get(media.preview_url!)
    const { format, width, height } = await sharp(small.rawPayload).metadata()
    assert.deepEqual([small.statusCode, format, width, height], [200, 'jpeg', 128, 96], name)
    assert.equal((await get(media.url!)).statusCode, 200)
    assert.equal(requestsFor(url), 1, 'the preview and the video share one fetch')
  }
})

test('a file that is declared as a video and has no frame has no preview', { skip: noFfmpeg }, async () => {
  const damaged = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(5000)])
  const sound = await makeSample(SAMPLE_ARGUMENTS['webm with audio only'])
  for (const bytes of [damaged, sound]) {
    const media = await attach(serve(bytes, 'video/webm'), { type: 'video' })
    assert.equal((await get(media.preview_url!)).statusCode, 502)
    assert.equal((await get(media.url!)).statusCode, 200)
  }
})

test('an image that is declared as a video has a preview', { skip: noFfmpeg }, async () => {
  const media = await attach(serve(await createImage('png'), 'video/mp4'), { type: 'video' })
  assert.equal((await get(media.preview_url!)).statusCode, 200)
})

test('remote audio without a cover has no preview', async () => {
  const media = await attach(serve(await createImage('png'), 'audio/mpeg'), { type: 'audio' })
  assert.equal(media.preview_url, null)
  assert.equal((await get(media.url!.replace('original', 'small'))).statusCode, 404)
})

test('without ffmpeg, the preview of a remote video is 404, and the video is not fetched for it', async () => {
  const url = without.serve(Buffer.alloc(100), 'video/mp4')
  const media = await without.attach(url, { type: 'video' })
  assert.equal((await without.get(media.preview_url!)).statusCode, 404)
  assert.equal(without.requestsFor(url), 0)
  assert.deepEqual(await without.testServer.ctx.db.selectFrom('cached_files').selectAll().execute(), [])
})
