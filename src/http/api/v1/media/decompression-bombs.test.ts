// Slow: converts media.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import {
  avifOf,
  flacWithMaxSamples,
  gifOf,
  jpegOf,
  largeWebp,
  jpegWithManyScans,
  patchBytes,
  pngOf,
  mp4WithExternalData,
  pngWithLargeChunk,
  webpOf,
  mp3WithCover,
} from '../../../../../test/media/decompression-bombs.ts'
import { multipart } from '../../../../../test/http/client.ts'
import { findDecoderProcesses, readPeakMemory } from '../../../../../test/media/decoder-processes.ts'
import { createUser } from '../../../../../test/servers/create-user.ts'
import type { CreatedUser } from '../../../../../test/servers/create-user.ts'
import { createServerProcess } from '../../../../../test/faults/support/server-process.ts'
import { eventually } from '../../../../../test/servers/linnet-process.ts'
import { makeSample, noFfmpeg, SAMPLE_ARGUMENTS } from '../../../../../test/media/audio-video-samples.ts'
import { cloneDatabase } from '../../../../../test/services/database/test-database.ts'
import type { MediaAttachment } from '../../../../entities/statuses/media.ts'

const MB = 1_048_576
/** Allowed growth of the server's memory, and allowed memory of a decoder process; Node itself takes half of that. */
const SERVER_GROWTH = 100 * MB
const DECODER_MEMORY = 250 * MB
/** The limit that is passed to `prlimit`. */
const DECODER_LIMIT = 1_700_000_000
const FFMPEG_LIMIT_KB = Math.floor(1_500_000_000 / 1_024)
const MAX_UINT32 = 0xfffffffe

type UploadResponse = { status: number; body: MediaAttachment & { error?: string } }

