import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const ffprobeVersion = spawnSync('ffprobe', ['-version'])

/** The reason to skip tests of video and audio; false if ffmpeg is installed. */
export const noFfmpeg = ffprobeVersion.error ? 'ffmpeg is not installed' : false

/** Samples of earlier runs, because writing all of them takes ten seconds of processor time. */
const STORED_SAMPLES = new URL('../../node_modules/.cache/linnet/media-samples/', import.meta.url).pathname

/** A text in the metadata of the samples, which no served file may contain. */
export const SECRET = 'Sekret-Remark'

const VIDEO_INPUT = ['-f', 'lavfi', '-i', 'testsrc=size=128x96:rate=10:duration=1']
const AUDIO_INPUT = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1']
const COVER = ['-f', 'lavfi', '-i', 'color=red:size=64x64:duration=1:rate=1']
const METADATA_OPTIONS = [
  '-metadata',
  `title=${SECRET}`,
  '-metadata',
  `comment=${SECRET}`,
  '-metadata',
  'location=+52.5200+013.4050/',
]
const videoWithAudio = [...VIDEO_INPUT, ...AUDIO_INPUT, ...METADATA_OPTIONS]
const WITH_COVER = ['-map', '0:a', '-map', '1:v', '-c:v', 'png', '-frames:v', '1', '-disposition:v', 'attached_pic']

/** The ffmpeg arguments for a second of each format, as cameras and programs write it. */
export const SAMPLE_ARGUMENTS = {
  mp4: [...videoWithAudio, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', 'a.mp4'],
  mov: [...videoWithAudio, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'pcm_s16le', 'a.mov'],
  'mp4 with 4:4:4 chroma': [...videoWithAudio, '-c:v', 'libx264', '-pix_fmt', 'yuv444p', '-c:a', 'aac', 'a.mp4'],
  'mp4 without audio': [...VIDEO_INPUT, ...METADATA_OPTIONS, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', 'a.mp4'],
  webm: [...videoWithAudio, '-c:v', 'libvpx', '-c:a', 'libvorbis', 'a.webm'],
  ogv: [...videoWithAudio, '-c:v', 'libtheora', '-c:a', 'libvorbis', 'a.ogv'],
  gif: [...VIDEO_INPUT, ...METADATA_OPTIONS, 'a.gif'],
  mp3: [...AUDIO_INPUT, ...COVER, ...WITH_COVER, ...METADATA_OPTIONS, '-c:a', 'libmp3lame', 'a.mp3'],
  flac: [...AUDIO_INPUT, ...METADATA_OPTIONS, 'a.flac'],
  wav: [...AUDIO_INPUT, ...METADATA_OPTIONS, 'a.wav'],
  ogg: [...AUDIO_INPUT, ...METADATA_OPTIONS, '-c:a', 'libvorbis', 'a.ogg'],
  opus: [...AUDIO_INPUT, ...METADATA_OPTIONS, '-c:a', 'libopus', 'a.opus'],
  'webm with audio only': [...AUDIO_INPUT, ...METADATA_OPTIONS, '-c:a', 'libopus', 'a.webm'],
  m4a: [...AUDIO_INPUT, ...METADATA_OPTIONS, '-c:a', 'aac', 'a.m4a'],
  aac: [...AUDIO_INPUT, '-c:a', 'aac', 'a.aac'],
  wma: [...AUDIO_INPUT, ...METADATA_OPTIONS, '-c:a', 'wmav2', 'a.wma'],
} satisfies Record<string, string[]>

/** The samples that `makeSample` has written in this process. */
const samples = new Map<string, Promise<Buffer>>()

/**
 * Writes a sample with ffmpeg, once for each list of arguments, which end with the file name and so with the format.
 * The function awaits the stored promise itself: code that awaits a promise of another test file continues in that
 * file's `node:test` context and cannot add tests to its own suite.
 */
export async function makeSample(args: readonly string[]): Promise<Buffer> {
  const key = JSON.stringify(args)
  const pending = samples.get(key) ?? readOrWriteSample(args)
  samples.set(key, pending)
  const sample = await pending
  return sample
}

/** Reads a sample that an earlier run with the same version of ffmpeg has stored, or writes and stores it. */
async function readOrWriteSample(args: readonly string[]): Promise<Buffer> {
  const content = JSON.stringify([String(ffprobeVersion.stdout), args])
  const path = join(STORED_SAMPLES, createHash('sha256').update(content).digest('hex'))
  const stored = await readFile(path).catch(() => null)
  if (stored) return stored
  const sample = await writeSample(args)
  try {
    await mkdir(STORED_SAMPLES, { recursive: true })
    // Another process must not read half a sample.
    const draft = `${path}.${process.pid}`
    await writeFile(draft, sample)
    await rename(draft, path)
  } catch {
    // A run in a read-only clone stores nothing.
  }
  return sample
}

async function writeSample(args: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-sample-'))
  try {
    const path = join(folder, args.at(-1)!)
    await run('ffmpeg', ['-nostdin', '-v', 'error', ...args.slice(0, -1), path])
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Converts a sample; `args` follow the input and end with the file name. */
export async function remakeSample(sample: Buffer, args: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-sample-'))
  try {
    const path = join(folder, 'before')
    await writeFile(path, sample)
    return await writeSample(['-i', path, ...args])
  } finally {
    await rm(folder, { recursive: true })
  }
}

export interface Probed {
  format: { format_name: string; duration: string; tags?: Record<string, string> }
  streams: { codec_name: string; codec_type: string; width?: number; height?: number; pix_fmt?: string }[]
}

/** Returns the output of ffprobe for a file. */
export async function probe(file: Buffer): Promise<Probed> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-sample-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, file)
    const options = ['-v', 'error', '-show_format', '-show_streams', '-of', 'json']
    return JSON.parse((await run('ffprobe', [...options, path])).stdout) as Probed
  } finally {
    await rm(folder, { recursive: true })
  }
}
