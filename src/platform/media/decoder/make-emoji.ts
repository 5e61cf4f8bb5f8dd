import { fitArea } from '../images/fit-area.ts'
import { emojiMaxBytes, imageLimits } from '../images/image-limits.ts'
import type { ImageFormat, MediaSource } from '../identify-media.ts'
import { UnprocessableMediaError } from '../media-errors.ts'
import type { ProcessedIcon } from '../images/rendition.ts'
import { decodeImage, loadSharp } from './decode-image.ts'
import { encodeRendition, storedFormat } from './encode-rendition.ts'

/** Sides of squares whose area limits the pixels. The next one applies if the file has too many bytes. */
const SIDES = [512, 256, 128]
const formats: readonly ImageFormat[] = ['png', 'gif', 'webp']

/**
 * Creates a custom emoji of less than 256 KiB from an image of at most `maxBytes`. Never enlarges the image.
 * @throws UnsupportedMediaError, UnprocessableMediaError
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
    throw new UnprocessableMediaError({ fault: 'too-large', text: 'cannot be compressed to the allowed size' })
  })
}
