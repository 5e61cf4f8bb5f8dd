import { fitArea } from '../images/fit-area.ts'
import { imageLimits } from '../images/image-limits.ts'
import type { ImageFormat, MediaSource } from '../identify-media.ts'
import type { Rendition } from '../images/rendition.ts'
import { decodeImage, loadSharp } from './decode-image.ts'
import { encodeRendition, stillFormat } from './encode-rendition.ts'

const formats: readonly ImageFormat[] = ['jpeg', 'png', 'gif', 'webp', 'avif']

/** Creates a small static image. @throws UnsupportedMediaError, UnprocessableMediaError */
export function makePreview(source: MediaSource): Promise<{ small: Rendition }> {
  return decodeImage({ source, formats, limits: imageLimits }, async ({ format, dimensions }) => {
    const sharp = await loadSharp()
    const { maxInputPixels, maxPreviewPixels } = imageLimits
    // Only the first frame, so that an animation is not decoded completely.
    const first = sharp('path' in source ? source.path : source.buffer, {
      failOn: 'error',
      limitInputPixels: maxInputPixels,
    })
    const reduced = first.autoOrient().resize({ ...fitArea(dimensions, { maxPixels: maxPreviewPixels }), fit: 'fill' })
    return { small: await encodeRendition(reduced, { format: stillFormat(format) }) }
  })
}

/** Checks the limits in the header of an image without decoding it. @throws like `makePreview` */
export function checkImageHeader(source: MediaSource): Promise<object> {
  return decodeImage({ source, formats, limits: imageLimits }, async () => ({}))
}
