import { largestCoverSize } from '../images/fit-area.ts'
import type { Dimensions } from '../images/fit-area.ts'
import { imageLimits, profileImageMaxBytes } from '../images/image-limits.ts'
import type { ImageFormat, MediaSource } from '../identify-media.ts'
import type { ProcessedIcon } from '../images/rendition.ts'
import { decodeImage, loadSharp } from './decode-image.ts'
import type { OpenedImage } from './decode-image.ts'
import { encodeRendition, storedFormat } from './encode-rendition.ts'

const AVATAR: Dimensions = { width: 400, height: 400 }
const HEADER: Dimensions = { width: 1500, height: 500 }
const formats: readonly ImageFormat[] = ['jpeg', 'png', 'gif', 'webp']

/**
 * Crops the centre of an image to 400 × 400. Smaller images are enlarged, but not animations, because each of their
 * frames would become larger.
 * @throws UnsupportedMediaError, UnprocessableMediaError
 */
export function makeAvatar(source: MediaSource): Promise<ProcessedIcon> {
  return makeCropped(source, ({ dimensions, animated }) => (animated ? largestCoverSize(dimensions, AVATAR) : AVATAR))
}

/** Crops the centre of an image to 3:1, at most 1500 × 500, without enlarging it. @throws like `makeAvatar` */
export function makeProfileHeader(source: MediaSource): Promise<ProcessedIcon> {
  return makeCropped(source, ({ dimensions }) => largestCoverSize(dimensions, HEADER))
}

function makeCropped(source: MediaSource, target: (image: OpenedImage) => Dimensions): Promise<ProcessedIcon> {
  const limits = { maxBytes: profileImageMaxBytes, maxInputPixels: imageLimits.maxInputPixels }
  return decodeImage({ source, formats, limits }, async (image) => {
    const cropped = image.decode().resize({ ...target(image), fit: 'cover' })
    const original = await encodeRendition(cropped, { format: storedFormat(image.format) })
    if (!image.animated) return { original, static: null }
    const sharp = await loadSharp()
    return { original, static: await encodeRendition(sharp(original.buffer), { format: 'png' }) }
  })
}
