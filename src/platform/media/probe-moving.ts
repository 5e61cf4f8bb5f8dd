import { resolve } from 'node:path'
import { MAX_GIF_PIXELS } from './image-limits.ts'
import { FFMPEG_LIMITS } from './ffmpeg.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { MAX_GIF_FRAMES, MAX_SECONDS, movingLimits } from './moving-limits.ts'
import type { Container } from './probe.ts'
import { MediaUnprocessable, refuseDamaged, UnsupportedMedia } from './refusals.ts'
import { runConfined } from './run-confined.ts'

/** What is opened as what: named, since ffmpeg's own guess may be a playlist that names other files. */
const demuxers: Record<MovingFormat, string> = {
  mp4: 'mov',
  webm: 'matroska',
  ogg: 'ogg',
  wav: 'wav',
  mp3: 'mp3',
  flac: 'flac',
  aac: 'aac',
  asf: 'asf',
  gif: 'gif',
}

/** What people's cameras and programs write; the odder a decoder, the less anybody has looked for its holes. */
const PICTURE_CODECS = ['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'theora', 'gif']
const COVER_CODECS = ['mjpeg', 'png']
const SOUND_CODECS = ['aac', 'mp3', 'vorbis', 'opus', 'flac', 'alac', 'wmav1', 'wmav2', 'amr_nb', 'amr_wb', 'ac3']
const PCM = /^pcm_[a-z0-9]+$/
/** The names of the decoders for these, where they differ. */
const DECODERS = ['libdav1d', 'mp3float', 'libvorbis', 'libopus', 'amrnb', 'amrwb', 'libvpx', 'libvpx-vp9']
const PCM_DECODERS = [
  's16le',
  's16be',
  's24le',
  's24be',
  's32le',
  's32be',
  'f32le',
  'f32be',
  'u8',
  's8',
  'alaw',
  'mulaw',
]

const PROBE_SECONDS = 60
/** What is somewhat too large is told its size; what is larger is not even looked at. */
const MAX_TOLD_PIXELS = 4 * movingLimits.maxPixels
const MIN_WHOLE_SHARE = 0.9

export type MovingFormat = Container | 'gif'

export interface MovingSource {
  path: string
  format: MovingFormat
}

/** A stream of a file: its place among all of them, and its codec. */
interface Stream {
  index: number
  codec: string
}

export interface MovingFacts {
  /** Null in a sound. */
  video: (Stream & VideoFacts) | null
  /** The cover of a sound: a whole picture. */
  cover: Stream | null
  audio: (Stream & { bitrate: number; channels: number }) | null
  /** Seconds. */
  duration: number
  /** Of all streams together, in bits per second. */
  bitrate: number
}

interface VideoFacts {
  /** As seen: after the rotation that the file asks for. */
  width: number
  height: number
  pixelFormat: string
  /** A fraction, such as `30/1`. */
  frameRate: string
  frames: number
}

/** The options in front of an input that say all that may be done with it. */
export function inputOptions({ path, format }: MovingSource, { maxPixels = movingLimits.maxPixels } = {}): string[] {
  const decoders = [...PICTURE_CODECS, ...COVER_CODECS, ...SOUND_CODECS, ...DECODERS]
  const whitelist = [...decoders, ...PCM_DECODERS.map((name) => `pcm_${name}`)].join(',')
  const safe = ['-protocol_whitelist', 'file', '-codec_whitelist', whitelist, '-max_streams', '16']
  return ['-f', demuxers[format], ...safe, '-max_pixels', String(maxPixels), '-i', `file:${resolve(path)}`]
}

interface Told {
  streams?: {
    index: number
    codec_name?: string
    codec_type?: string
    pix_fmt?: string
    width?: number
    height?: number
    channels?: number
    avg_frame_rate?: string
    duration?: string
    bit_rate?: string
    /** As the header promises them, and as they are. */
    nb_frames?: string
    nb_read_packets?: string
    disposition?: { attached_pic?: number }
    side_data_list?: { rotation?: number }[]
  }[]
  format?: { duration?: string; bit_rate?: string }
}

const ENTRIES = [
  'format=duration,bit_rate',
  'stream=index,codec_name,codec_type,pix_fmt,width,height,channels,avg_frame_rate,duration,bit_rate,nb_frames,nb_read_packets',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
].join(':')

/**
 * What is in a file, by its headers and the count of its packets; nothing of it is shown or heard for that, but for what
 * ffmpeg looks at to know it. Refuses with `UnsupportedMedia` what is of no kind that we take, and with
 * `MediaUnprocessable` what is larger, faster or longer than allowed, or is no whole file.
 */
export async function probeMoving({ ffprobe }: Ffmpeg, source: MovingSource): Promise<MovingFacts> {
  const command = [ffprobe, '-v', 'error', '-hide_banner', '-count_packets', '-show_entries', ENTRIES, '-of', 'json']
  const { ok, stdout, stderr } = await runConfined(
    [...command, ...inputOptions(source, { maxPixels: MAX_TOLD_PIXELS })],
    {
      ...FFMPEG_LIMITS,
      seconds: PROBE_SECONDS,
    },
  )
  if (!ok) throw refuseDamaged(stderr)
  const told = JSON.parse(stdout) as Told
  if (told.streams?.some(breaksOff)) throw refuseDamaged('packets are missing')
  const facts = readFacts(told)
  check(facts, source.format)
  return facts
}

/** A part that is promised and missing is the rest of a file that broke off. */
function breaksOff(stream: NonNullable<Told['streams']>[number]): boolean {
  const { codec_type: type, nb_frames: promised, nb_read_packets: found } = stream
  // Of sounds some count samples.
  return type === 'video' && Number(found ?? 0) < Number(promised ?? 0) * MIN_WHOLE_SHARE
}

function readFacts({ streams = [], format = {} }: Told): MovingFacts {
  const isCover = (one: (typeof streams)[number]) => one.disposition?.attached_pic === 1
  const video = streams.find((one) => one.codec_type === 'video' && !isCover(one))
  const audio = streams.find((one) => one.codec_type === 'audio')
  const cover = streams.find((one) => isCover(one) && COVER_CODECS.includes(one.codec_name ?? ''))
  const durations = [format.duration, video?.duration, audio?.duration].map(Number).filter((one) => one > 0)
  const isTurned =
    Math.abs(video?.side_data_list?.find((one) => one.rotation !== undefined)?.rotation ?? 0) % 180 === 90
  const { width = 0, height = 0 } = video ?? {}
  return {
    video: video
      ? {
          index: video.index,
          codec: video.codec_name ?? '',
          ...(isTurned ? { width: height, height: width } : { width, height }),
          pixelFormat: video.pix_fmt ?? '',
          frameRate: video.avg_frame_rate ?? '0/0',
          frames: Number(video.nb_read_packets ?? 0),
        }
      : null,
    cover: cover ? { index: cover.index, codec: cover.codec_name ?? '' } : null,
    audio: audio
      ? {
          index: audio.index,
          codec: audio.codec_name ?? '',
          bitrate: Number(audio.bit_rate) || 0,
          channels: audio.channels ?? 0,
        }
      : null,
    duration: durations[0] ?? Number.NaN,
    bitrate: Number(format.bit_rate) || 0,
  }
}

function check({ video, audio, duration }: MovingFacts, format: MovingFormat): void {
  if (!video && !audio) throw new UnsupportedMedia()
  if (video && !PICTURE_CODECS.includes(video.codec)) throw new UnsupportedMedia()
  if (audio && !SOUND_CODECS.includes(audio.codec) && !PCM.test(audio.codec)) throw new UnsupportedMedia()
  if (duration > MAX_SECONDS) throw refuse('too-long', `is longer than ${MAX_SECONDS / 3_600} hours`)
  if (video) checkVideo(video, { duration, format })
}

function checkVideo(video: VideoFacts, { duration, format }: { duration: number; format: MovingFormat }): void {
  const { width, height, frames } = video
  const isGif = format === 'gif'
  if (width < 1 || height < 1 || frames < 1) throw refuseDamaged()
  if (width * height > (isGif ? MAX_GIF_PIXELS : movingLimits.maxPixels)) {
    throw refuse('too-many-pixels', `${width}x${height} ${isGif ? 'GIF files' : 'videos'} are not supported`)
  }
  const most = isGif ? MAX_GIF_FRAMES : movingLimits.maxFrames
  if (frames > most) throw refuse('too-many-frames', `${frames} frames are more than the ${most} allowed`)
  // A rounded time may make of 120 frames a little more.
  const perSecond = frames / duration
  if (!isGif && frames > 1 && perSecond > movingLimits.maxFramesPerSecond + 1) {
    throw refuse('too-many-frames', `${Math.round(perSecond)}fps videos are not supported`)
  }
}

function refuse(fault: 'too-many-pixels' | 'too-many-frames' | 'too-long', text: string) {
  return new MediaUnprocessable({ fault, text })
}
