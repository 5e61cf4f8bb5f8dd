import { askDecoder } from './ask-decoder.ts'
import { emojiMaxBytes } from './image-limits.ts'
import type { MediaSource } from './probe.ts'
import type { ProcessedIcon } from './rendition.ts'

/**
 * Makes a custom emoji of a picture of less than 256 KiB, or of `maxBytes`, never enlarged. Refuses with
 * `UnsupportedMedia` or `MediaUnprocessable`.
 */
export function processEmoji(
  source: MediaSource,
  { maxBytes = emojiMaxBytes }: { maxBytes?: number } = {},
): Promise<ProcessedIcon> {
  return askDecoder({ source, task: { make: 'emoji', maxBytes }, maxBytes })
}
