import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UnprocessableError } from '../../../lib/errors.ts'
import { extractFrame, FRAME_SECONDS } from './extract-frame.ts'
import type { FfmpegTools } from './find-ffmpeg.ts'
import { fitArea } from '../images/fit-area.ts'
import { processImage } from '../images/process-image.ts'
import { imageLimits } from '../images/image-limits.ts'
import { audioVideoLimits } from './audio-video-limits.ts'
import { FFMPEG_THREADS, runFfmpeg } from './run-ffmpeg.ts'
import { inputOptions, probeAudioVideo } from './probe-audio-video.ts'
import type { StreamInfo, AudioVideoSource } from './probe-audio-video.ts'
import { UnprocessableMediaError, damagedMediaError } from '../media-errors.ts'
import type { ProcessedImage } from '../images/rendition.ts'
import { createConcurrencyLimiter } from '../sandbox/concurrency-limiter.ts'

interface VideoMeta {
  width: number
  height: number
  /** Frames per second as a fraction, for example `30/1`. */
  frame_rate: string
}

/** A converted file in the folder that the caller provided. */
export interface ConvertedMedia {
  path: string
  byteSize: number
  extension: 'mp4' | 'mp3'
  contentType: 'video/mp4' | 'audio/mpeg'
  /** `meta.original` of the media attachment. `duration` in seconds, `bitrate` in bits per second. */
  original: { duration: number; bitrate: number } & Partial<VideoMeta>
  /** The first frame of a video or the cover of an audio file. Null for audio without a cover. */
  poster: ProcessedImage | null
}

/** One conversion at a time per process, because each uses all processors. */
const limitConcurrency = createConcurrencyLimiter({ slots: 1 })

const CONVERT_SECONDS = 1_800

/** Limit of re-encoded videos: Full HD, which suffices for timelines. */
const MAX_ENCODED_PIXELS = 1_920 * 1_080
const MAX_VIDEO_BITS = 5_000_000
const VIDEO_AUDIO_BITS = 128_000
const MAX_AUDIO_BITS = 192_000
const MIN_AUDIO_BITS = 32_000
/** A converted file is not larger than an upload may be. 5 % are reserved for the container. */
const MAX_STORED_BITS = audioVideoLimits.maxBytes * 8 * 0.95

/** How much of the duration may be missing at the end: the last frame, and what encoders cut off. */
const MIN_COMPLETE_SHARE = 0.9
const MAX_CUT_SECONDS = 0.5

/** Removes all metadata of the file. */
const STRIP_METADATA_OPTIONS = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-sn', '-dn']
const MP4 = ['-movflags', '+faststart', '-f', 'mp4']

/**
 * Converts a video, an animated GIF or audio to MP4 with H.264 and AAC, or to MP3, and creates its poster image.
 * Removes the metadata. H.264 and AAC streams are copied.
 * @throws UnprocessableMediaError if the file cannot be read to its end
 * @throws InsufficientStorageError if the disk is full
 */
export async function convertAudioVideo(
  tools: FfmpegTools,
  { source, streams, folder }: { source: AudioVideoSource; streams: StreamInfo; folder: string },
): Promise<ConvertedMedia> {
  return limitConcurrency({ slots: 1 }, () => {
    const work = { source, streams, folder }
    return streams.video ? convertVideo(tools, { ...work, video: streams.video }) : convertAudio(tools, work)
  })
}

interface ConversionInput {
  source: AudioVideoSource
  streams: StreamInfo
  folder: string
}

type Video = NonNullable<StreamInfo['video']>

async function convertVideo(tools: FfmpegTools, work: ConversionInput & { video: Video }): Promise<ConvertedMedia> {
  const { source, streams, folder, video } = work
  const path = join(folder, 'video.mp4')
  const maps = ['-map', `0:${video.index}`, ...(streams.audio ? ['-map', `0:${streams.audio.index}`] : [])]
  const make = (videoOptions: readonly string[]) =>
    runFfmpeg(tools, {
      options: [
        ...inputOptions(source),
        ...maps,
        ...STRIP_METADATA_OPTIONS,
        ...videoOptions,
        ...audioOptions(streams),
        ...MP4,
        `file:${path}`,
      ],
      seconds: CONVERT_SECONDS,
    })
  const isCopied = isPlayable(video) && (await succeeds(make(COPY_VIDEO_OPTIONS)))
  if (!isCopied) await make(encodeVideoOptions(video, streams.duration))
  const made = await probeOutput(tools, { path, format: 'mp4' })
  checkComplete(made, streams)
  const { width, height, frameRate } = made.video!
  return {
    path,
    byteSize: (await stat(path)).size,
    extension: 'mp4',
    contentType: 'video/mp4',
    original: { width, height, frame_rate: frameRate, duration: made.duration, bitrate: made.bitrate },
    poster: await makePosterImage(
      await extractFrame(tools, { source: { path, format: 'mp4' }, stream: `${made.video!.index}`, folder }),
    ),
  }
}

