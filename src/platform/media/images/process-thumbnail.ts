import { callDecoder } from '../decoder/call-decoder.ts'
import { imageLimits } from './image-limits.ts'
import type { MediaSource } from '../identify-media.ts'
import type { ProcessedThumbnail } from './rendition.ts'

/**
 * Crops the centre of an image to 1200 × 630 and, if it is large enough, 2400 × 1260.
 * @throws UnsupportedMediaError, UnprocessableMediaError
 */
export function processThumbnail(source: MediaSource): Promise<ProcessedThumbnail> {
  return callDecoder({ source, task: { make: 'thumbnail' }, maxBytes: imageLimits.maxBytes })
}
