import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Small files that promise, or unpack to, far more than anybody should hold in memory. */

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const MB = 1_048_576

/** A chunk of a PNG. */
export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A sound PNG header in front of hardly any picture, or of these chunks. */
export function pngOf(
  width: number,
  height: number,
  chunks: readonly Buffer[] = [chunk('IDAT', deflateSync(Buffer.alloc(1000)))],
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  return Buffer.concat([PNG, chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))])
}

/** A whole picture of a few pixels, with so many megabytes of nothing packed into a place of its own. */
export function stuffedPng(place: 'iCCP' | 'zTXt' | 'IDAT', megabytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(megabytes * MB))
  const picture = chunk('IDAT', place === 'IDAT' ? packed : deflateSync(Buffer.alloc(8 * (8 * 4 + 1))))
  if (place === 'IDAT') return pngOf(8, 8, [picture])
  return pngOf(8, 8, [chunk(place, Buffer.concat([Buffer.from('bomb\0\0'), packed])), picture])
}

/** Frames of one pixel on a canvas of any size: 23 bytes each. */
export function gifOf({ frames, width, height }: { frames: number; width: number; height: number }): Buffer {
  const canvas = Buffer.alloc(4)
  canvas.writeUInt16LE(width, 0)
  canvas.writeUInt16LE(height, 2)
  const head = [Buffer.from('GIF89a'), canvas, Buffer.from('800000000000ffffff', 'hex')]
  const frame = Buffer.from('21f90400040000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([...head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')])
}

const dot = (width = 16, height = 16) => sharp({ create: { width, height, channels: 3, background: '#808080' } })

/** A JPEG of a few pixels whose header promises more. */
export async function jpegOf(width: number, height: number): Promise<Buffer> {
  const jpeg = await dot().jpeg().toBuffer()
  const frameHeader = jpeg.indexOf(Buffer.from('ffc0', 'hex'))
  jpeg.writeUInt16BE(height, frameHeader + 5)
  jpeg.writeUInt16BE(width, frameHeader + 7)
  return jpeg
}

/** A progressive JPEG whose last layer comes again and again: each time all of the picture is gone through. */
export async function layeredJpeg(layers: number): Promise<Buffer> {
  const jpeg = await dot(3_000, 3_000).jpeg({ progressive: true }).toBuffer()
  const last = jpeg.lastIndexOf(Buffer.from('ffda', 'hex'))
  const layer = jpeg.subarray(last, jpeg.length - 2)
  return Buffer.concat([jpeg.subarray(0, last), ...Array<Buffer>(layers).fill(layer), Buffer.from('ffd9', 'hex')])
}

function riffChunk(type: string, data: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)])
}

function threeBytes(...values: number[]): Buffer {
  const bytes = Buffer.alloc(3 * values.length)
  for (const [n, value] of values.entries()) bytes.writeUIntLE(value, 3 * n, 3)
  return bytes
}

/** An animation of small frames on a canvas of any size up to 16,384 each way. */
export async function webpOf({ frames, side }: { frames: number; side: number }): Promise<Buffer> {
  const still = await dot().webp({ lossless: true }).toBuffer()
  // Behind the container's header stands the frame's chunk.
  const frame = riffChunk('ANMF', Buffer.concat([threeBytes(0, 0, 15, 15, 40), Buffer.from([0]), still.subarray(12)]))
  const canvas = Buffer.concat([Buffer.from('02000000', 'hex'), threeBytes(side - 1, side - 1)])
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    riffChunk('VP8X', canvas),
    riffChunk('ANIM', Buffer.alloc(6)),
    ...Array<Buffer>(frames).fill(frame),
  ])
  return riffChunk('RIFF', body)
}

/** A still picture whose header promises 16,384 pixels each way. */
export async function largeWebp(): Promise<Buffer> {
  const webp = await dot().webp({ lossless: true }).toBuffer()
  // Behind the signature of VP8L: 14 bits of width, 14 of height, each one less than it is.
  webp.writeUInt32LE(((webp.readUInt32LE(21) & 0xf0000000) | 0x0fffffff) >>> 0, 21)
  return webp
}

export async function avifOf(width: number, height: number): Promise<Buffer> {
  const avif = await dot().avif().toBuffer()
  const size = avif.indexOf('ispe') + 8
  avif.writeUInt32BE(width, size)
  avif.writeUInt32BE(height, size + 4)
  return avif
}

/** A sound with this file as its cover. */
export function withCover(mp3: Buffer, cover: Buffer): Buffer {
  const picture = Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), cover])
  const head = Buffer.alloc(10)
  head.write('APIC')
  head.writeUInt32BE(picture.length, 4)
  const size = Buffer.from([21, 14, 7, 0].map((bits) => ((head.length + picture.length) >> bits) & 0x7f))
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), size, head, picture, mp3])
}

/** The same file with other numbers behind a name: `at` counts from the end of the name. */
export function patch(file: Buffer, name: string, changes: readonly { at: number; value: number }[]): Buffer {
  const changed = Buffer.from(file)
  for (let place = changed.indexOf(name); place >= 0; place = changed.indexOf(name, place + 1)) {
    for (const { at, value } of changes) changed.writeUInt32BE(value, place + name.length + at)
  }
  return changed
}

/** A FLAC that promises the most samples that it can: 36 bits of them. */
export function endlessFlac(flac: Buffer): Buffer {
  const changed = Buffer.from(flac)
  changed[21] = changed[21]! | 0x0f
  changed.fill(0xff, 22, 26)
  return changed
}

const AROUND_REFERENCES = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']

/** The same film, whose pictures and sounds lie in another file: `path` is what QuickTime calls an alias. */
export function referring(mp4: Buffer, path: string): Buffer {
  const record = Buffer.alloc(150)
  const type2 = Buffer.alloc(4)
  type2.writeUInt16BE(2, 0)
  type2.writeUInt16BE(Buffer.byteLength(path), 2)
  const end = Buffer.from('ffff0000', 'hex')
  const odd = Buffer.alloc(Buffer.byteLength(path) % 2)
  const data = Buffer.concat([Buffer.from('alis\0\0\0\0'), record, type2, Buffer.from(path), odd, end])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length + 4)
  const alias = Buffer.concat([size, data])
  let changed = mp4
  // Each stream has its own references, and none is nested in another: the last first, so that places stay.
  for (let at = mp4.lastIndexOf('dref'); at >= 0; at = mp4.lastIndexOf('dref', at - 1)) {
    // Behind the name: flags, the number of references, and the one to the file itself.
    const old = changed.readUInt32BE(at + 12)
    const grown = alias.length - old
    const outer = AROUND_REFERENCES.map((name) => changed.lastIndexOf(name, at))
    changed = Buffer.concat([changed.subarray(0, at + 12), alias, changed.subarray(at + 12 + old)])
    for (const place of outer) changed.writeUInt32BE(changed.readUInt32BE(place - 4) + grown, place - 4)
  }
  return changed
}
