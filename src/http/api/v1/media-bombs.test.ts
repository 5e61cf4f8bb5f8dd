// Slow: converts media.
import assert from 'node:assert/strict'
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
  endlessFlac,
  gifOf,
  jpegOf,
  largeWebp,
  layeredJpeg,
  patch,
  pngOf,
  referring,
  stuffedPng,
  webpOf,
  withCover,
} from '../../../../test/bombs.ts'
import { multipart } from '../../../../test/client.ts'
import { findDecoders, readMostMemory } from '../../../../test/confined.ts'
import { createPerson } from '../../../../test/create-person.ts'
import { createRig } from '../../../../test/faults/rig.ts'
import { eventually } from '../../../../test/linnet.ts'
import { makeSample, noFfmpeg, samples } from '../../../../test/moving-samples.ts'
import { cloneDatabase } from '../../../../test/postgres.ts'
import type { MediaAttachment } from '../../../entities/media.ts'

const MB = 1_048_576
/** What the server may hold more than before, whatever is sent; and a decoder, of which Node itself takes half. */
const SERVER_GROWTH = 100 * MB
const DECODER_MEMORY = 250 * MB
/** As `prlimit` is told it. */
const DECODER_LIMIT = 1_700_000_000
const FFMPEG_LIMIT_KB = Math.floor(1_500_000_000 / 1_024)
const MOST = 0xfffffffe

type Answer = { status: number; body: MediaAttachment & { error?: string } }

