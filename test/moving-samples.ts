import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Why tests of moving media can't run here; false where they can. */
export const noFfmpeg = spawnSync('ffprobe', ['-version']).error ? 'ffmpeg is not installed' : false

/** What must not be found in anything that is served. */
export const SECRET = 'Sekret-Remark'

const PICTURES = ['-f', 'lavfi', '-i', 'testsrc=size=128x96:rate=10:duration=1']
const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1']
const COVER = ['-f', 'lavfi', '-i', 'color=red:size=64x64:duration=1:rate=1']
const TOLD = [
  '-metadata',
  `title=${SECRET}`,
  '-metadata',
  `comment=${SECRET}`,
  '-metadata',
  'location=+52.5200+013.4050/',
]
const both = [...PICTURES, ...TONE, ...TOLD]
const WITH_COVER = ['-map', '0:a', '-map', '1:v', '-c:v', 'png', '-frames:v', '1', '-disposition:v', 'attached_pic']

/** A second of each kind, as people's cameras and programs write it. */
export const samples = {
  mp4: [...both, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', 'a.mp4'],
  mov: [...both, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'pcm_s16le', 'a.mov'],
  'mp4 with four samples of colour': [...both, '-c:v', 'libx264', '-pix_fmt', 'yuv444p', '-c:a', 'aac', 'a.mp4'],
  'mp4 without a sound': [...PICTURES, ...TOLD, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', 'a.mp4'],
  webm: [...both, '-c:v', 'libvpx', '-c:a', 'libvorbis', 'a.webm'],
  ogv: [...both, '-c:v', 'libtheora', '-c:a', 'libvorbis', 'a.ogv'],
  gif: [...PICTURES, ...TOLD, 'a.gif'],
  mp3: [...TONE, ...COVER, ...WITH_COVER, ...TOLD, '-c:a', 'libmp3lame', 'a.mp3'],
  flac: [...TONE, ...TOLD, 'a.flac'],
  wav: [...TONE, ...TOLD, 'a.wav'],
  ogg: [...TONE, ...TOLD, '-c:a', 'libvorbis', 'a.ogg'],
  opus: [...TONE, ...TOLD, '-c:a', 'libopus', 'a.opus'],
  'webm of sound': [...TONE, ...TOLD, '-c:a', 'libopus', 'a.webm'],
  m4a: [...TONE, ...TOLD, '-c:a', 'aac', 'a.m4a'],
  aac: [...TONE, '-c:a', 'aac', 'a.aac'],
  wma: [...TONE, ...TOLD, '-c:a', 'wmav2', 'a.wma'],
} satisfies Record<string, string[]>

/** What `makeSample` has written in this process. */
const written = new Map<string, Promise<Buffer>>()

/**
 * Writes a sample by ffmpeg, once for each list of arguments. They end with the file's name, which says its kind.
 * The stored promise is awaited here, not by the caller: who awaits a promise of another test file continues in that
 * file's context for `node:test`, and cannot add tests to its own suite.
 */
export async function makeSample(args: readonly string[]): Promise<Buffer> {
  const key = JSON.stringify(args)
  const pending = written.get(key) ?? writeSample(args)
  written.set(key, pending)
  const sample = await pending
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

/** The same from one that was made before: `args` between the input and the file's name. */
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

/** What ffprobe says of a file. */
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
