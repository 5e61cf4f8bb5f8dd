// Slow: converts media.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import sharp from 'sharp'
import { eventually } from '../../../../../test/servers/linnet-process.ts'
import { makeSample, noFfmpeg, probe, SAMPLE_ARGUMENTS, SECRET } from '../../../../../test/media/audio-video-samples.ts'
import { uploadFile } from '../../../../../test/http/upload-file.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { MediaAttachment } from '../../../../entities/statuses/media.ts'

/** Polls an upload until its processing has succeeded or failed. */
async function waitForProcessing(user: TestUser, id: string) {
  let response = await user.client.get<MediaAttachment>(`/api/v1/media/${id}`)
  await eventually(async () => {
    response = await user.client.get<MediaAttachment>(`/api/v1/media/${id}`)
    assert.notEqual(response.status, 206)
  })
  return response
}

suite('a video, audio file or animated GIF', { skip: noFfmpeg, timeout: 300_000 }, async () => {
  const testServer = await openTestServer()
  after(testServer.close)
  const fileOf = async (url: string) => (await testServer.server.inject({ url: new URL(url).pathname })).rawPayload

  for (const [name, args] of Object.entries(SAMPLE_ARGUMENTS)) {
    test(`ME2 ME3: ${name} is transcoded for all clients and loses its metadata`, async () => {
      const anna = await testServer.createUser()
      const bytes = await makeSample(args)
      const response = await uploadFile(anna, bytes, { description: 'A second', focus: '0.5,0' })
      assert.equal(response.status, 202, JSON.stringify(response.body))
      assertEntity('MediaAttachment', response.body)
      assert.deepEqual([response.body.url, response.body.description], [null, 'A second'])
      const { status, body } = await waitForProcessing(anna, response.body.id)
      assert.equal(status, 200)
      assertEntity('MediaAttachment', body)
      assert.equal(body.type, response.body.type)
      const file = await fileOf(body.url!)
      const { streams, format } = await probe(file)
      const codecs = streams.map((stream) => stream.codec_name)
      const isAudio = ['mp3', 'flac', 'wav', 'ogg', 'opus', 'webm with audio only', 'm4a', 'aac', 'wma'].includes(name)
      if (isAudio) {
        assert.equal(body.type, 'audio')
        assert.deepEqual([codecs, format.format_name], [['mp3'], 'mp3'])
        assert.deepEqual(Object.keys(body.meta!.original!).toSorted(), ['bitrate', 'duration'])
      } else {
        assert.equal(body.type, name === 'gif' ? 'gifv' : 'video')
        const isSilent = name === 'gif' || name === 'mp4 without audio'
        assert.deepEqual(codecs, isSilent ? ['h264'] : ['h264', 'aac'])
        assert.equal(streams[0]?.pix_fmt, 'yuv420p')
        const { width, height, frame_rate, bitrate } = body.meta!.original!
        assert.deepEqual([width, height, frame_rate], [128, 96, '10/1'])
        assert.ok(bitrate! > 1_000)
        assert.deepEqual(body.meta?.small, { width: 128, height: 96, size: '128x96', aspect: 128 / 96 })
      }
      assert.ok(Math.abs(body.meta!.original!.duration! - 1) < 0.2, `${body.meta!.original!.duration}`)
      assert.deepEqual(body.meta?.focus, { x: 0.5, y: 0 })
      for (const trace of [SECRET, '52.52']) assert.ok(!file.includes(trace), trace)
      const hasCover = !isAudio || name === 'mp3'
      assert.equal(body.preview_url !== null, hasCover)
      assert.equal(body.blurhash !== null, hasCover)
      if (!hasCover) return
      const preview = await sharp(await fileOf(body.preview_url!)).metadata()
      assert.deepEqual([preview.width, preview.height], [body.meta?.small?.width, body.meta?.small?.height])
      if (name === 'mp3') assert.deepEqual(body.meta?.colors?.background, '#fd0000')
    })
  }
})
