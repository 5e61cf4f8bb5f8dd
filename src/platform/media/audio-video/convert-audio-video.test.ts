// Slow: converts media.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import fc from 'fast-check'
import { makeSample, noFfmpeg, SAMPLE_ARGUMENTS, SECRET } from '../../../../test/media/audio-video-samples.ts'
import { UnprocessableError } from '../../../lib/errors.ts'
import { convertAudioVideo } from './convert-audio-video.ts'
import type { ConvertedMedia } from './convert-audio-video.ts'
import { probeAudioVideo } from './probe-audio-video.ts'
import { identifyMedia } from '../identify-media.ts'

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }

suite('a video or audio file', { skip: noFfmpeg, timeout: 300_000 }, async () => {
  const root = await mkdtemp(join(tmpdir(), 'linnet-convert-'))
  after(() => rm(root, { recursive: true }))
  let count = 0

  async function convert(bytes: Buffer): Promise<ConvertedMedia> {
    const folder = join(root, String((count += 1)))
    await mkdir(folder)
    const path = join(folder, 'upload')
    await writeFile(path, bytes)
    const kind = await identifyMedia({ path })
    const source = { path, format: kind.type === 'moving' ? kind.container : ('gif' as const) }
    const facts = await probeAudioVideo(tools, source)
    return convertAudioVideo(tools, { source, streams: facts, folder })
  }

  const names = ['mp4', 'webm', 'ogv', 'gif', 'mp3', 'flac', 'wav', 'opus', 'm4a', 'wma'] as const
  const wholes = await Promise.all(names.map((name) => makeSample(SAMPLE_ARGUMENTS[name])))

  test('ME5 ME6: with changed or missing bytes is accepted, or rejected as the client’s fault', async () => {
    const places = fc.array(fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(255)), {
      minLength: 1,
      maxLength: 8,
    })
    // Headers are at the beginning, or near the end of videos that were not made for streaming.
    const part = fc.constantFrom([0, 0.05], [0, 1], [0.9, 1])
    const change = fc.record({ n: fc.nat(wholes.length - 1), places, part, cut: fc.constantFrom(0, 0, 0, 0.5, 0.99) })
    await fc.assert(
      fc.asyncProperty(change, async ({ n, places: list, part: [from = 0, to = 1], cut }) => {
        const bytes = Buffer.from(wholes[n]!)
        for (const [place, value] of list) bytes[Math.floor(bytes.length * (from + (to - from) * place))] = value
        const sent = cut === 0 ? bytes : bytes.subarray(0, Math.floor(bytes.length * cut))
        const result = await convert(sent).catch((err: unknown) => err)
        if (result instanceof Error) assert.ok(result instanceof UnprocessableError, `${names[n]}: ${String(result)}`)
        else assert.ok((result as ConvertedMedia).original.duration > 0 && (result as ConvertedMedia).byteSize > 0)
      }),
      { numRuns: 40, endOnFailure: true },
    )
  })

  test('is rejected without the messages of ffmpeg, which contain folders of the server', async () => {
    const broken = Buffer.concat([wholes[0]!.subarray(0, 64), Buffer.from(SECRET)])
    await assert.rejects(convert(broken), (err: Error) => {
      assert.ok(!err.message.includes(root) && !/ffmpeg|moov|Invalid data/.test(err.message), err.message)
      return true
    })
  })
})
