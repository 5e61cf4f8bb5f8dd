import type { Metadata, Sharp } from 'sharp'
import type { Dimensions } from '../fit-area.ts'
import { MAX_GIF_PIXELS } from '../image-limits.ts'
import type { InputLimits } from '../image-limits.ts'
import type { ImageFormat, MediaSource } from '../probe.ts'
import { identify } from '../probe.ts'
import { MediaUnprocessable, refuseDamaged, UnsupportedMedia } from '../refusals.ts'

const MAX_FRAMES = 300
const DECODE_TIMEOUT_SECONDS = 60

export interface OpenedImage {
  format: ImageFormat
  /** As seen: after the rotation that the file asks for. */
  dimensions: Dimensions
  animated: boolean
  /** A fresh pipeline, upright, all frames of an animation. Colours become sRGB and metadata is left out at its end. */
  decode: () => Sharp
}

/** What a file's header tells, before anything is decoded. */
export interface ImageHeader {
  format: ImageFormat
  /** As stored, of one frame. */
  dimensions: Dimensions
  frames: number
  /** What a decoder that cannot work line by line will hold. */
  decoderBytes: number
}

/** Reads a file's header. Refuses with `UnsupportedMedia` what is no picture, and with `MediaUnprocessable` a broken one. */
export async function readHeader(source: MediaSource): Promise<ImageHeader> {
  const { header, format } = await openHeader(source)
  const frames = format === 'gif' || format === 'webp' ? (header.pages ?? 1) : 1
  const dimensions = { width: header.width, height: header.height }
  return { format, dimensions, frames, decoderBytes: decoderBytes(header, format) }
}

/**
 * Checks the file by its content and its header and hands the picture to `work`. Refuses with `UnsupportedMedia` what is
 * not of one of `formats`, and with `MediaUnprocessable` what is too large or fails in `work`.
 */
export async function decodeImage<T>(
  input: { source: MediaSource; formats: readonly ImageFormat[]; limits: InputLimits },
  work: (image: OpenedImage) => Promise<T>,
): Promise<T> {
  const { source, limits } = input
  const { header, format, sharp, file } = await openHeader(source)
  if (!input.formats.includes(format)) throw new UnsupportedMedia()
  const animated = (format === 'gif' || format === 'webp') && (header.pages ?? 1) > 1
  checkHeader({ header, format, animated, limits })

  const options = { failOn: 'error', limitInputPixels: limits.maxInputPixels, animated } as const
  const decode = () => {
    const pipeline = sharp(file, options).timeout({ seconds: DECODE_TIMEOUT_SECONDS })
    return animated ? pipeline : pipeline.autoOrient()
  }
  const dimensions = animated ? { width: header.width, height: header.height } : header.autoOrient
  return soundly(() => work({ format, dimensions, animated, decode }))
}

async function openHeader(source: MediaSource) {
  const kind = await identify(source)
  if (kind.type !== 'image') throw new UnsupportedMedia()
  const sharp = await loadSharp()
  const file = 'path' in source ? source.path : source.buffer
  const options = { failOn: 'error', limitInputPixels: false } as const
  const header = await soundly(() => sharp(file, options).metadata())
  if (header.format !== (kind.format === 'avif' ? 'heif' : kind.format)) throw new UnsupportedMedia()
  return { header, format: kind.format, sharp, file }
}

type SharpModule = (typeof import('sharp'))['default']
let sharpModule: Promise<SharpModule> | undefined

/**
 * Loaded on first use: a process that handles no media shall not pay for it. One thread for each picture and no cache
 * keep memory low; every loader but the five is locked, whatever a file's bytes make libvips believe.
 */
export function loadSharp(): Promise<SharpModule> {
  return (sharpModule ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    const loaders = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif']
    sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) })
    return sharp
  }))
}

function checkHeader(input: { header: Metadata; format: ImageFormat; animated: boolean; limits: InputLimits }) {
  const { header, format, animated, limits } = input
  const frames = animated ? (header.pages ?? 1) : 1
  if (frames > MAX_FRAMES) throw refuse('too-many-frames', `${frames} frames are more than the ${MAX_FRAMES} allowed`)
  const pixels = header.width * header.height
  const size = `${header.width}x${header.height}`
  if (format === 'gif' && pixels > MAX_GIF_PIXELS)
    throw refuse('too-many-pixels', `${size} GIF files are not supported`)
  if (pixels * frames > limits.maxInputPixels)
    throw refuse('too-many-pixels', `${size} ${frames > 1 ? 'animations' : 'images'} are not supported`)
}

/** What a decoder needs beyond a few lines, as measured: AVIF 18 bytes a pixel, interlaced PNG and progressive JPEG 8. */
function decoderBytes(header: Metadata, format: ImageFormat): number {
  const pixels = header.width * header.height
  if (format === 'avif') return pixels * 18
  return header.isProgressive ? pixels * 8 : 0
}

/**
 * Every failure of the decoder or encoder is the file's, and its text is not for people. libvips reports plain errors;
 * a subclass, such as a TypeError, is a mistake of ours.
 */
async function soundly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof Error) || cause.constructor !== Error) throw cause
    throw refuseDamaged(cause)
  }
}

function refuse(fault: 'too-many-pixels' | 'too-many-frames', text: string) {
  return new MediaUnprocessable({ fault, text })
}
