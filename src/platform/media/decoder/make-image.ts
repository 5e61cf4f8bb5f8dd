import { encode } from 'blurhash'
import { fitArea } from '../fit-area.ts'
import { imageLimits } from '../image-limits.ts'
import type { ImageLimits } from '../image-limits.ts'
import type { ImageFormat, MediaSource } from '../probe.ts'
import { sizeOf } from '../rendition.ts'
import type { ProcessedImage } from '../rendition.ts'
import { decodeImage, loadSharp } from './decode.ts'
import { encodeRendition, stillFormat, storedFormat } from './encode.ts'
import { pickColours } from './pick-colours.ts'

const formats: readonly ImageFormat[] = ['jpeg', 'png', 'gif', 'webp', 'avif']
const BLURHASH_COMPONENTS = 4
/** A blurhash keeps a few waves, and a picture has few main colours: more pixels than these would change neither. */
const SAMPLE_SIDE = 32

/**
 * Makes what a post shows of an uploaded picture. It is always encoded anew, so that nothing but the picture itself
 * stays: no metadata, no hidden second file. The foreign bytes are decoded once; the preview and the blurhash come from
 * our own encoding. Refuses with `UnsupportedMedia` or `MediaUnprocessable`.
 */
export function makeImage(input: {
  source: MediaSource
  limits?: Partial<ImageLimits> | undefined
}): Promise<ProcessedImage> {
  const limits = { ...imageLimits, ...input.limits }
  return decodeImage({ source: input.source, formats, limits }, async ({ format, dimensions, decode }) => {
    const stored = fitArea(dimensions, { maxPixels: limits.maxStoredPixels })
    const resized = decode().resize({ ...stored, fit: 'fill' })
    const original = await encodeRendition(resized, { format: storedFormat(format) })

    const sharp = await loadSharp()
    const preview = fitArea(original, { maxPixels: limits.maxPreviewPixels })
    const reduced = sharp(original.buffer).resize({ ...preview, fit: 'fill' })
    const small = await encodeRendition(reduced, { format: stillFormat(format) })

    const sample = await samplePixels(small.buffer)
    return {
      original,
      small,
      blurhash: encode(sample, SAMPLE_SIDE, SAMPLE_SIDE, BLURHASH_COMPONENTS, BLURHASH_COMPONENTS),
      colours: pickColours(sample),
      meta: { original: sizeOf(original), small: sizeOf(small) },
    }
  })
}

/** Four bytes for each of a few pixels, on white where the picture is transparent. */
async function samplePixels(picture: Buffer): Promise<Uint8ClampedArray> {
  const sharp = await loadSharp()
  const pixels = await sharp(picture)
    .resize(SAMPLE_SIDE, SAMPLE_SIDE, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
  return new Uint8ClampedArray(pixels)
}