suite('a decompression bomb', { skip: noFfmpeg, timeout: 300_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bombs-'))
  const limitsFile = join(folder, 'limits')
  const database = await cloneDatabase()
  const env = { FFMPEG_BINARY: await wrapProgram('ffmpeg'), FFPROBE_BINARY: await wrapProgram('ffprobe') }
  const rig = await createServerProcess({ connection: database.connection, env })
  await rig.start()
  const { app, close } = await rig.open()
  after(async () => {
    await close()
    await rig.close()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  /** Writes a wrapper that records the resource limits and the standard input, then runs the program. */
  async function wrapProgram(program: string): Promise<string> {
    const path = join(folder, program)
    const command = `echo "$(ulimit -d) $(ulimit -c) $(readlink /proc/self/fd/0)" >> '${limitsFile}'`
    await writeFile(path, `#!/bin/sh\n${command}\nexec ${program} "$@"\n`)
    await chmod(path, 0o755)
    return path
  }

  let count = 0
  const createSender = () => createUser(app.ctx, { username: `sender${(count += 1)}` })

  async function upload(bytes: Buffer, sender?: CreatedUser): Promise<UploadResponse> {
    const { token } = sender ?? (await createSender())
    const authorization = `Bearer ${token}`
    const { payload, headers } = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes } })
    const body = new Uint8Array(payload)
    const response = await fetch(`${rig.origin}/api/v2/media`, {
      method: 'POST',
      headers: { ...headers, authorization },
      body,
    })
    const initial = { status: response.status, body: await response.json() } as UploadResponse
    if (initial.status !== 202) return initial
    return eventually(async () => {
      const polled = await fetch(`${rig.origin}/api/v1/media/${initial.body.id}`, { headers: { authorization } })
      assert.notEqual(polled.status, 206)
      return { status: polled.status, body: await polled.json() } as UploadResponse
    })
  }

  const fileOf = async (url: string) => {
    return Buffer.from(await (await fetch(rig.origin + new URL(url).pathname)).arrayBuffer())
  }

  /** Uploads all files and passes each response to `check`. Fails if the server or a decoder uses too much memory. */
  async function sendAll(files: Record<string, Buffer>, check: (response: UploadResponse, name: string) => unknown) {
    const before = readPeakMemory(rig.pid)
    for (const [name, bytes] of Object.entries(files)) {
      await check(await upload(bytes), name)
      for (const decoder of findDecoderProcesses(rig.pid)) {
        assert.deepEqual([decoder.memoryLimit, decoder.fileLimit], [DECODER_LIMIT, 0])
        assert.ok(decoder.peakMemory < DECODER_MEMORY, `${name}: ${decoder.peakMemory / MB} MB in a decoder`)
      }
      const growth = readPeakMemory(rig.pid) - before
      assert.ok(growth < SERVER_GROWTH, `${name}: ${growth / MB} MB in the server`)
    }
    const next = await upload(await plain.png().toBuffer())
    assert.equal(next.status, 200, 'the server accepts the next image')
  }

  const rejected = ({ status, body }: UploadResponse, name: string) => {
    assert.equal(status, 422, `${name}: ${JSON.stringify(body)}`)
    const text = /not supported|not be verified|damaged|frames are more|longer than 6 hours|Error processing thumbnail/
    assert.match(body.error!, text, name)
  }

  /** Creates a photo of 8 to 16 MB. */
  async function photoOf({ width, height, quality }: { width: number; height: number; quality: number }) {
    const noise = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    const photo = await noise.jpeg({ quality }).toBuffer()
    assert.ok(photo.length > 8 * MB && photo.length < 16 * MB, `${photo.length} bytes`)
    return photo
  }

  const plain = sharp({ create: { width: 64, height: 64, channels: 3, background: '#a92449' } })
  const [mp4, yuv444, flac] = await Promise.all(
    [SAMPLE_ARGUMENTS.mp4, SAMPLE_ARGUMENTS['mp4 with 4:4:4 chroma'], SAMPLE_ARGUMENTS.flac].map(makeSample),
  )
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1', '-id3v2_version', '0', 'a.mp3']
  const mp3 = await makeSample(tone)

  test('decoders run with resource limits, which an image and a video do not exceed', async () => {
    await sendAll({ png: await plain.png().toBuffer(), mp4: mp4! }, ({ status }) => assert.equal(status, 200))
    assert.ok(findDecoderProcesses(rig.pid).length > 0, 'a decoder process is running')
    const lines = (await readFile(limitsFile, 'utf8')).trim().split('\n')
    assert.ok(lines.length >= 4)
    for (const line of lines) assert.equal(line, `${FFMPEG_LIMIT_KB} 0 /dev/null`)
  })

  test('ME1 ME5: an oversized image of each type is rejected', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"><rect/></svg>'
    await sendAll(
      {
        'PNG of 2.5 gigapixels': pngOf(50_000, 50_000),
        'GIF of 600,000 frames': gifOf({ frames: 600_000, width: 100, height: 100 }),
        'GIF of a huge canvas': gifOf({ frames: 2, width: 65_535, height: 65_535 }),
        'JPEG of 4 gigapixels': await jpegOf(65_000, 65_000),
        'JPEG of 3,000 layers': await jpegWithManyScans(3_000),
        'WebP of 268 megapixels': await largeWebp(),
        'WebP of 2,000 frames': await webpOf({ frames: 2_000, side: 100 }),
        'WebP of 200 large frames': await webpOf({ frames: 200, side: 4_000 }),
        'AVIF of 2.5 gigapixels': await avifOf(50_000, 50_000),
        'AVIF of the largest size': await avifOf(MAX_UINT32, MAX_UINT32),
        SVG: Buffer.from(svg),
        'SVG with an XML declaration': Buffer.from(`\uFEFF<?xml version="1.0"?>\n<!DOCTYPE svg>\n${svg}`),
        'SVG, compressed': gzipSync(svg),
        'SVG after a GIF signature': Buffer.from(`GIF89a${svg}`),
        TIFF: await plain.clone().tiff().toBuffer(),
        PSD: Buffer.from('3842505300010000000000000003000075300000753000080003', 'hex'),
        'a ZIP of zeros': Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(1_000)]),
        '100 MB of zeros, compressed': gzipSync(Buffer.alloc(100 * MB)),
      },
      rejected,
    )
  })

  test('ME1 ME2: data hidden in or appended to a media file is neither unpacked nor stored', async () => {
    const archive = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.from('secret.txt'), Buffer.alloc(200)])
    const page = Buffer.from('<script>alert("archive")</script>')
    await sendAll(
      {
        'a colour profile of 500 MB': pngWithLargeChunk('iCCP', 500),
        'a comment of 500 MB': pngWithLargeChunk('zTXt', 500),
        'surplus rows of pixels': pngWithLargeChunk('IDAT', 500),
        'a PNG that is an archive': Buffer.concat([await plain.png().toBuffer(), archive]),
        'a JPEG that is an archive': Buffer.concat([await plain.jpeg().toBuffer(), archive, page]),
        'a GIF that is an archive': Buffer.concat([await plain.gif().toBuffer(), archive, page]),
        'a WebP that is an archive': Buffer.concat([await plain.webp().toBuffer(), archive]),
        'a video that is an archive': Buffer.concat([mp4!, archive, page]),
        'an audio file that is an archive': Buffer.concat([mp3, archive, page]),
      },
      async ({ status, body }, name) => {
        assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
        const file = await fileOf(body.url!)
        assert.ok(file.length > 0 && file.length < MB, name)
        for (const trace of ['secret.txt', '<script', 'bomb']) assert.ok(!file.includes(trace), `${name}: ${trace}`)
      },
    )
  })

  test('ME1 ME5 ME6: a video or audio file with an absurd size, duration or frame count is rejected', async () => {
    const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', 'a.mp4']
    const maxDuration = [{ at: 16, value: MAX_UINT32 }]
    await sendAll(
      {
        'a video of 38 megapixels': await makeSample([
          '-f',
          'lavfi',
          '-i',
          'color=size=8192x4608:rate=1:duration=1',
          ...x264,
        ]),
        'a video of 50 days, by its header': patchBytes(patchBytes(mp4!, 'mvhd', maxDuration), 'mdhd', maxDuration),
        'a video of 11 days, by its frames': patchBytes(mp4!, 'stts', [{ at: 12, value: 0x40000000 }]),
        'the same, which must be transcoded': patchBytes(yuv444!, 'stts', [{ at: 12, value: 0x40000000 }]),
        'four billion frames, by their timestamps': patchBytes(mp4!, 'stts', [{ at: 8, value: MAX_UINT32 }]),
        'a quarter of a billion frames, by their sizes': patchBytes(mp4!, 'stsz', [{ at: 8, value: 0x0fffffff }]),
        'as many chunks': patchBytes(mp4!, 'stsc', [{ at: 4, value: 0x0fffffff }]),
        'an audio file of 17 hours or more, by its header': flacWithMaxSamples(flac!),
      },
      rejected,
    )
  })

  test('ME1: a cover that is a decompression bomb is dropped, and the audio remains', async () => {
    const covers = { 'of 2.5 gigapixels': pngOf(50_000, 50_000), 'that is no image': gzipSync(Buffer.alloc(50 * MB)) }
    const files = Object.entries(covers).map(([name, cover]) => [name, mp3WithCover(mp3, cover)] as const)
    await sendAll(Object.fromEntries(files), ({ status, body }, name) => {
      assert.deepEqual([status, body.type, body.preview_url], [200, 'audio', null], name)
    })
  })

  test('ME5: of sixteen concurrent large photos, two are decoded at a time; the others wait on disk', async () => {
    assert.equal((await upload(await photoOf({ width: 4_000, height: 3_000, quality: 92 }))).status, 200)
    // Fewer pixels in as many bytes: these requests show what waits in memory, the one before what decoding takes.
    const photo = await photoOf({ width: 3_200, height: 2_000, quality: 100 })
    const senders: CreatedUser[] = []
    for (let n = 0; n < 16; n += 1) senders.push(await createSender())
    const before = readPeakMemory(rig.pid)
    const responses = await Promise.all(senders.map((sender) => upload(photo, sender)))
    assert.ok(responses.every(({ status }) => status === 200))
    const growth = readPeakMemory(rig.pid) - before
    assert.ok(growth < SERVER_GROWTH, `${growth / MB} MB in the server`)
    const decoders = findDecoderProcesses(rig.pid)
    assert.ok(decoders.length >= 1 && decoders.length <= 2, `${decoders.length} decoders`)
    for (const { peakMemory } of decoders) assert.ok(peakMemory < 2 * DECODER_MEMORY, `${peakMemory / MB} MB`)
  })

  test('ME4: a file that refers to another file or a URL reads neither', async () => {
    let requestCount = 0
    const server = createServer((_request, response) => {
      requestCount += 1
      response.end()
    })
    server.listen(0, '127.0.0.1')
    after(() => server.close())
    await eventually(async () => assert.ok(server.address()))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mp4`
    const otherFile = join(folder, 'other.mp4')
    await writeFile(otherFile, mp4!)
    const hls = (url: string) => `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`
    const box = (type: string, text: string) => {
      const size = Buffer.alloc(4)
      size.writeUInt32BE(8 + text.length)
      return Buffer.concat([size, Buffer.from(type + text)])
    }
    const files: Record<string, Buffer> = {}
    for (const source of [
      otherFile,
      `file://${otherFile}`,
      url,
      `concat:${otherFile}|${otherFile}`,
      `subfile,,start,0,end,0,,:${otherFile}`,
    ]) {
      files[`a playlist, ${source}`] = Buffer.from(hls(source))
      files[`a playlist in a box, ${source}`] = Buffer.concat([box('free', hls(source)), box('mdat', hls(source))])
      files[`a playlist after an MP4 signature, ${source}`] = Buffer.concat([
        box('ftyp', 'isom\0\0\x02\0isom'),
        Buffer.from(hls(source)),
      ])
      files[`a playlist after an ID3 tag, ${source}`] = Buffer.concat([
        Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1'),
        Buffer.from(hls(source)),
      ])
      files[`an ffconcat script, ${source}`] = Buffer.from(`ffconcat version 1.0\nfile '${source}'\n`)
      files[`an ASX playlist, ${source}`] = Buffer.from(
        `<asx version="3.0"><entry><ref href="${source}"/></entry></asx>`,
      )
      files[`a video with external data, ${source}`] = mp4WithExternalData(mp4!, source)
    }
    await sendAll(files, rejected)
    assert.equal(requestCount, 0)
  })
})
