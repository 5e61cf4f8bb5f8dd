import { callDecoder } from '../decoder/call-decoder.ts'
import { profileImageMaxBytes } from './image-limits.ts'
import type { MediaSource } from '../identify-media.ts'
import type { ProcessedIcon } from './rendition.ts'

/** Crops the centre of an image to 400 × 400. @throws UnsupportedMediaError, UnprocessableMediaError */
export function processAvatar(source: MediaSource): Promise<ProcessedIcon> {
  return callDecoder({ source, task: { make: 'avatar' }, maxBytes: profileImageMaxBytes })
}

/** Crops the centre of an image to 3:1, at most 1500 × 500. @throws like `processAvatar` */
export function processHeader(source: MediaSource): Promise<ProcessedIcon> {
  return callDecoder({ source, task: { make: 'profile header' }, maxBytes: profileImageMaxBytes })
}