suite('a small file that means to be much', { skip: noFfmpeg, timeout: 300_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bombs-'))
  const notes = join(folder, 'notes')
  const database = await cloneDatabase()
  const env = { FFMPEG_BINARY: await witness('ffmpeg'), FFPROBE_BINARY: await witness('ffprobe') }
  const rig = await createRig({ connection: database.connection, env })
  await rig.start()
  const { app, close } = await rig.open()
  after(async () => {
    await close()
    await rig.close()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  /** The program, which notes down first what it may use, and what it has for an input. */
  async function witness(program: string): Promise<string> {
    const path = join(folder, program)
    const note = `echo "$(ulimit -d) $(ulimit -c) $(readlink /proc/self/fd/0)" >> '${notes}'`
    await writeFile(path, `#!/bin/sh\n${note}\nexec ${program} "$@"\n`)
    await chmod(path, 0o755)
    return path
  }

  async function upload(bytes: Buffer): Promise<Answer> {
    const { token } = await createPerson(app.ctx, { username: `sender${(count += 1)}` })
    const authorization = `Bearer ${token}`
    const { payload, headers } = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes } })
    const body = new Uint8Array(payload)
    const sent = await fetch(`${rig.origin}/api/v2/media`, {
      method: 'POST',
      headers: { ...headers, authorization },
      body,
    })
    const answer = { status: sent.status, body: await sent.json() } as Answer
    if (answer.status !== 202) return answer
    return eventually(async () => {
      const asked = await fetch(`${rig.origin}/api/v1/media/${answer.body.id}`, { headers: { authorization } })
      assert.notEqual(asked.status, 206)
      return { status: asked.status, body: await asked.json() } as Answer
    })
  }
  let count = 0

  const fileOf = async (url: string) => {
    return Buffer.from(await (await fetch(rig.origin + new URL(url).pathname)).arrayBuffer())
  }

  /** Sends all of them; `check` sees each answer. Nobody may have taken more memory than allowed. */
  async function sendAll(files: Record<string, Buffer>, check: (answer: Answer, name: string) => unknown) {
    const before = readMostMemory(rig.pid)
    for (const [name, bytes] of Object.entries(files)) {
      await check(await upload(bytes), name)
      for (const decoder of findDecoders(rig.pid)) {
        assert.deepEqual([decoder.memoryLimit, decoder.fileLimit], [DECODER_LIMIT, 0])
        assert.ok(decoder.mostMemory < DECODER_MEMORY, `${name}: ${decoder.mostMemory / MB} MB in a decoder`)
      }
      const grown = readMostMemory(rig.pid) - before
      assert.ok(grown < SERVER_GROWTH, `${name}: ${grown / MB} MB in the server`)
    }
    const still = await upload(await plain.png().toBuffer())
    assert.equal(still.status, 200, 'the next picture is taken')
  }

  const refused = ({ status, body }: Answer, name: string) => {
    assert.equal(status, 422, `${name}: ${JSON.stringify(body)}`)
    const text = /not supported|not be verified|damaged|frames are more|longer than 6 hours|Error processing thumbnail/
    assert.match(body.error!, text, name)
  }

  const plain = sharp({ create: { width: 64, height: 64, channels: 3, background: '#a92449' } })
  const [mp4, yuv444, flac] = await Promise.all(
    [samples.mp4, samples['mp4 with four samples of colour'], samples.flac].map(makeSample),
  )
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1', '-id3v2_version', '0', 'a.mp3']
  const mp3 = await makeSample(tone)

  test('the limits are told to the kernel before anything is decoded, and a picture and a film fit into them', async () => {
    await sendAll({ png: await plain.png().toBuffer(), mp4: mp4! }, ({ status }) => assert.equal(status, 200))
    assert.ok(findDecoders(rig.pid).length > 0, 'there is a decoder to look at')
    const lines = (await readFile(notes, 'utf8')).trim().split('\n')
    assert.ok(lines.length >= 4)
    for (const line of lines) assert.equal(line, `${FFMPEG_LIMIT_KB} 0 /dev/null`)
  })

  test('ME1 ME5: a picture of each kind is refused', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"><rect/></svg>'
    await sendAll(
      {
        'PNG of 2.5 gigapixels': pngOf(50_000, 50_000),
        'GIF of 600,000 frames': gifOf({ frames: 600_000, width: 100, height: 100 }),
        'GIF of a huge canvas': gifOf({ frames: 2, width: 65_535, height: 65_535 }),
        'JPEG of 4 gigapixels': await jpegOf(65_000, 65_000),
        'JPEG of 3,000 layers': await layeredJpeg(3_000),
        'WebP of 268 megapixels': await largeWebp(),
        'WebP of 2,000 frames': await webpOf({ frames: 2_000, side: 100 }),
        'WebP of 200 large frames': await webpOf({ frames: 200, side: 4_000 }),
        'AVIF of 2.5 gigapixels': await avifOf(50_000, 50_000),
        'AVIF of the most that can be said': await avifOf(MOST, MOST),
        SVG: Buffer.from(svg),
        'SVG with a declaration': Buffer.from(`\uFEFF<?xml version="1.0"?>\n<!DOCTYPE svg>\n${svg}`),
        'SVG, packed': gzipSync(svg),
        'SVG behind a GIF’s first bytes': Buffer.from(`GIF89a${svg}`),
        TIFF: await plain.clone().tiff().toBuffer(),
        PSD: Buffer.from('3842505300010000000000000003000075300000753000080003', 'hex'),
        'a ZIP of nothing': Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(1_000)]),
        'gigabytes of nothing': gzipSync(Buffer.alloc(100 * MB)),
      },
      refused,
    )
  })

  test('ME1 ME2: what is packed into a picture, or stands behind it, is neither unpacked nor kept', async () => {
    const archive = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.from('secret.txt'), Buffer.alloc(200)])
    const page = Buffer.from('<script>alert("archive")</script>')
    await sendAll(
      {
        'a colour profile of 500 MB': stuffedPng('iCCP', 500),
        'a remark of 500 MB': stuffedPng('zTXt', 500),
        'rows of pixels that are not asked for': stuffedPng('IDAT', 500),
        'a PNG that is an archive': Buffer.concat([await plain.png().toBuffer(), archive]),
        'a JPEG that is an archive': Buffer.concat([await plain.jpeg().toBuffer(), archive, page]),
        'a GIF that is an archive': Buffer.concat([await plain.gif().toBuffer(), archive, page]),
        'a WebP that is an archive': Buffer.concat([await plain.webp().toBuffer(), archive]),
        'a film that is an archive': Buffer.concat([mp4!, archive, page]),
        'a sound that is an archive': Buffer.concat([mp3, archive, page]),
      },
      async ({ status, body }, name) => {
        assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
        const file = await fileOf(body.url!)
        assert.ok(file.length > 0 && file.length < MB, name)
        for (const trace of ['secret.txt', '<script', 'bomb']) assert.ok(!file.includes(trace), `${name}: ${trace}`)
      },
    )
  })

  test('ME1 ME5 ME6: a film or a sound of absurd size, length or count is refused', async () => {
    const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', 'a.mp4']
    const long = [{ at: 16, value: MOST }]
    await sendAll(
      {
        'a film of 38 megapixels': await makeSample([
          '-f',
          'lavfi',
          '-i',
          'color=size=8192x4608:rate=1:duration=1',
          ...x264,
        ]),
        'a film of 50 days, by its header': patch(patch(mp4!, 'mvhd', long), 'mdhd', long),
        'a film of 11 days, by its frames': patch(mp4!, 'stts', [{ at: 12, value: 0x40000000 }]),
        'the same, to be encoded anew': patch(yuv444!, 'stts', [{ at: 12, value: 0x40000000 }]),
        'four billion frames, by their times': patch(mp4!, 'stts', [{ at: 8, value: MOST }]),
        'a quarter of a billion frames, by their sizes': patch(mp4!, 'stsz', [{ at: 8, value: 0x0fffffff }]),
        'as many chunks': patch(mp4!, 'stsc', [{ at: 4, value: 0x0fffffff }]),
        'a sound of 17 hours or more, by its header': endlessFlac(flac!),
      },
      refused,
    )
  })

  test('ME1: a cover that is a bomb is left out, and the sound stays', async () => {
    const covers = { 'of 2.5 gigapixels': pngOf(50_000, 50_000), 'that is none': gzipSync(Buffer.alloc(50 * MB)) }
    const sounds = Object.entries(covers).map(([name, cover]) => [name, withCover(mp3, cover)] as const)
    await sendAll(Object.fromEntries(sounds), ({ status, body }, name) => {
      assert.deepEqual([status, body.type, body.preview_url], [200, 'audio', null], name)
    })
  })

  test('ME5: sixteen large photos at once are decoded two at a time, and wait on the disk for that', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const photo = await sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: '#777777', noise } })
      .jpeg({ quality: 96 })
      .toBuffer()
    assert.ok(photo.length > 8 * MB && photo.length < 16 * MB)
    assert.equal((await upload(photo)).status, 200)
    const before = readMostMemory(rig.pid)
    const answers = await Promise.all(Array.from({ length: 16 }, () => upload(photo)))
    assert.ok(answers.every(({ status }) => status === 200))
    const grown = readMostMemory(rig.pid) - before
    assert.ok(grown < SERVER_GROWTH, `${grown / MB} MB in the server`)
    const decoders = findDecoders(rig.pid)
    assert.ok(decoders.length >= 1 && decoders.length <= 2, `${decoders.length} decoders`)
    for (const { mostMemory } of decoders) assert.ok(mostMemory < 2 * DECODER_MEMORY, `${mostMemory / MB} MB`)
  })

  test('ME4: what names another file, or an address, reaches neither', async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked += 1
      response.end()
    })
    server.listen(0, '127.0.0.1')
    after(() => server.close())
    await eventually(async () => assert.ok(server.address()))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mp4`
    const other = join(folder, 'other.mp4')
    await writeFile(other, mp4!)
    const hls = (url: string) => `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`
    const box = (type: string, text: string) => {
      const size = Buffer.alloc(4)
      size.writeUInt32BE(8 + text.length)
      return Buffer.concat([size, Buffer.from(type + text)])
    }
    const files: Record<string, Buffer> = {}
    for (const url of [
      other,
      `file://${other}`,
      address,
      `concat:${other}|${other}`,
      `subfile,,start,0,end,0,,:${other}`,
    ]) {
      files[`a list, ${url}`] = Buffer.from(hls(url))
      files[`a list in a box, ${url}`] = Buffer.concat([box('free', hls(url)), box('mdat', hls(url))])
      files[`a list behind an MP4’s beginning, ${url}`] = Buffer.concat([
        box('ftyp', 'isom\0\0\x02\0isom'),
        Buffer.from(hls(url)),
      ])
      files[`a list behind a tag, ${url}`] = Buffer.concat([
        Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1'),
        Buffer.from(hls(url)),
      ])
      files[`an order to join, ${url}`] = Buffer.from(`ffconcat version 1.0\nfile '${url}'\n`)
      files[`a page of addresses, ${url}`] = Buffer.from(`<asx version="3.0"><entry><ref href="${url}"/></entry></asx>`)
      files[`a film elsewhere, ${url}`] = referring(mp4!, url)
    }
    await sendAll(files, refused)
    assert.equal(asked, 0)
  })
})
