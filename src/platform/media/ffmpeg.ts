import type { Config } from '../config.ts'
import { runConfined } from './run-confined.ts'

/** The programs of ffmpeg, as they are called here. */
export interface Ffmpeg {
  ffmpeg: string
  ffprobe: string
}

/** As measured: 4K in, x264 out, on two threads, needs 600 MB. */
export const FFMPEG_LIMITS = { memoryBytes: 1_500_000_000, fileBytes: 200_000_000 }

/** Without these nothing can be made that all clients play. */
const ENCODERS = ['libx264', 'aac', 'libmp3lame', 'mjpeg']

const found = new Map<string, Promise<Ffmpeg | null>>()

/** Null where ffmpeg is absent, or too small to do what is needed. Looked for once. */
export function findFfmpeg({ ffmpeg, ffprobe }: Pick<Config, 'ffmpeg' | 'ffprobe'>): Promise<Ffmpeg | null> {
  const key = JSON.stringify([ffmpeg, ffprobe])
  const known = found.get(key)
  if (known) return known
  const search = tryOut({ ffmpeg, ffprobe }).then(
    (works) => (works ? { ffmpeg, ffprobe } : null),
    () => null,
  )
  found.set(key, search)
  return search
}

async function tryOut({ ffmpeg, ffprobe }: Ffmpeg): Promise<boolean> {
  const limits = { ...FFMPEG_LIMITS, seconds: 30 }
  const [encoders, version] = await Promise.all([
    runConfined([ffmpeg, '-hide_banner', '-encoders'], limits),
    runConfined([ffprobe, '-version'], limits),
  ])
  const names = new Set(encoders.stdout.split('\n').map((line) => line.trim().split(/\s+/)[1]))
  return encoders.ok && version.ok && ENCODERS.every((name) => names.has(name))
}
