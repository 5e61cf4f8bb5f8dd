import { fitArea } from '../fit-area.ts'
import { emojiMaxBytes, imageLimits } from '../image-limits.ts'
import type { ImageFormat, MediaSource } from '../probe.ts'
import { MediaUnprocessable } from '../refusals.ts'
import type { ProcessedIcon } from '../rendition.ts'
import { decodeImage, loadSharp } from './decode.ts'
import { encodeRendition, storedFormat } from './encode.ts'

/** As many pixels as a square of this side has; with too many bytes, the picture is made smaller. */
const SIDES = [512, 256, 128]
const formats: readonly ImageFormat[] = ['png', 'gif', 'webp']

/**
 * Makes a custom emoji of a picture of no more than `maxBytes`, never enlarged and of less than 256 KiB. Refuses with `UnsupportedMedia` or
 * `MediaUnprocessable`.
 */
export function makeEmoji(source: MediaSource, { maxBytes }: { maxBytes: number }): Promise<ProcessedIcon> {
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
