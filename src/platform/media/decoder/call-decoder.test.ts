// In a process of its own: it counts the processes and the memory of its process.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import { avifOf, chunk, gifOf, jpegOf, largeWebp, pngOf } from '../../../../test/media/decompression-bombs.ts'
import { RequestError } from '../../../lib/errors.ts'
import { decodeImage, loadSharp } from './decode-image.ts'
import { makeImage } from './make-image.ts'
import { imageLimits } from '../images/image-limits.ts'
import { processImage } from '../images/process-image.ts'
import type { MediaFault } from '../media-errors.ts'
import { UnprocessableMediaError, UnsupportedMediaError } from '../media-errors.ts'

const formats = ['jpeg', 'png', 'gif', 'webp', 'avif'] as const

/** Returns noise that compresses badly and is equal in each run. */
function noise(width: number, height: number) {
  const grain = createHash('shake256', { outputLength: width * height * 3 })
    .update('grain')
    .digest()
  return sharp(grain, { raw: { width, height, channels: 3 } })
}

function isRejectedAs(fault: MediaFault) {
  return (error: unknown) => error instanceof UnprocessableMediaError && error.fault === fault && error.status === 422
}

test('ME1: an image with too many pixels in its header is rejected before decoding', async () => {
  await processImage({ buffer: await noise(16, 16).png().toBuffer() })
  const bombs = [pngOf(50_000, 50_000), pngOf(33_177_601, 1), await jpegOf(65_000, 65_000), await jpegOf(6_000, 5_530)]
  const before = process.memoryUsage.rss()
  const cpu = process.cpuUsage()
  for (const buffer of bombs) await assert.rejects(processImage({ buffer }), isRejectedAs('too-many-pixels'))
  const { user, system } = process.cpuUsage(cpu)
  assert.ok(process.memoryUsage.rss() - before < 20_000_000, 'memory')
  assert.ok(user + system < 500_000, `${user + system} µs`)
})

test('ME1: WebP and AVIF images with too many pixels are rejected', async () => {
  for (const buffer of [await largeWebp(), await avifOf(50_000, 50_000)]) {
    await assert.rejects(processImage({ buffer }), UnprocessableMediaError)
  }
})

test('ME5: an image that crashes the decoder is rejected, and the next one is accepted', async () => {
  const large = await noise(4_000, 3_000).jpeg().toBuffer()
  const small = await noise(16, 16).png().toBuffer()
  await processImage({ buffer: small })
  const refused = assert.rejects(processImage({ buffer: large }), isRejectedAs('damaged'))
  const decoders = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).trim().split(' ')
  assert.ok(decoders.length >= 1 && decoders.every((pid) => Number(pid) > 1))
  for (const pid of decoders) process.kill(Number(pid), 'SIGKILL')
  await refused
  assert.ok(await processImage({ buffer: small }))
})

test('an image with exactly the maximum of pixels is accepted', async () => {
  const limits = { maxInputPixels: 400 }
  await processImage({ buffer: await noise(20, 20).png().toBuffer(), limits })
  const larger = await noise(401, 1).png().toBuffer()
  await assert.rejects(processImage({ buffer: larger, limits }), isRejectedAs('too-many-pixels'))
})

test('ME1: a GIF with ten thousand frames or with too many pixels in all frames is rejected', async () => {
  const cases: [MediaFault, Buffer][] = [
    ['too-many-frames', gifOf({ frames: 10_000, width: 100, height: 100 })],
    ['too-many-frames', gifOf({ frames: 600_000, width: 100, height: 100 })],
    ['too-many-frames', gifOf({ frames: 301, width: 10, height: 10 })],
    ['too-many-pixels', gifOf({ frames: 37, width: 960, height: 960 })],
    ['too-many-pixels', gifOf({ frames: 1, width: 961, height: 960 })],
  ]
  for (const [fault, buffer] of cases) await assert.rejects(processImage({ buffer }), isRejectedAs(fault))
  const { original } = await processImage({ buffer: gifOf({ frames: 300, width: 10, height: 10 }) })
  assert.equal((await sharp(original.buffer).metadata()).width, 10)
})

test('a file with too many bytes is rejected without reading it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-decode-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'large')
  await writeFile(path, Buffer.alloc(imageLimits.maxBytes + 1))
  await assert.rejects(processImage({ path }), isRejectedAs('too-large'))
  await assert.rejects(
    processImage({ buffer: Buffer.alloc(101), limits: { maxBytes: 100 } }),
    isRejectedAs('too-large'),
  )
})

