import { callDecoder } from '../decoder/call-decoder.ts'
import { imageLimits } from './image-limits.ts'
import type { MediaSource } from '../identify-media.ts'
import type { ProcessedSiteIcon } from './rendition.ts'

/**
 * Crops the centre of an image to squares of 48, 192 and 512 pixels.
 * @throws UnsupportedMediaError, UnprocessableMediaError
 */
export function processSiteIcon(source: MediaSource): Promise<ProcessedSiteIcon> {
  return callDecoder({ source, task: { make: 'site icon' }, maxBytes: imageLimits.maxBytes })
}
