import { callDecoder } from '../decoder/call-decoder.ts'
import { imageLimits } from './image-limits.ts'
import type { MediaSource } from '../identify-media.ts'
import type { Rendition } from './rendition.ts'

/**
 * Creates a small static preview of an image that is stored without conversion.
 * @throws UnsupportedMediaError, UnprocessableMediaError
 */
export async function processPreview(source: MediaSource): Promise<Rendition> {
  const { maxBytes } = imageLimits
  const { small } = await callDecoder<{ small: Rendition }>({ source, task: { make: 'preview' }, maxBytes })
  return small
}

/**
 * Checks the limits in the header of an image that is stored without conversion, because browsers have to decode it.
 * @throws like `processPreview`
 */
export async function checkImage(source: MediaSource): Promise<void> {
  await callDecoder({ source, task: { make: 'check' }, maxBytes: imageLimits.maxBytes })
}
