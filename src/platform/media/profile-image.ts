import { askDecoder } from './ask-decoder.ts'
import { profileImageMaxBytes } from './image-limits.ts'
import type { MediaSource } from './probe.ts'
import type { ProcessedIcon } from './rendition.ts'

/** A square of 400 × 400, cut from the middle. Refuses with `UnsupportedMedia` or `MediaUnprocessable`. */
export function processAvatar(source: MediaSource): Promise<ProcessedIcon> {
  return askDecoder({ source, task: { make: 'avatar' }, maxBytes: profileImageMaxBytes })
}

/** Three by one, cut from the middle, at most 1500 × 500. Refuses as `processAvatar`. */
export function processHeader(source: MediaSource): Promise<ProcessedIcon> {
  return askDecoder({ source, task: { make: 'profile header' }, maxBytes: profileImageMaxBytes })
}
