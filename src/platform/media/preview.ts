import { decodeImage, loadSharp } from './decode.ts'
import { fitArea } from './fit-area.ts'
import { imageLimits } from './image.ts'
import type { ImageFormat, MediaSource } from './probe.ts'
import type { Rendition } from './rendition.ts'
import { encodeRendition, stillFormat } from './rendition.ts'

const formats: readonly ImageFormat[] = ['jpeg', 'png', 'gif', 'webp', 'avif']
const DECODE_TIMEOUT_SECONDS = 60

/**
 * Makes a small picture that stands still, of a picture that is kept as it is. Refuses with `UnsupportedMedia` or
 * `MediaUnprocessable`.
 */
export function processPreview(source: MediaSource): Promise<Rendition> {
  return decodeImage({ source, formats, limits: imageLimits }, async ({ format, dimensions }) => {
    const sharp = await loadSharp()
    const { maxInputPixels, maxPreviewPixels } = imageLimits
    // The first frame alone: an animation need not be decoded for it.
    const first = sharp('path' in source ? source.path : source.buffer, {
      failOn: 'error',
      limitInputPixels: maxInputPixels,
    })
    const reduced = first
      .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ ...fitArea(dimensions, { maxPixels: maxPreviewPixels }), fit: 'fill' })
    return encodeRendition(reduced, { format: stillFormat(format) })
  })
}

/**
 * Looks at a picture that is kept as it is: its header may not promise more than browsers can bear. Refuses as
 * `processPreview`.
 */
export async function checkImage(source: MediaSource): Promise<void> {
  await decodeImage({ source, formats, limits: imageLimits }, async () => {})
}
