import { resolve } from 'node:path'
import { MAX_GIF_PIXELS } from '../images/image-limits.ts'
import { FFMPEG_LIMITS } from './find-ffmpeg.ts'
import type { FfmpegTools } from './find-ffmpeg.ts'
import { MAX_GIF_FRAMES, MAX_DURATION_SECONDS, audioVideoLimits } from './audio-video-limits.ts'
import type { MediaContainer } from '../identify-media.ts'
import { UnprocessableMediaError, damagedMediaError, UnsupportedMediaError } from '../media-errors.ts'
import { runConfined } from '../sandbox/run-confined.ts'

/** Demuxers by format. They are set explicitly, because ffmpeg could detect a playlist that opens other files. */
const demuxers: Record<AudioVideoFormat, string> = {
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

/** Codecs of common cameras and programs. Rare decoders are less tested for vulnerabilities, so they are excluded. */
const VIDEO_CODECS = ['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'theora', 'gif']
const COVER_CODECS = ['mjpeg', 'png']
const AUDIO_CODECS = ['aac', 'mp3', 'vorbis', 'opus', 'flac', 'alac', 'wmav1', 'wmav2', 'amr_nb', 'amr_wb', 'ac3']
const PCM = /^pcm_[a-z0-9]+$/
/** Decoders whose names differ from their codecs. */
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
/** Up to this size, the error message names the size of the video. ffprobe rejects larger ones. */
const MAX_PROBED_PIXELS = 4 * audioVideoLimits.maxPixels
const MIN_COMPLETE_SHARE = 0.9

export type AudioVideoFormat = MediaContainer | 'gif'

export interface AudioVideoSource {
  path: string
  format: AudioVideoFormat
}

/** A stream of a file: its index and its codec. */
interface Stream {
  index: number
  codec: string
}

export interface StreamInfo {
  /** Null for audio. */
  video: (Stream & VideoInfo) | null
  /** The cover image of an audio file. */
  cover: Stream | null
  audio: (Stream & { bitrate: number; channels: number }) | null
  /** Seconds. */
  duration: number
  /** All streams together, in bits per second. */
  bitrate: number
}

interface VideoInfo {
  /** After the rotation that the metadata of the file requires. */
  width: number
  height: number
  pixelFormat: string
  /** Frames per second as a fraction, for example `30/1`. */
  frameRate: string
  frames: number
}

/** Returns the input options of ffmpeg, which restrict the demuxer, the protocols and the codecs. */
export function inputOptions(
  { path, format }: AudioVideoSource,
  { maxPixels = audioVideoLimits.maxPixels } = {},
): string[] {
  const decoders = [...VIDEO_CODECS, ...COVER_CODECS, ...AUDIO_CODECS, ...DECODERS]
  const whitelist = [...decoders, ...PCM_DECODERS.map((name) => `pcm_${name}`)].join(',')
  const safe = ['-protocol_whitelist', 'file', '-codec_whitelist', whitelist, '-max_streams', '16']
  return ['-f', demuxers[format], ...safe, '-max_pixels', String(maxPixels), '-i', `file:${resolve(path)}`]
}

interface FfprobeOutput {
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
    /** The number of frames in the header, and the number of packets in the file. */
    nb_frames?: string
    nb_read_packets?: string
    disposition?: { attached_pic?: number }
    side_data_list?: { rotation?: number }[]
  }[]
  format?: { duration?: string; bit_rate?: string }
}

const FFPROBE_ENTRIES = [
  'format=duration,bit_rate',
  'stream=index,codec_name,codec_type,pix_fmt,width,height,channels,avg_frame_rate,duration,bit_rate,nb_frames,nb_read_packets',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
].join(':')

/**
 * Returns the properties of a file from its headers and the number of its packets, mostly without decoding.
 * @throws UnsupportedMediaError for other formats
 * @throws UnprocessableMediaError if the file exceeds a limit or is truncated
 */
export async function probeAudioVideo({ ffprobe }: FfmpegTools, source: AudioVideoSource): Promise<StreamInfo> {
  const command = [
    ffprobe,
    '-v',
    'error',
    '-hide_banner',
    '-count_packets',
    '-show_entries',
    FFPROBE_ENTRIES,
    '-of',
    'json',
  ]
  const { ok, stdout, stderr } = await runConfined(
    [...command, ...inputOptions(source, { maxPixels: MAX_PROBED_PIXELS })],
    {
      ...FFMPEG_LIMITS,
      seconds: PROBE_SECONDS,
    },
  )
  if (!ok) throw damagedMediaError(stderr)
  const output = JSON.parse(stdout) as FfprobeOutput
  if (output.streams?.some(isTruncated)) throw damagedMediaError('packets are missing')
  const info = readStreamInfo(output)
  checkStreams(info, source.format)
  return info
}

/** Returns whether a stream has fewer packets than its header says. */
function isTruncated(stream: NonNullable<FfprobeOutput['streams']>[number]): boolean {
  const { codec_type: type, nb_frames: expected, nb_read_packets: found } = stream
  // For audio, some headers contain the number of samples.
  return type === 'video' && Number(found ?? 0) < Number(expected ?? 0) * MIN_COMPLETE_SHARE
}

function readStreamInfo({ streams = [], format = {} }: FfprobeOutput): StreamInfo {
  const isCover = (stream: (typeof streams)[number]) => stream.disposition?.attached_pic === 1
  const video = streams.find((stream) => stream.codec_type === 'video' && !isCover(stream))
  const audio = streams.find((stream) => stream.codec_type === 'audio')
  const cover = streams.find((stream) => isCover(stream) && COVER_CODECS.includes(stream.codec_name ?? ''))
  const durations = [format.duration, video?.duration, audio?.duration].map(Number).filter((stream) => stream > 0)
  const isRotated =
    Math.abs(video?.side_data_list?.find((stream) => stream.rotation !== undefined)?.rotation ?? 0) % 180 === 90
  const { width = 0, height = 0 } = video ?? {}
  return {
    video: video
      ? {
          index: video.index,
          codec: video.codec_name ?? '',
          ...(isRotated ? { width: height, height: width } : { width, height }),
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

function checkStreams({ video, audio, duration }: StreamInfo, format: AudioVideoFormat): void {
  if (!video && !audio) throw new UnsupportedMediaError()
  if (video && !VIDEO_CODECS.includes(video.codec)) throw new UnsupportedMediaError()
  if (audio && !AUDIO_CODECS.includes(audio.codec) && !PCM.test(audio.codec)) throw new UnsupportedMediaError()
  if (duration > MAX_DURATION_SECONDS)
    throw mediaError('too-long', `is longer than ${MAX_DURATION_SECONDS / 3_600} hours`)
  if (video) checkVideo(video, { duration, format })
}

function checkVideo(video: VideoInfo, { duration, format }: { duration: number; format: AudioVideoFormat }): void {
  const { width, height, frames } = video
  const isGif = format === 'gif'
  if (width < 1 || height < 1 || frames < 1) throw damagedMediaError()
  if (width * height > (isGif ? MAX_GIF_PIXELS : audioVideoLimits.maxPixels)) {
    throw mediaError('too-many-pixels', `${width}x${height} ${isGif ? 'GIF files' : 'videos'} are not supported`)
  }
  const maxFrames = isGif ? MAX_GIF_FRAMES : audioVideoLimits.maxFrames
  if (frames > maxFrames) throw mediaError('too-many-frames', `${frames} frames are more than the ${maxFrames} allowed`)
  // Rounding of the duration may result in slightly more than 120.
  const perSecond = frames / duration
  if (!isGif && frames > 1 && perSecond > audioVideoLimits.maxFramesPerSecond + 1) {
    throw mediaError('too-many-frames', `${Math.round(perSecond)}fps videos are not supported`)
  }
}

function mediaError(fault: 'too-many-pixels' | 'too-many-frames' | 'too-long', text: string) {
  return new UnprocessableMediaError({ fault, text })
}
