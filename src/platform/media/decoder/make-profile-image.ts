import type { Dimensions } from '../fit-area.ts'
import { imageLimits, profileImageMaxBytes } from '../image-limits.ts'
import type { ImageFormat, MediaSource } from '../probe.ts'
import type { ProcessedIcon } from '../rendition.ts'
import { decodeImage, loadSharp } from './decode.ts'
import type { OpenedImage } from './decode.ts'
import { encodeRendition, storedFormat } from './encode.ts'

const AVATAR: Dimensions = { width: 400, height: 400 }
const HEADER: Dimensions = { width: 1500, height: 500 }
const formats: readonly ImageFormat[] = ['jpeg', 'png', 'gif', 'webp']

/**
 * Crops to a square around the middle: 400 × 400, smaller pictures enlarged. An animation is never enlarged, since each
 * of its frames would grow. Refuses with `UnsupportedMedia` or `MediaUnprocessable`.
 */
export function makeAvatar(source: MediaSource): Promise<ProcessedIcon> {
  return make(source, ({ dimensions, animated }) => (animated ? coverWithin(dimensions, AVATAR) : AVATAR))
}

/** Crops to three by one around the middle: 1500 × 500, or as much as there is. Refuses as `makeAvatar`. */
export function makeProfileHeader(source: MediaSource): Promise<ProcessedIcon> {
  return make(source, ({ dimensions }) => coverWithin(dimensions, HEADER))
}

function make(source: MediaSource, target: (image: OpenedImage) => Dimensions): Promise<ProcessedIcon> {
  const limits = { maxBytes: profileImageMaxBytes, maxInputPixels: imageLimits.maxInputPixels }
  return decodeImage({ source, formats, limits }, async (image) => {
    const cropped = image.decode().resize({ ...target(image), fit: 'cover' })
    const original = await encodeRendition(cropped, { format: storedFormat(image.format) })
    if (!image.animated) return { original, static: null }
    const sharp = await loadSharp()
    return { original, static: await encodeRendition(sharp(original.buffer), { format: 'png' }) }
  })
}

/** The largest size in the shape of `frame` that a picture can cover without being enlarged, at most the frame itself. */
function coverWithin({ width, height }: Dimensions, frame: Dimensions): Dimensions {
  const scale = Math.min(1, width / frame.width, height / frame.height)
  const shrink = (length: number) => Math.max(1, Math.floor(length * scale))
  return { width: shrink(frame.width), height: shrink(frame.height) }
}
