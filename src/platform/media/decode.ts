import { stat } from 'node:fs/promises'
import type { Metadata, Sharp } from 'sharp'
import type { Dimensions } from './fit-area.ts'
import type { ImageFormat, MediaSource } from './probe.ts'
import { identify } from './probe.ts'
import { MediaUnprocessable, UnsupportedMedia } from './refusals.ts'
import { takeTurns } from './take-turns.ts'

export interface InputLimits {
  maxBytes: number
  /** Pixels of one picture; of an animation, those of all its frames together. */
  maxInputPixels: number
}

/** The size of a GIF's canvas is limited further: its frames are decoded one upon the other. */
const MAX_GIF_PIXELS = 921_600
const MAX_FRAMES = 300
const DECODE_TIMEOUT_SECONDS = 60

/** Two pictures at once: of the four threads that Node has for files, names and passwords, two stay free. */
const PLACES = 2
const inTurn = takeTurns({ places: PLACES })
/** Decoders that cannot work line by line hold the whole picture: above this they run alone. */
const MAX_SHARED_DECODER_BYTES = 100_000_000

export interface OpenedImage {
  format: ImageFormat
  /** As seen: after the rotation that the file asks for. */
  dimensions: Dimensions
  animated: boolean
  /** A fresh pipeline, upright, all frames of an animation. Colours become sRGB and metadata is left out at its end. */
  decode: () => Sharp
}

/**
 * Checks the file by its content and its header, waits for a place, and hands the picture to `work`. Refuses with
 * `UnsupportedMedia` what is not of one of `formats`, and with `MediaUnprocessable` what is too large or fails in `work`.
 */
export async function decodeImage<T>(
  input: { source: MediaSource; formats: readonly ImageFormat[]; limits: InputLimits },
  work: (image: OpenedImage) => Promise<T>,
): Promise<T> {
  const { source, limits } = input
  const bytes = 'path' in source ? (await stat(source.path)).size : source.buffer.length
  if (bytes > limits.maxBytes) throw refuse('too-large', `size must be less than ${limits.maxBytes / 1_048_576} MB`)
  const { format } = await identify(source)
  if (!input.formats.includes(format)) throw new UnsupportedMedia()

  const sharp = await loadSharp()
  const file = 'path' in source ? source.path : source.buffer
  const forHeader = { failOn: 'error', limitInputPixels: false } as const
  const header = await inTurn({ places: 1 }, () => soundly(() => sharp(file, forHeader).metadata()))
  const animated = (format === 'gif' || format === 'webp') && (header.pages ?? 1) > 1
  checkHeader({ header, format, animated, limits })

  const options = { failOn: 'error', limitInputPixels: limits.maxInputPixels, animated } as const
  const decode = () => {
    const pipeline = sharp(file, options).timeout({ seconds: DECODE_TIMEOUT_SECONDS })
    return animated ? pipeline : pipeline.autoOrient()
  }
  const dimensions = animated ? { width: header.width, height: header.height } : header.autoOrient
  const places = decoderBytes(header, format) > MAX_SHARED_DECODER_BYTES ? PLACES : 1
  return inTurn({ places }, () => soundly(() => work({ format, dimensions, animated, decode })))
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
  if (header.format !== (format === 'avif' ? 'heif' : format)) throw new UnsupportedMedia()
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
    throw new MediaUnprocessable({ fault: 'damaged', text: 'is damaged or incomplete', cause })
  }
}

function refuse(fault: 'too-large' | 'too-many-pixels' | 'too-many-frames', text: string) {
  return new MediaUnprocessable({ fault, text })
}
