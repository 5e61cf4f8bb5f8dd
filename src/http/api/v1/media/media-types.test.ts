// Slow: converts media.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import sharp from 'sharp'
import { meanDifference, framesOf, pixelsOf, downscale, analyseAudio } from '../../../../../test/media/decode-media.ts'
import type { Pixels } from '../../../../../test/media/decode-media.ts'
import { makeSample, noFfmpeg, SAMPLE_ARGUMENTS } from '../../../../../test/media/audio-video-samples.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const WIDTH = 720
const HEIGHT = 450
/** A gradient without equal pixels, larger than a preview may be. */
const slope = Buffer.alloc(WIDTH * HEIGHT * 3)
for (let y = 0; y < HEIGHT; y += 1) {
  for (let x = 0; x < WIDTH; x += 1) {
    const at = 3 * (y * WIDTH + x)
    slope[at] = (255 * x) / WIDTH
    slope[at + 1] = (255 * y) / HEIGHT
    slope[at + 2] = (255 * (x + y)) / (WIDTH + HEIGHT)
  }
}
const draw = () => sharp(slope, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })

/** Allowed mean difference, of 255, between the sent and the served pixels: the loss by transcoding. */
const MAX_DIFFERENCE = 9

const VIDEO_SIZE = { width: 128, height: 96 }
const red = async () =>
  pixelsOf(
    await sharp({ create: { width: 64, height: 64, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer(),
  )
/** The audio types whose samples have a red cover. */
const COVERED = ['audio/mpeg', 'audio/mp3']
const threeGp = [...SAMPLE_ARGUMENTS.m4a.slice(0, -1), 'a.3gp']
const stillGif = async () =>
  sharp(await draw().resize(320, 200).png().toBuffer())
    .gif()
    .toBuffer()

/** Several names of a type have one sample, which is converted to equal files. */
const analysed = new Map<string, ReturnType<typeof analyseAudio>>()
async function analyseOnce(file: Buffer) {
  const key = hash('sha256', file)
  const analysis = analysed.get(key) ?? analyseAudio(file)
  analysed.set(key, analysis)
  const result = await analysis
  return result
}

/** For each supported MIME type, the type of the resulting attachment and a sample file. */
const TYPES: Record<string, [attachmentType: 'image' | 'gifv' | 'video' | 'audio', make: () => Promise<Buffer>]> = {
  'image/jpeg': ['image', () => draw().jpeg({ quality: 92 }).toBuffer()],
  'image/png': ['image', () => draw().png().toBuffer()],
  'image/gif': ['gifv', () => makeSample(SAMPLE_ARGUMENTS.gif)],
  'image/gif without animation': ['image', stillGif],
  'image/webp': ['image', () => draw().webp().toBuffer()],
  'image/avif': ['image', () => draw().avif({ effort: 2 }).toBuffer()],
  'video/mp4': ['video', () => makeSample(SAMPLE_ARGUMENTS.mp4)],
  'video/quicktime': ['video', () => makeSample(SAMPLE_ARGUMENTS.mov)],
  'video/webm': ['video', () => makeSample(SAMPLE_ARGUMENTS.webm)],
  'video/ogg': ['video', () => makeSample(SAMPLE_ARGUMENTS.ogv)],
  // Mastodon classifies it as audio, because of the WMA files of Windows.
  'video/x-ms-asf': ['audio', () => makeSample(SAMPLE_ARGUMENTS.wma)],
  'audio/wave': ['audio', () => makeSample(SAMPLE_ARGUMENTS.wav)],
  'audio/wav': ['audio', () => makeSample(SAMPLE_ARGUMENTS.wav)],
  'audio/x-wav': ['audio', () => makeSample(SAMPLE_ARGUMENTS.wav)],
  'audio/x-pn-wave': ['audio', () => makeSample(SAMPLE_ARGUMENTS.wav)],
  'audio/vnd.wave': ['audio', () => makeSample(SAMPLE_ARGUMENTS.wav)],
  'audio/ogg': ['audio', () => makeSample(SAMPLE_ARGUMENTS.opus)],
  'audio/vorbis': ['audio', () => makeSample(SAMPLE_ARGUMENTS.ogg)],
  'audio/mpeg': ['audio', () => makeSample(SAMPLE_ARGUMENTS.mp3)],
  'audio/mp3': ['audio', () => makeSample(SAMPLE_ARGUMENTS.mp3)],
  'audio/webm': ['audio', () => makeSample(SAMPLE_ARGUMENTS['webm with audio only'])],
  'audio/flac': ['audio', () => makeSample(SAMPLE_ARGUMENTS.flac)],
  'audio/aac': ['audio', () => makeSample(SAMPLE_ARGUMENTS.aac)],
  'audio/m4a': ['audio', () => makeSample(SAMPLE_ARGUMENTS.m4a)],
  'audio/x-m4a': ['audio', () => makeSample(SAMPLE_ARGUMENTS.m4a)],
  'audio/mp4': ['audio', () => makeSample(SAMPLE_ARGUMENTS.m4a)],
  'audio/3gpp': ['audio', () => makeSample(threeGp)],
}

suite('every MIME type that the server announces', { skip: noFfmpeg, timeout: 300_000, concurrency: 6 }, async () => {
  const testServer = await openTestServer()
  after(testServer.close)
  const base = await testServer.listen()

  /** Fetches a file over HTTP. */
  async function fetchFile(url: string): Promise<{ file: Buffer; type: string | null }> {
    const response = await fetch(new URL(new URL(url).pathname, base))
    assert.equal(response.status, 200)
    return { file: Buffer.from(await response.arrayBuffer()), type: response.headers.get('content-type') }
  }

  test('has a sample in this test, and no other type has', async () => {
    const { body } = await testServer.anonymous.get('/api/v2/instance')
    const announced: string[] = body.configuration.media_attachments.supported_mime_types
    const tested = new Set(Object.keys(TYPES).map((name) => name.split(' ')[0]!))
    assert.deepEqual(announced.toSorted(), [...tested].toSorted())
  })

  for (const [name, [attachmentType, make]] of Object.entries(TYPES)) {
    test(`${name}: an upload by masto.js looks and sounds like the original`, async () => {
      const sent = await make()
      const { token } = await testServer.createUser()
      const rest = createRestAPIClient({ url: base, accessToken: token })
      const file = new File([new Uint8Array(sent)], 'file', { type: name.split(' ')[0]! })
      const media = await rest.v2.media.create({ file, description: name })
      assert.deepEqual([media.type, media.description], [attachmentType, name])
      const { original, small } = media.meta as Partial<Record<'original' | 'small', Record<string, number>>>
      const served = await fetchFile(media.url!)
      let sentPixels: Pixels | undefined

      if (attachmentType === 'image') {
        const [before, now] = [await pixelsOf(sent), await pixelsOf(served.file)]
        sentPixels = before
        assert.deepEqual([now.width, now.height], [before.width, before.height])
        assert.deepEqual([original?.['width'], original?.['height']], [before.width, before.height])
        assert.ok(meanDifference(before, now) < MAX_DIFFERENCE, `${meanDifference(before, now)}`)
        assert.equal(served.type, name === 'image/avif' ? 'image/jpeg' : name.split(' ')[0])
      } else if (attachmentType === 'audio') {
        const [before, now] = [await analyseOnce(sent), await analyseOnce(served.file)]
        assert.ok(Math.abs(now.hertz - 440) < 3 && Math.abs(before.hertz - 440) < 3, `${now.hertz} Hz`)
        assert.ok(Math.abs(now.seconds - before.seconds) < 0.2, `${now.seconds} s`)
        assert.ok(Math.abs(now.loudness / before.loudness - 1) < 0.2, `${now.loudness}`)
        assert.ok(Math.abs(original!['duration']! - before.seconds) < 0.2)
        assert.equal(served.type, 'audio/mpeg')
      } else {
        const [before, now] = [await framesOf(sent, VIDEO_SIZE), await framesOf(served.file, VIDEO_SIZE)]
        sentPixels = before[0]
        assert.deepEqual([original?.['width'], original?.['height']], [128, 96])
        assert.deepEqual([before.length, now.length], [10, 10])
        for (const [n, frame] of now.entries()) {
          const difference = meanDifference(before[n]!, frame)
          assert.ok(difference < MAX_DIFFERENCE, `frame ${n}: ${difference}`)
        }
        assert.ok(meanDifference(now[0]!, now[9]!) > 1, 'the frames differ')
        assert.equal(served.type, 'video/mp4')
        if (attachmentType === 'video') assert.ok(Math.abs((await analyseAudio(served.file)).hertz - 440) < 3)
      }

      const preview = media.previewUrl ? await fetchFile(media.previewUrl) : null
      if (!preview) return assert.ok(attachmentType === 'audio' && !COVERED.includes(name), 'audio without a cover')
      assert.match(preview.type!, /^image\/(jpeg|png|webp)$/)
      const pixels = await pixelsOf(preview.file)
      assert.deepEqual([small?.['width'], small?.['height']], [pixels.width, pixels.height])
      assert.ok(pixels.width * pixels.height <= 230_400)
      const size = { width: 32, height: 24 }
      const expected = sentPixels ?? (await red())
      const difference = meanDifference(await downscale(expected, size), await downscale(pixels, size))
      assert.ok(difference < MAX_DIFFERENCE, `the preview: ${difference}`)
    })
  }
})
