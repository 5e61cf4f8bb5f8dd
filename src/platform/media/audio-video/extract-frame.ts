import { join } from 'node:path'
import type { FfmpegTools } from './find-ffmpeg.ts'
import { inputOptions } from './probe-audio-video.ts'
import type { AudioVideoSource } from './probe-audio-video.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

/** How long ffmpeg may take for one image. */
export const FRAME_SECONDS = 60

/**
 * Writes the first frame of a video as JPEG into the folder and returns its path. `stream`: a stream specifier of ffmpeg.
 * @throws UnprocessableMediaError if there is no such stream or it cannot be decoded; InsufficientStorageError
 */
export async function extractFrame(
  tools: FfmpegTools,
  { source, stream, folder }: { source: AudioVideoSource; stream: string; folder: string },
): Promise<string> {
  const path = join(folder, 'frame.jpg')
  const frame = ['-map', `0:${stream}`, '-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '2', '-pix_fmt', 'yuvj420p']
  await runFfmpeg(tools, {
    options: [...inputOptions(source), ...frame, '-f', 'image2', `file:${path}`],
    seconds: FRAME_SECONDS,
  })
  return path
}
