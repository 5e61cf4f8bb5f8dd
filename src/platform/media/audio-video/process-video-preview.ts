import { createConcurrencyLimiter } from '../sandbox/concurrency-limiter.ts'
import type { MediaContainer } from '../identify-media.ts'
import { processPreview } from '../images/process-preview.ts'
import type { Rendition } from '../images/rendition.ts'
import { extractFrame } from './extract-frame.ts'
import type { FfmpegTools } from './find-ffmpeg.ts'

/** Not the limit of conversions, which can take half an hour, while a reader waits for this image. */
const limitConcurrency = createConcurrencyLimiter({ slots: 1 })

/** The first stream that is a video and not a cover image. */
const FIRST_VIDEO = 'V:0'

/**
 * Creates a small static preview of a video that is stored without conversion: its first frame.
 * @throws UnprocessableMediaError, InsufficientStorageError
 */
export async function processVideoPreview(
  tools: FfmpegTools,
  { path, container, folder }: { path: string; container: MediaContainer; folder: string },
): Promise<Rendition> {
  return limitConcurrency({ slots: 1 }, async () => {
    const frame = await extractFrame(tools, { source: { path, format: container }, stream: FIRST_VIDEO, folder })
    return processPreview({ path: frame })
  })
}
