import { decodeImage, loadSharp } from './decode.ts'
import { fitArea } from './fit-area.ts'
import { imageLimits } from './image.ts'
import type { ImageFormat, MediaSource } from './probe.ts'
import { MediaUnprocessable } from './refusals.ts'
import type { Rendition } from './rendition.ts'
import { encodeRendition, storedFormat } from './rendition.ts'

export interface EmojiImage {
  /** Keeps the frames of an animated GIF or WebP. */
  original: Rendition
  /** The same or its first frame as PNG; null where the original is one itself. */
  static: Rendition | null
}

/** Just below 256 KiB: other servers take no more. */
export const emojiMaxBytes = 256 * 1_024 - 1

/** As many pixels as a square of this side has; with too many bytes, the picture is made smaller. */
const SIDES = [512, 256, 128]
const formats: readonly ImageFormat[] = ['png', 'gif', 'webp']

/**
 * Makes a custom emoji of a picture of less than 256 KiB, or of `maxBytes`, never enlarged. Refuses with
 * `UnsupportedMedia` or `MediaUnprocessable`.
 */
export function processEmoji(
  source: MediaSource,
  { maxBytes = emojiMaxBytes }: { maxBytes?: number } = {},
): Promise<EmojiImage> {
  const limits = { maxBytes, maxInputPixels: imageLimits.maxInputPixels }
  return decodeImage({ source, formats, limits }, async ({ format, dimensions, decode }) => {
    const sharp = await loadSharp()
    for (const side of SIDES) {
      const resized = decode().resize({ ...fitArea(dimensions, { maxPixels: side * side }), fit: 'fill' })
      const original = await encodeRendition(resized, { format: storedFormat(format) })
      if (original.buffer.length > emojiMaxBytes) continue
      if (format === 'png') return { original, static: null }
      return { original, static: await encodeRendition(sharp(original.buffer), { format: 'png' }) }
    }
    throw new MediaUnprocessable({ fault: 'too-large', text: 'has too much in it for its size' })
  })
}
