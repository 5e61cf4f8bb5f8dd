import type { Dimensions } from '../images/fit-area.ts'
import { imageLimits } from '../images/image-limits.ts'
import type { ImageFormat, MediaSource } from '../identify-media.ts'
import { largestCoverSize } from '../images/fit-area.ts'
import type { ProcessedThumbnail } from '../images/rendition.ts'
import { decodeImage, loadSharp } from './decode-image.ts'
import { encodeRendition } from './encode-rendition.ts'
import { computeBlurhash } from './sample-pixels.ts'

/** The size that link previews show completely. */
const NORMAL: Dimensions = { width: 1200, height: 630 }
const LARGE: Dimensions = { width: 2400, height: 1260 }
const formats: readonly ImageFormat[] = ['jpeg', 'png', 'webp', 'avif']

/**
 * Crops the centre of an image to 1200 × 630 and 2400 × 1260, without enlarging it. Both are JPEG files, because not
 * all programs that show link previews read other formats.
 * @throws UnsupportedMediaError, UnprocessableMediaError
 */
export function makeThumbnail(source: MediaSource): Promise<ProcessedThumbnail> {
  return decodeImage({ source, formats, limits: imageLimits }, async ({ dimensions, decode }) => {
    const hasLarge = dimensions.width >= LARGE.width && dimensions.height >= LARGE.height
    const size = hasLarge ? LARGE : largestCoverSize(dimensions, NORMAL)
    const cropped = await encodeRendition(decode().resize({ ...size, fit: 'cover' }), { format: 'jpeg' })
    const sharp = await loadSharp()
    const normal = hasLarge
      ? await encodeRendition(sharp(cropped.buffer).resize({ ...NORMAL, fit: 'fill' }), { format: 'jpeg' })
      : cropped
    return { normal, large: hasLarge ? cropped : null, blurhash: await computeBlurhash(normal.buffer) }
  })
}
