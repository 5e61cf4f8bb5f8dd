import { callDecoder } from '../decoder/call-decoder.ts'
import type { Dimensions } from './fit-area.ts'
import { imageLimits } from './image-limits.ts'
import type { ImageLimits } from './image-limits.ts'
import type { ImageFormat, MediaSource } from '../identify-media.ts'
import type { ProcessedImage } from './rendition.ts'

/**
 * Creates the stored image and the preview of an uploaded image. Re-encodes it, which removes all metadata.
 * @throws UnsupportedMediaError, UnprocessableMediaError
 */
export function processImage(input: MediaSource & { limits?: Partial<ImageLimits> }): Promise<ProcessedImage> {
  const { limits, ...source } = input
  const { maxBytes } = { ...imageLimits, ...limits }
  return callDecoder({ source, task: { make: 'image', limits }, maxBytes })
}

/** Returns the properties in the header of an image. @throws like `processImage` */
export function measureImage(
  source: MediaSource,
): Promise<{ format: ImageFormat; dimensions: Dimensions; frames: number }> {
  return callDecoder({ source, task: { make: 'header' }, maxBytes: imageLimits.maxBytes })
}