test('ME1, ME2: SVG, TIFF, PSD, HTML and scripts with the name of an image are rejected', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-decode-'))
  t.after(() => rm(folder, { recursive: true }))
  const files = [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"><rect/></svg>'),
    await noise(16, 16).tiff().toBuffer(),
    Buffer.from('3842505300010000000000000003000075300000753000080003', 'hex'),
    Buffer.from('<!doctype html><script>alert(1)</script>'),
    Buffer.from('alert(1)'),
    Buffer.from('{"@context":"https://www.w3.org/ns/activitystreams","type":"Note"}'),
  ]
  const path = join(folder, 'picture.png')
  for (const file of files) {
    await writeFile(path, file)
    await assert.rejects(processImage({ path }), UnsupportedMediaError)
  }
})

test('libvips has only the loaders of the five formats', async () => {
  const locked = await loadSharp()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  for (const buffer of [svg, await noise(16, 16).tiff().toBuffer()])
    await assert.rejects(locked(buffer).metadata(), /unsupported image format/)
})

test('ME2: only the image of a polyglot file is stored', async () => {
  const script = Buffer.from('*/=1;alert("polyglot")//<script>alert("polyglot")</script>')
  const png = await noise(16, 16).png().toBuffer()
  const gif = await noise(16, 16).gif().toBuffer()
  const jpeg = await noise(16, 16).jpeg().toBuffer()
  const webp = await noise(16, 16).webp().toBuffer()
  const length = Buffer.alloc(2)
  length.writeUInt16BE(script.length + 2)
  const gifTables = 13 + 3 * 2 ** ((gif[10]! & 7) + 1)
  const polyglots = [
    Buffer.concat([png, script]),
    Buffer.concat([png.subarray(0, 33), chunk('tEXt', Buffer.concat([Buffer.from('a\0'), script])), png.subarray(33)]),
    Buffer.concat([gif, script]),
    Buffer.concat([
      gif.subarray(0, gifTables),
      Buffer.from([0x21, 0xfe, script.length]),
      script,
      Buffer.from([0]),
      gif.subarray(gifTables),
    ]),
    Buffer.concat([jpeg.subarray(0, 2), Buffer.from('fffe', 'hex'), length, script, jpeg.subarray(2)]),
    Buffer.concat([jpeg, script]),
    Buffer.concat([webp, script]),
  ]
  for (const [index, buffer] of polyglots.entries()) {
    assert.ok(buffer.includes('polyglot'))
    const { original, small } = await processImage({ buffer })
    for (const picture of [original, small])
      for (const trace of ['polyglot', '<script', 'alert'])
        assert.ok(!picture.buffer.includes(trace), `${index}: ${trace}`)
  }
})

test('ME6: a truncated image is rejected without the message of the decoder', async () => {
  for (const format of formats) {
    const whole = await noise(200, 150).toFormat(format).toBuffer()
    for (const part of [0.2, 0.5, 0.9]) {
      const buffer = whole.subarray(0, Math.floor(whole.length * part))
      await assert.rejects(processImage({ buffer }), (error) => {
        assert.ok(isRejectedAs('damaged')(error), `${format} at ${part}`)
        return (error as Error).message === 'Validation failed: File is damaged or incomplete'
      })
    }
  }
})

test('an image with changed bytes is accepted or rejected as the client’s fault, without other errors', async () => {
  const wholes = await Promise.all(formats.map((format) => noise(24, 24).toFormat(format).toBuffer()))
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...wholes), changes, async (whole, list) => {
      const buffer = Buffer.from(whole)
      for (const [place, value] of list) buffer[place % buffer.length] = value
      const result = await makeImage({ source: { buffer }, limits: { maxInputPixels: 1_000_000 } }).catch(
        (error: unknown) => error,
      )
      assert.ok(!(result instanceof Error) || (result instanceof RequestError && result.status === 422), String(result))
    }),
    { numRuns: 150 },
  )
})

test('a bug in Linnet is not reported as the client’s fault', async () => {
  const buffer = await noise(8, 8).png().toBuffer()
  const work = decodeImage({ source: { buffer }, formats, limits: imageLimits }, () =>
    Promise.reject(new TypeError('ours')),
  )
  await assert.rejects(work, { name: 'TypeError', message: 'ours' })
  await assert.rejects(processImage({ path: '/nowhere/a.png' }), { code: 'ENOENT' })
})
