import { askDecoder } from './ask-decoder.ts'
import { imageLimits } from './image-limits.ts'
import type { MediaSource } from './probe.ts'
import type { Rendition } from './rendition.ts'

/**
 * Makes a small picture that stands still, of a picture that is kept as it is. Refuses with `UnsupportedMedia` or
 * `MediaUnprocessable`.
 */
export async function processPreview(source: MediaSource): Promise<Rendition> {
  const { maxBytes } = imageLimits
  const { small } = await askDecoder<{ small: Rendition }>({ source, task: { make: 'preview' }, maxBytes })
  return small
}

/**
 * Looks at a picture that is kept as it is: its header may not promise more than browsers can bear. Refuses as
 * `processPreview`.
 */
export async function checkImage(source: MediaSource): Promise<void> {
  await askDecoder({ source, task: { make: 'check' }, maxBytes: imageLimits.maxBytes })
}
