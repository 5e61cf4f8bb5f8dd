import { fitArea } from '../fit-area.ts'
import { imageLimits } from '../image-limits.ts'
import type { ImageFormat, MediaSource } from '../probe.ts'
import type { Rendition } from '../rendition.ts'
import { decodeImage, loadSharp } from './decode.ts'
import { encodeRendition, stillFormat } from './encode.ts'

const formats: readonly ImageFormat[] = ['jpeg', 'png', 'gif', 'webp', 'avif']

/** Makes a small picture that stands still. Refuses with `UnsupportedMedia` or `MediaUnprocessable`. */
export function makePreview(source: MediaSource): Promise<{ small: Rendition }> {
  return decodeImage({ source, formats, limits: imageLimits }, async ({ format, dimensions }) => {
    const sharp = await loadSharp()
    const { maxInputPixels, maxPreviewPixels } = imageLimits
    // The first frame alone: an animation need not be decoded for it.
    const first = sharp('path' in source ? source.path : source.buffer, {
      failOn: 'error',
      limitInputPixels: maxInputPixels,
    })
    const reduced = first.autoOrient().resize({ ...fitArea(dimensions, { maxPixels: maxPreviewPixels }), fit: 'fill' })
    return { small: await encodeRendition(reduced, { format: stillFormat(format) }) }
  })
}

/** Looks at the header alone: it may not promise more than browsers can bear. Refuses as `makePreview`. */
export function checkImage(source: MediaSource): Promise<object> {
  return decodeImage({ source, formats, limits: imageLimits }, async () => ({}))
}
