import { callDecoder } from '../decoder/call-decoder.ts'
import { emojiMaxBytes } from './image-limits.ts'
import type { MediaSource } from '../identify-media.ts'
import type { ProcessedIcon } from './rendition.ts'

/**
 * Creates a custom emoji from an image of at most `maxBytes` (default: just below 256 KiB). Never enlarges the image.
 * @throws UnsupportedMediaError, UnprocessableMediaError
 */
export function processEmoji(
  source: MediaSource,
  { maxBytes = emojiMaxBytes }: { maxBytes?: number } = {},
): Promise<ProcessedIcon> {
  return callDecoder({ source, task: { make: 'emoji', maxBytes }, maxBytes })
}
