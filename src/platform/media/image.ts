import { askDecoder } from './ask-decoder.ts'
import type { Dimensions } from './fit-area.ts'
import { imageLimits } from './image-limits.ts'
import type { ImageLimits } from './image-limits.ts'
import type { ImageFormat, MediaSource } from './probe.ts'
import type { ProcessedImage } from './rendition.ts'

/**
 * Makes what a post shows of an uploaded picture: encoded anew, so that nothing but the picture itself stays. Refuses
 * with `UnsupportedMedia` or `MediaUnprocessable`.
 */
export function processImage(input: MediaSource & { limits?: Partial<ImageLimits> }): Promise<ProcessedImage> {
  const { limits, ...source } = input
  const { maxBytes } = { ...imageLimits, ...limits }
  return askDecoder({ source, task: { make: 'image', limits }, maxBytes })
}

/** What a picture's header tells of it. Refuses as `processImage`. */
export function measureImage(
  source: MediaSource,
): Promise<{ format: ImageFormat; dimensions: Dimensions; frames: number }> {
  return askDecoder({ source, task: { make: 'header' }, maxBytes: imageLimits.maxBytes })
}
