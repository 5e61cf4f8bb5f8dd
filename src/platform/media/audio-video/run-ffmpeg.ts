import { InsufficientStorageError } from '../../../lib/errors.ts'
import { damagedMediaError } from '../media-errors.ts'
import { runConfined } from '../sandbox/run-confined.ts'
import { FFMPEG_LIMITS } from './find-ffmpeg.ts'
import type { FfmpegTools } from './find-ffmpeg.ts'

export const FFMPEG_THREADS = '2'

/**
 * Runs ffmpeg in the sandbox.
 * @throws UnprocessableMediaError if it fails, also if it takes more than `seconds`
 * @throws InsufficientStorageError if the disk is full
 */
export async function runFfmpeg(
  { ffmpeg }: FfmpegTools,
  { options, seconds }: { options: string[]; seconds: number },
): Promise<void> {
  const command = [ffmpeg, '-nostdin', '-hide_banner', '-v', 'error', '-y', '-threads', FFMPEG_THREADS, ...options]
  const { ok, stderr } = await runConfined(command, { ...FFMPEG_LIMITS, seconds })
  if (ok) return
  throw /No space left on device|Disk quota exceeded/.test(stderr)
    ? new InsufficientStorageError()
    : damagedMediaError(stderr)
}
