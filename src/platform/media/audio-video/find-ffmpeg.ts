import type { Config } from '../../config/config.ts'
import { runConfined } from '../sandbox/run-confined.ts'

/** Names or paths of the programs. */
export interface FfmpegTools {
  ffmpeg: string
  ffprobe: string
}

/** Measured: converting 4K to x264 on two threads needs 600 MB. */
export const FFMPEG_LIMITS = { memoryBytes: 1_500_000_000, fileBytes: 200_000_000 }

/** The encoders of the formats that all clients can play. */
const ENCODERS = ['libx264', 'aac', 'libmp3lame', 'mjpeg']

const cachedSearches = new Map<string, Promise<FfmpegTools | null>>()

/** Returns null if ffmpeg is missing or lacks an encoder. The result is cached. */
export function findFfmpeg({ ffmpeg, ffprobe }: Pick<Config, 'ffmpeg' | 'ffprobe'>): Promise<FfmpegTools | null> {
  const key = JSON.stringify([ffmpeg, ffprobe])
  const cached = cachedSearches.get(key)
  if (cached) return cached
  const search = isUsable({ ffmpeg, ffprobe }).then(
    (works) => (works ? { ffmpeg, ffprobe } : null),
    () => null,
  )
  cachedSearches.set(key, search)
  return search
}

/** Says that `findFfmpeg` found nothing. */
export function describeMissingFfmpeg({ ffmpeg, ffprobe }: FfmpegTools): string {
  return `users can upload only images: ${ffmpeg} or ${ffprobe} is missing or has no encoder for x264, AAC or MP3`
}

async function isUsable({ ffmpeg, ffprobe }: FfmpegTools): Promise<boolean> {
  const limits = { ...FFMPEG_LIMITS, seconds: 30 }
  const [encoders, version] = await Promise.all([
    runConfined([ffmpeg, '-hide_banner', '-encoders'], limits),
    runConfined([ffprobe, '-version'], limits),
  ])
  const names = new Set(encoders.stdout.split('\n').map((line) => line.trim().split(/\s+/)[1]))
  return encoders.ok && version.ok && ENCODERS.every((name) => names.has(name))
}
