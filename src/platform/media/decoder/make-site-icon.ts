import { imageLimits } from '../images/image-limits.ts'
import type { ImageFormat, MediaSource } from '../identify-media.ts'
import { SITE_ICON_SIDES } from '../images/rendition.ts'
import type { ProcessedSiteIcon } from '../images/rendition.ts'
import { decodeImage, loadSharp } from './decode-image.ts'
import { encodeRendition } from './encode-rendition.ts'

const formats: readonly ImageFormat[] = ['png', 'jpeg', 'webp', 'avif']

/**
 * Crops the centre of an image to squares, as PNG files with transparency. Enlarges a small image, since browsers and
 * apps rely on the declared sizes.
 * @throws UnsupportedMediaError, UnprocessableMediaError
 */
export function makeSiteIcon(source: MediaSource): Promise<ProcessedSiteIcon> {
  return decodeImage({ source, formats, limits: imageLimits }, async ({ decode }) => {
    const sharp = await loadSharp()
    const square = (side: number) => ({ width: side, height: side, fit: 'cover' }) as const
    const large = await encodeRendition(decode().resize(square(SITE_ICON_SIDES.large)), { format: 'png' })
    const shrink = (side: number) => encodeRendition(sharp(large.buffer).resize(square(side)), { format: 'png' })
    return { large, medium: await shrink(SITE_ICON_SIDES.medium), small: await shrink(SITE_ICON_SIDES.small) }
  })
}
