import type { Metadata, Sharp } from 'sharp'
import type { Dimensions } from '../images/fit-area.ts'
import { MAX_GIF_PIXELS } from '../images/image-limits.ts'
import type { InputLimits } from '../images/image-limits.ts'
import type { ImageFormat, MediaSource } from '../identify-media.ts'
import { identifyMedia } from '../identify-media.ts'
import { UnprocessableMediaError, damagedMediaError, UnsupportedMediaError } from '../media-errors.ts'

const MAX_FRAMES = 300
const DECODE_TIMEOUT_SECONDS = 60

export interface OpenedImage {
  format: ImageFormat
  /** After the rotation that the metadata of the file requires. */
  dimensions: Dimensions
  animated: boolean
  /** Returns a new pipeline: rotated, with all frames of an animation. Its output is sRGB without metadata. */
  decode: () => Sharp
}

/** The properties in the header of a file, before decoding. */
export interface ImageHeader {
  format: ImageFormat
  /** Of one frame, before rotation. */
  dimensions: Dimensions
  frames: number
  /** The memory that a decoder needs if it cannot work line by line, in bytes. */
  decoderBytes: number
}

/** Reads the header of an image. @throws UnsupportedMediaError if it is no image, UnprocessableMediaError if damaged */
export async function readHeader(source: MediaSource): Promise<ImageHeader> {
  const { header, format } = await openHeader(source)
  const frames = format === 'gif' || format === 'webp' ? (header.pages ?? 1) : 1
  const dimensions = { width: header.width, height: header.height }
  return { format, dimensions, frames, decoderBytes: decoderBytes(header, format) }
}

/**
 * Checks the content and the header of a file and calls `work` with the image.
 * @throws UnsupportedMediaError if its format is not in `formats`
 * @throws UnprocessableMediaError if it is too large or decoding fails in `work`
 */
export async function decodeImage<T>(
  input: { source: MediaSource; formats: readonly ImageFormat[]; limits: InputLimits },
  work: (image: OpenedImage) => Promise<T>,
): Promise<T> {
  const { source, limits } = input
  const { header, format, sharp, file } = await openHeader(source)
  if (!input.formats.includes(format)) throw new UnsupportedMediaError()
  const animated = (format === 'gif' || format === 'webp') && (header.pages ?? 1) > 1
  checkHeader({ header, format, animated, limits })

  const options = { failOn: 'error', limitInputPixels: limits.maxInputPixels, animated } as const
  const decode = () => {
    const pipeline = sharp(file, options).timeout({ seconds: DECODE_TIMEOUT_SECONDS })
    return animated ? pipeline : pipeline.autoOrient()
  }
  const dimensions = animated ? { width: header.width, height: header.height } : header.autoOrient
  return mapDecoderErrors(() => work({ format, dimensions, animated, decode }))
}

async function openHeader(source: MediaSource) {
  const kind = await identifyMedia(source)
  if (kind.type !== 'image') throw new UnsupportedMediaError()
  const sharp = await loadSharp()
  const file = 'path' in source ? source.path : source.buffer
  const options = { failOn: 'error', limitInputPixels: false } as const
  const header = await mapDecoderErrors(() => sharp(file, options).metadata())
  if (header.format !== (kind.format === 'avif' ? 'heif' : kind.format)) throw new UnsupportedMediaError()
  return { header, format: kind.format, sharp, file }
}

type SharpModule = (typeof import('sharp'))['default']
let sharpModule: Promise<SharpModule> | undefined

/**
 * Loads sharp at the first use, because most processes do not need it. One thread per image and no cache limit the
 * memory. All loaders of libvips except these five are blocked, so that a file cannot select another one.
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
  if (frames > MAX_FRAMES)
    throw mediaError('too-many-frames', `${frames} frames are more than the ${MAX_FRAMES} allowed`)
  const pixels = header.width * header.height
  const size = `${header.width}x${header.height}`
  if (format === 'gif' && pixels > MAX_GIF_PIXELS)
    throw mediaError('too-many-pixels', `${size} GIF files are not supported`)
  if (pixels * frames > limits.maxInputPixels)
    throw mediaError('too-many-pixels', `${size} ${frames > 1 ? 'animations' : 'images'} are not supported`)
}

/** Memory of decoders that need the complete image. Measured per pixel: AVIF 18 bytes, interlaced PNG and JPEG 8. */
function decoderBytes(header: Metadata, format: ImageFormat): number {
  const pixels = header.width * header.height
  if (format === 'avif') return pixels * 18
  return header.isProgressive ? pixels * 8 : 0
}

/**
 * Converts errors of the decoder or encoder, which mean that the file is damaged, and whose texts are not for users.
 * libvips throws plain errors. A subclass, such as TypeError, is a bug in Linnet and is rethrown.
 */
async function mapDecoderErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof Error) || cause.constructor !== Error) throw cause
    throw damagedMediaError(cause)
  }
}

function mediaError(fault: 'too-many-pixels' | 'too-many-frames', text: string) {
  return new UnprocessableMediaError({ fault, text })
}
