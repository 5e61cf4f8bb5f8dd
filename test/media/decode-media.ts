import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'

const run = promisify(execFile)

const MAX_BYTES = 64 * 1_048_576
/** The sample rate of decoded audio, in hertz. */
const SAMPLE_RATE = 16_000

/** Decoded pixels with three bytes each, on a white background. */
export interface Pixels {
  width: number
  height: number
  rgb: Buffer
}

/** Decodes an image, or the first frame of an animated one, optionally resized. */
export async function pixelsOf(file: Buffer, size?: { width: number; height: number }): Promise<Pixels> {
  const upright = sharp(file).autoOrient().flatten({ background: '#ffffff' }).toColourspace('srgb')
  const sized = size ? upright.resize({ ...size, fit: 'fill' }) : upright
  const { data, info } = await sized.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}

/** Reduces the number of pixels, which removes the artefacts of encoders at sharp edges. */
export async function downscale(pixels: Pixels, size: { width: number; height: number }): Promise<Pixels> {
  const { width, height, rgb } = pixels
  const small = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize({ ...size, fit: 'fill' })
    .raw()
    .toBuffer()
  return { ...size, rgb: small }
}

/** Returns the mean difference of the channels of two images of one size, from 0 to 255. */
export function meanDifference(one: Pixels, other: Pixels): number {
  if (one.rgb.length !== other.rgb.length) return Infinity
  let sum = 0
  // Images have a million values, for each of which `reduce` would call a function.
  for (let index = 0; index < one.rgb.length; index += 1) sum += Math.abs(one.rgb[index]! - other.rgb[index]!)
  return sum / one.rgb.length
}

/** Decodes the frames of a video. */
export async function framesOf(file: Buffer, { width, height }: { width: number; height: number }): Promise<Pixels[]> {
  const options = ['-map', '0:v:0', '-fps_mode', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'rgb24']
  const raw = await decode(file, options)
  const size = width * height * 3
  return Array.from({ length: raw.length / size }, (_none, n) => {
    return { width, height, rgb: raw.subarray(n * size, (n + 1) * size) }
  })
}

/** Decodes audio; returns its duration, the pitch of a single tone, and the mean square of the samples, from 0 to 1. */
export async function analyseAudio(file: Buffer): Promise<{ seconds: number; hertz: number; loudness: number }> {
  const raw = await decode(file, ['-map', '0:a:0', '-f', 's16le', '-ac', '1', '-ar', String(SAMPLE_RATE)])
  const samples = new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length - (raw.length % 2)))
  // Encoders may add silence at both ends.
  const middle = samples.slice(samples.length * 0.2, samples.length * 0.8)
  const crossings = middle.reduce((count, one, n) => count + (n > 0 && middle[n - 1]! < 0 && one >= 0 ? 1 : 0), 0)
  const squares = middle.reduce((sum, one) => sum + (one / 32_768) ** 2, 0)
  return {
    seconds: samples.length / SAMPLE_RATE,
    hertz: (crossings * SAMPLE_RATE) / middle.length,
    loudness: squares / middle.length,
  }
}

async function decode(file: Buffer, options: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-decoded-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, file)
    const command = ['-nostdin', '-v', 'error', '-i', path, ...options, 'pipe:1']
    return (await run('ffmpeg', command, { encoding: 'buffer', maxBuffer: MAX_BYTES })).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}
