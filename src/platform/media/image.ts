import { encode } from 'blurhash'
import type { InputLimits } from './decode.ts'
import { decodeImage, loadSharp } from './decode.ts'
import type { Dimensions } from './fit-area.ts'
import { fitArea } from './fit-area.ts'
import type { ImageFormat, MediaSource } from './probe.ts'
import type { Rendition } from './rendition.ts'
import { encodeRendition, stillFormat, storedFormat } from './rendition.ts'

export interface ImageLimits extends InputLimits {
  /** Pixels of what is kept, of one frame in an animation. */
  maxStoredPixels: number
  maxPreviewPixels: number
}

/** Mastodon's limits; clients read them from the instance. */
export const imageLimits: ImageLimits = {
  maxBytes: 16 * 1_048_576,
  maxInputPixels: 33_177_600,
  maxStoredPixels: 8_294_400,
  maxPreviewPixels: 230_400,
}

export interface ImageSize extends Dimensions {
  /** Such as `640x480`. */
  size: string
  /** Width by height. */
  aspect: number
}

export interface ProcessedImage {
  /** Keeps the frames of an animated GIF or WebP; its dimensions are those of one frame. */
  original: Rendition
  /** Stands still. */
  small: Rendition
  blurhash: string
  meta: { original: ImageSize; small: ImageSize }
}

const formats: readonly ImageFormat[] = ['jpeg', 'png', 'gif', 'webp', 'avif']
const BLURHASH_COMPONENTS = 4
/** A blurhash keeps a few waves: more pixels than these would change none of them. */
const BLURHASH_SAMPLE_PIXELS = 32

/**
 * Makes what a post shows of an uploaded picture. It is always encoded anew, so that nothing but the picture itself
 * stays: no metadata, no hidden second file. The foreign bytes are decoded once; the preview and the blurhash come from
 * our own encoding. Refuses with `UnsupportedMedia` or `MediaUnprocessable`.
 */
export function processImage(input: MediaSource & { limits?: Partial<ImageLimits> }): Promise<ProcessedImage> {
  const limits = { ...imageLimits, ...input.limits }
  return decodeImage({ source: input, formats, limits }, async ({ format, dimensions, decode }) => {
    const stored = fitArea(dimensions, { maxPixels: limits.maxStoredPixels })
    const resized = decode().resize({ ...stored, fit: 'fill' })
    const original = await encodeRendition(resized, { format: storedFormat(format) })

    const sharp = await loadSharp()
    const preview = fitArea(original, { maxPixels: limits.maxPreviewPixels })
    const reduced = sharp(original.buffer).resize({ ...preview, fit: 'fill' })
    const small = await encodeRendition(reduced, { format: stillFormat(format) })

    const blurhash = await blurhashOf(small.buffer)
    return { original, small, blurhash, meta: { original: sizeOf(original), small: sizeOf(small) } }
  })
}

async function blurhashOf(picture: Buffer): Promise<string> {
  const sharp = await loadSharp()
  const side = BLURHASH_SAMPLE_PIXELS
  const pixels = await sharp(picture)
    .resize(side, side, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
  return encode(new Uint8ClampedArray(pixels), side, side, BLURHASH_COMPONENTS, BLURHASH_COMPONENTS)
}

function sizeOf({ width, height }: Dimensions): ImageSize {
  return { width, height, size: `${width}x${height}`, aspect: width / height }
}