async function convertAudio(tools: FfmpegTools, { source, streams, folder }: ConversionInput): Promise<ConvertedMedia> {
  const path = join(folder, 'sound.mp3')
  const audio = streams.audio!
  const desiredBits = audio.bitrate > 0 ? audio.bitrate : MAX_AUDIO_BITS
  const length = streams.duration > 0 ? streams.duration : 1
  const bits = Math.floor(Math.min(Math.max(desiredBits, MIN_AUDIO_BITS), MAX_AUDIO_BITS, MAX_STORED_BITS / length))
  const encoding = ['-c:a', 'libmp3lame', '-b:a', String(bits), ...(audio.channels > 2 ? ['-ac', '2'] : [])]
  const mp3 = ['-id3v2_version', '0', '-write_id3v1', '0', '-f', 'mp3', `file:${path}`]
  await runFfmpeg(tools, {
    options: [...inputOptions(source), '-map', `0:${audio.index}`, ...STRIP_METADATA_OPTIONS, ...encoding, ...mp3],
    seconds: CONVERT_SECONDS,
  })
  const made = await probeOutput(tools, { path, format: 'mp3' })
  checkComplete(made, streams)
  return {
    path,
    byteSize: (await stat(path)).size,
    extension: 'mp3',
    contentType: 'audio/mpeg',
    original: { duration: made.duration, bitrate: made.bitrate },
    poster: streams.cover ? await extractCover(tools, { source, index: streams.cover.index, folder }) : null,
  }
}

/** Returns whether all clients can play the video without re-encoding. */
function isPlayable({ codec, pixelFormat }: Video): boolean {
  return codec === 'h264' && (pixelFormat === 'yuv420p' || pixelFormat === 'yuvj420p')
}

/** Removes NAL units with comments of encoders and cameras (SEI), and unspecified ones. */
const STRIP_REMARKS_OPTIONS = ['-bsf:v', 'filter_units=remove_types=6|12|24-31']
const COPY_VIDEO_OPTIONS = ['-c:v', 'copy', ...STRIP_REMARKS_OPTIONS]

function encodeVideoOptions({ width, height }: Video, duration: number): string[] {
  const fitted = fitArea({ width, height }, { maxPixels: MAX_ENCODED_PIXELS })
  // Chroma subsampling (4:2:0) requires even dimensions.
  const even = (length: number) => Math.max(2, Math.floor(length / 2) * 2)
  const videoBits = MAX_STORED_BITS / (duration > 0 ? duration : 1) - VIDEO_AUDIO_BITS
  const rate = Math.floor(Math.max(50_000, Math.min(MAX_VIDEO_BITS, videoBits)))
  const frames = ['-fps_mode', 'vfr', '-frames:v', String(audioVideoLimits.maxFrames)]
  const quality = ['-preset', 'veryfast', '-crf', '23', '-maxrate', String(rate), '-bufsize', String(rate * 2)]
  const scale = ['-vf', `scale=${even(fitted.width)}:${even(fitted.height)},setsar=1`]
  return [
    ...scale,
    ...frames,
    '-c:v',
    'libx264',
    ...quality,
    '-pix_fmt',
    'yuv420p',
    '-threads',
    FFMPEG_THREADS,
    ...STRIP_REMARKS_OPTIONS,
  ]
}

function audioOptions({ audio }: StreamInfo): string[] {
  if (!audio) return ['-an']
  if (audio.codec === 'aac') return ['-c:a', 'copy']
  return ['-c:a', 'aac', '-b:a', String(VIDEO_AUDIO_BITS), ...(audio.channels > 2 ? ['-ac', '2'] : [])]
}

/** Probes the converted file, which must fulfil the same limits as an upload. */
async function probeOutput(tools: FfmpegTools, source: AudioVideoSource): Promise<StreamInfo> {
  const made = await probeAudioVideo(tools, source)
  if (!(made.duration > 0)) throw damagedMediaError('it has no duration')
  return made
}

/** Throws if the output is shorter than the header of the source says: the source is truncated. */
function checkComplete(output: StreamInfo, source: StreamInfo): void {
  const missing = source.duration - output.duration
  if (missing > MAX_CUT_SECONDS && output.duration < source.duration * MIN_COMPLETE_SHARE) {
    throw damagedMediaError(`${output.duration} of ${source.duration} seconds`)
  }
}

/** Extracts the cover of an audio file for the image decoder. Returns null if it is not an image. */
async function extractCover(
  tools: FfmpegTools,
  { source, index, folder }: { source: AudioVideoSource; index: number; folder: string },
): Promise<ProcessedImage | null> {
  const path = join(folder, 'cover')
  const copy = ['-map', `0:${index}`, '-frames:v', '1', '-c:v', 'copy', '-f', 'image2', '-update', '1']
  const made = runFfmpeg(tools, { options: [...inputOptions(source), ...copy, `file:${path}`], seconds: FRAME_SECONDS })
  if (!(await succeeds(made))) return null
  return makePosterImage(path).catch((err: unknown) => {
    if (err instanceof UnprocessableError) return null
    throw err
  })
}

function makePosterImage(path: string): Promise<ProcessedImage> {
  const { maxPreviewPixels } = imageLimits
  return processImage({ path, limits: { maxBytes: audioVideoLimits.maxBytes, maxStoredPixels: maxPreviewPixels } })
}

/** Returns false if ffmpeg cannot process the file this way. */
async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (err) {
    if (err instanceof UnprocessableMediaError) return false
    throw err
  }
}
