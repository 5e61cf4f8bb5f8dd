import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OutOfStorage, Unprocessable } from '../../lib/errors.ts'
import { FFMPEG_LIMITS } from './ffmpeg.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { fitArea } from './fit-area.ts'
import { processImage } from './image.ts'
import { imageLimits } from './image-limits.ts'
import { movingLimits } from './moving-limits.ts'
import { inputOptions, probeMoving } from './probe-moving.ts'
import type { MovingFacts, MovingSource } from './probe-moving.ts'
import { MediaUnprocessable, refuseDamaged } from './refusals.ts'
import type { ProcessedImage } from './rendition.ts'
import { runConfined } from './run-confined.ts'
import { takeTurns } from './take-turns.ts'

interface VideoMeasures {
  width: number
  height: number
  /** A fraction, such as `30/1`. */
  frame_rate: string
}

/** What was made of a file, in the folder that was given for it. */
export interface Converted {
  path: string
  byteSize: number
  extension: 'mp4' | 'mp3'
  contentType: 'video/mp4' | 'audio/mpeg'
  /** In the form that clients read. `duration` in seconds, `bitrate` in bits per second. */
  original: { duration: number; bitrate: number } & Partial<VideoMeasures>
  /** The first frame, or the cover; null for a sound without one. */
  poster: ProcessedImage | null
}

/** One at a time in a process: each uses all processors. */
const inTurn = takeTurns({ places: 1 })

const CONVERT_SECONDS = 1_800
const POSTER_SECONDS = 60
const THREADS = '2'

/** Of what is encoded anew. Full HD is as much as anybody shows in a timeline. */
const MAX_ENCODED_PIXELS = 1_920 * 1_080
const MAX_VIDEO_BITS = 5_000_000
const VIDEO_SOUND_BITS = 128_000
const MAX_SOUND_BITS = 192_000
const MIN_SOUND_BITS = 32_000
/** What is kept is no larger than what may be uploaded, with some room for the container. */
const KEPT_BITS = movingLimits.maxBytes * 8 * 0.95

/** Parts of the given time that may be missing at the end: the last frame's, and what encoders cut off. */
const MIN_WHOLE_SHARE = 0.9
const MAX_CUT_SECONDS = 0.5

/** Nothing that the file says of itself is carried over. */
const BARE = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-sn', '-dn']
const MP4 = ['-movflags', '+faststart', '-f', 'mp4']

/**
 * Makes what a post shows of a video, an animated GIF or a sound: MP4 with H.264 and AAC, or MP3, and the picture that
 * stands for it, whose metadata is gone. H.264 and AAC are taken as they are. Refuses with `MediaUnprocessable` what
 * can't be read to its end, and with `OutOfStorage` where there is no room in the folder.
 */
export async function convertMoving(
  tools: Ffmpeg,
  { source, facts, folder }: { source: MovingSource; facts: MovingFacts; folder: string },
): Promise<Converted> {
  return inTurn({ places: 1 }, () => {
    const work = { source, facts, folder }
    return facts.video ? convertVideo(tools, { ...work, video: facts.video }) : convertSound(tools, work)
  })
}

interface Work {
  source: MovingSource
  facts: MovingFacts
  folder: string
}

type Video = NonNullable<MovingFacts['video']>

async function convertVideo(tools: Ffmpeg, work: Work & { video: Video }): Promise<Converted> {
  const { source, facts, folder, video } = work
  const path = join(folder, 'video.mp4')
  const maps = ['-map', `0:${video.index}`, ...(facts.audio ? ['-map', `0:${facts.audio.index}`] : [])]
  const make = (pictures: readonly string[]) =>
    run(tools, {
      options: [...inputOptions(source), ...maps, ...BARE, ...pictures, ...soundOptions(facts), ...MP4, `file:${path}`],
      seconds: CONVERT_SECONDS,
    })
  const isCopied = isPlayable(video) && (await succeeds(make(COPIED)))
  if (!isCopied) await make(encodedOptions(video, facts.duration))
  const made = await probeMade(tools, { path, format: 'mp4' })
  checkWhole(made, facts)
  const { width, height, frameRate } = made.video!
  return {
    path,
    byteSize: (await stat(path)).size,
    extension: 'mp4',
    contentType: 'video/mp4',
    original: { width, height, frame_rate: frameRate, duration: made.duration, bitrate: made.bitrate },
    poster: await drawPoster(tools, { source: { path, format: 'mp4' }, index: made.video!.index, folder }),
  }
}

async function convertSound(tools: Ffmpeg, { source, facts, folder }: Work): Promise<Converted> {
  const path = join(folder, 'sound.mp3')
  const audio = facts.audio!
  const wanted = audio.bitrate > 0 ? audio.bitrate : MAX_SOUND_BITS
  const length = facts.duration > 0 ? facts.duration : 1
  const bits = Math.floor(Math.min(Math.max(wanted, MIN_SOUND_BITS), MAX_SOUND_BITS, KEPT_BITS / length))
  const encoding = ['-c:a', 'libmp3lame', '-b:a', String(bits), ...(audio.channels > 2 ? ['-ac', '2'] : [])]
  const mp3 = ['-id3v2_version', '0', '-write_id3v1', '0', '-f', 'mp3', `file:${path}`]
  await run(tools, {
    options: [...inputOptions(source), '-map', `0:${audio.index}`, ...BARE, ...encoding, ...mp3],
    seconds: CONVERT_SECONDS,
  })
  const made = await probeMade(tools, { path, format: 'mp3' })
  checkWhole(made, facts)
  return {
    path,
    byteSize: (await stat(path)).size,
    extension: 'mp3',
    contentType: 'audio/mpeg',
    original: { duration: made.duration, bitrate: made.bitrate },
    poster: facts.cover ? await takeCover(tools, { source, index: facts.cover.index, folder }) : null,
  }
}

