import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Small files that declare or contain far more data than a decoder may hold in memory. */

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const MB = 1_048_576

/** Creates a chunk of a PNG. */
export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Creates a PNG with a valid header and little image data, or these chunks. */
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

/**
 * Compresses megabytes of zeros. Every megabyte is compressed to the same bytes after a full flush, so that only the
 * first one is really compressed.
 */
function deflateZeros(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(MB), { finishFlush: constants.Z_FULL_FLUSH })
  // Adler-32 of zeros: the first sum remains 1, and the second one counts the bytes.
  const sum = Buffer.alloc(4)
  sum.writeUInt16BE((megabytes * MB) % 65_521, 0)
  sum.writeUInt16BE(1, 2)
  const lastBlock = deflateRawSync(Buffer.alloc(0))
  return Buffer.concat([Buffer.from('789c', 'hex'), ...Array<Buffer>(megabytes).fill(block), lastBlock, sum])
}

/** Creates a complete PNG of a few pixels with a chunk of this type that decompresses to many megabytes. */
export function pngWithLargeChunk(type: 'iCCP' | 'zTXt' | 'IDAT', megabytes: number): Buffer {
  const packed = deflateZeros(megabytes)
  const imageData = chunk('IDAT', type === 'IDAT' ? packed : deflateSync(Buffer.alloc(8 * (8 * 4 + 1))))
  if (type === 'IDAT') return pngOf(8, 8, [imageData])
  return pngOf(8, 8, [chunk(type, Buffer.concat([Buffer.from('bomb\0\0'), packed])), imageData])
}

/** Creates a GIF with frames of one pixel, 23 bytes each, on a canvas of any size. */
export function gifOf({ frames, width, height }: { frames: number; width: number; height: number }): Buffer {
  const canvas = Buffer.alloc(4)
  canvas.writeUInt16LE(width, 0)
  canvas.writeUInt16LE(height, 2)
  const head = [Buffer.from('GIF89a'), canvas, Buffer.from('800000000000ffffff', 'hex')]
  const frame = Buffer.from('21f90400040000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([...head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')])
}

const dot = (width = 16, height = 16) => sharp({ create: { width, height, channels: 3, background: '#808080' } })

/** Creates a JPEG of a few pixels whose header declares this size. */
export async function jpegOf(width: number, height: number): Promise<Buffer> {
  const jpeg = await dot().jpeg().toBuffer()
  const frameHeader = jpeg.indexOf(Buffer.from('ffc0', 'hex'))
  jpeg.writeUInt16BE(height, frameHeader + 5)
  jpeg.writeUInt16BE(width, frameHeader + 7)
  return jpeg
}

/** Creates a progressive JPEG that repeats its last scan; a decoder processes the whole image for each scan. */
export async function jpegWithManyScans(scans: number): Promise<Buffer> {
  const jpeg = await dot(3_000, 3_000).jpeg({ progressive: true }).toBuffer()
  const last = jpeg.lastIndexOf(Buffer.from('ffda', 'hex'))
  const scan = jpeg.subarray(last, jpeg.length - 2)
  return Buffer.concat([jpeg.subarray(0, last), ...Array<Buffer>(scans).fill(scan), Buffer.from('ffd9', 'hex')])
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

/** Creates an animation of small frames on a square canvas of up to 16,384 pixels per side. */
export async function webpOf({ frames, side }: { frames: number; side: number }): Promise<Buffer> {
  const still = await dot().webp({ lossless: true }).toBuffer()
  // The chunk of the frame follows the header of the container.
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

/** Creates a still image whose header declares 16,384 pixels per side. */
export async function largeWebp(): Promise<Buffer> {
  const webp = await dot().webp({ lossless: true }).toBuffer()
  // The signature of VP8L is followed by 14 bits for the width and 14 for the height, each minus one.
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

/** Creates an MP3 with this file as its cover. */
export function mp3WithCover(mp3: Buffer, cover: Buffer): Buffer {
  const frame = Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), cover])
  const head = Buffer.alloc(10)
  head.write('APIC')
  head.writeUInt32BE(frame.length, 4)
  const size = Buffer.from([21, 14, 7, 0].map((bits) => ((head.length + frame.length) >> bits) & 0x7f))
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), size, head, frame, mp3])
}

/** Returns the file with other numbers after each occurrence of a name: `at` counts from the end of the name. */
export function patchBytes(file: Buffer, name: string, changes: readonly { at: number; value: number }[]): Buffer {
  const changed = Buffer.from(file)
  for (let offset = changed.indexOf(name); offset >= 0; offset = changed.indexOf(name, offset + 1)) {
    for (const { at, value } of changes) changed.writeUInt32BE(value, offset + name.length + at)
  }
  return changed
}

/** Returns a FLAC file that declares the largest possible number of samples, 36 bits. */
export function flacWithMaxSamples(flac: Buffer): Buffer {
  const changed = Buffer.from(flac)
  changed[21] = changed[21]! | 0x0f
  changed.fill(0xff, 22, 26)
  return changed
}

/** The boxes that contain `dref`, whose sizes change with it. */
const ENCLOSING_BOXES = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']

/** Returns a video whose data is in another file: `path` is what QuickTime calls an alias. */
export function mp4WithExternalData(mp4: Buffer, path: string): Buffer {
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
  // Each stream has its own references, which are not nested. The last is replaced first, so that offsets stay valid.
  for (let at = mp4.lastIndexOf('dref'); at >= 0; at = mp4.lastIndexOf('dref', at - 1)) {
    // After the name: flags, the number of references, and the reference to the file itself.
    const old = changed.readUInt32BE(at + 12)
    const grown = alias.length - old
    const outer = ENCLOSING_BOXES.map((name) => changed.lastIndexOf(name, at))
    changed = Buffer.concat([changed.subarray(0, at + 12), alias, changed.subarray(at + 12 + old)])
    for (const offset of outer) changed.writeUInt32BE(changed.readUInt32BE(offset - 4) + grown, offset - 4)
  }
  return changed
}
