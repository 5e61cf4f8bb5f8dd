import { fitArea } from '../images/fit-area.ts'
import { imageLimits } from '../images/image-limits.ts'
import type { ImageLimits } from '../images/image-limits.ts'
import type { ImageFormat, MediaSource } from '../identify-media.ts'
import { imageSizeOf } from '../images/rendition.ts'
import type { ProcessedImage } from '../images/rendition.ts'
import { decodeImage, loadSharp } from './decode-image.ts'
import { encodeRendition, stillFormat, storedFormat } from './encode-rendition.ts'
import { pickColours } from './pick-colours.ts'
import { blurhashOf, samplePixels } from './sample-pixels.ts'

const formats: readonly ImageFormat[] = ['jpeg', 'png', 'gif', 'webp', 'avif']

/**
 * Creates the stored image and the preview of an uploaded image. Always re-encodes it, which removes metadata and
 * hidden files. The untrusted bytes are decoded only once: the preview and the blurhash are created from the encoded
 * image.
 * @throws UnsupportedMediaError, UnprocessableMediaError
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
      blurhash: blurhashOf(sample),
      colours: pickColours(sample),
      meta: { original: imageSizeOf(original), small: imageSizeOf(small) },
    }
  })
}