/** What every client plays as it is. */
function isPlayable({ codec, pixelFormat }: Video): boolean {
  return codec === 'h264' && (pixelFormat === 'yuv420p' || pixelFormat === 'yuvj420p')
}

/** Without the units in which encoders and cameras leave their remarks, and those that nobody has a use for. */
const UNREMARKED = ['-bsf:v', 'filter_units=remove_types=6|12|24-31']
const COPIED = ['-c:v', 'copy', ...UNREMARKED]

function encodedOptions({ width, height }: Video, duration: number): string[] {
  const fitted = fitArea({ width, height }, { maxPixels: MAX_ENCODED_PIXELS })
  // Half as many samples of colour each way: only even sides will do.
  const even = (length: number) => Math.max(2, Math.floor(length / 2) * 2)
  const forPictures = KEPT_BITS / (duration > 0 ? duration : 1) - VIDEO_SOUND_BITS
  const rate = Math.floor(Math.max(50_000, Math.min(MAX_VIDEO_BITS, forPictures)))
  const frames = ['-fps_mode', 'vfr', '-frames:v', String(movingLimits.maxFrames)]
  const quality = ['-preset', 'veryfast', '-crf', '23', '-maxrate', String(rate), '-bufsize', String(rate * 2)]
  const scale = ['-vf', `scale=${even(fitted.width)}:${even(fitted.height)},setsar=1`]
  return [...scale, ...frames, '-c:v', 'libx264', ...quality, '-pix_fmt', 'yuv420p', '-threads', THREADS, ...UNREMARKED]
}

function soundOptions({ audio }: MovingFacts): string[] {
  if (!audio) return ['-an']
  if (audio.codec === 'aac') return ['-c:a', 'copy']
  return ['-c:a', 'aac', '-b:a', String(VIDEO_SOUND_BITS), ...(audio.channels > 2 ? ['-ac', '2'] : [])]
}

/** What we wrote has to be what we allow. */
async function probeMade(tools: Ffmpeg, source: MovingSource): Promise<MovingFacts> {
  const made = await probeMoving(tools, source)
  if (!(made.duration > 0)) throw refuseDamaged('it has no duration')
  return made
}

/** A file that breaks off gives less than its header promised. */
function checkWhole(made: MovingFacts, promised: MovingFacts): void {
  const missing = promised.duration - made.duration
  if (missing > MAX_CUT_SECONDS && made.duration < promised.duration * MIN_WHOLE_SHARE) {
    throw refuseDamaged(`${made.duration} of ${promised.duration} seconds`)
  }
}

interface PosterWork {
  source: MovingSource
  index: number
  folder: string
}

async function drawPoster(tools: Ffmpeg, { source, index, folder }: PosterWork): Promise<ProcessedImage> {
  const path = join(folder, 'poster.jpg')
  const frame = ['-map', `0:${index}`, '-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '2', '-pix_fmt', 'yuvj420p']
  await run(tools, {
    options: [...inputOptions(source), ...frame, '-f', 'image2', `file:${path}`],
    seconds: POSTER_SECONDS,
  })
  return reduce(path)
}

/** The picture in a sound, byte for byte, for the process that decodes pictures; one that is none is left out. */
async function takeCover(tools: Ffmpeg, { source, index, folder }: PosterWork): Promise<ProcessedImage | null> {
  const path = join(folder, 'cover')
  const copy = ['-map', `0:${index}`, '-frames:v', '1', '-c:v', 'copy', '-f', 'image2', '-update', '1']
  const made = run(tools, { options: [...inputOptions(source), ...copy, `file:${path}`], seconds: POSTER_SECONDS })
  if (!(await succeeds(made))) return null
  return reduce(path).catch((err: unknown) => {
    if (err instanceof Unprocessable) return null
    throw err
  })
}

function reduce(path: string): Promise<ProcessedImage> {
  const { maxPreviewPixels } = imageLimits
  return processImage({ path, limits: { maxBytes: movingLimits.maxBytes, maxStoredPixels: maxPreviewPixels } })
}

async function run({ ffmpeg }: Ffmpeg, { options, seconds }: { options: string[]; seconds: number }): Promise<void> {
  const command = [ffmpeg, '-nostdin', '-hide_banner', '-v', 'error', '-y', '-threads', THREADS, ...options]
  const { ok, stderr } = await runConfined(command, { ...FFMPEG_LIMITS, seconds })
  if (ok) return
  throw /No space left on device|Disk quota exceeded/.test(stderr) ? new OutOfStorage() : refuseDamaged(stderr)
}

/** False for what ffmpeg can not do with this file. */
async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (err) {
    if (err instanceof MediaUnprocessable) return false
    throw err
  }
}
