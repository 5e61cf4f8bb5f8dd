import { open } from 'node:fs/promises'
import { UnsupportedMediaError } from './media-errors.ts'

export type MediaSource = { path: string } | { buffer: Buffer }

export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'

/** Containers of video or audio. Which of them a file contains is known only after probing it. */
export type MediaContainer = 'mp4' | 'webm' | 'ogg' | 'wav' | 'mp3' | 'flac' | 'aac' | 'asf'

export type MediaKind = { type: 'image'; format: ImageFormat } | { type: 'moving'; container: MediaContainer }

/** Signatures are within the first bytes of a file, or after an ID3 tag, whose header has its length. */
const SIGNATURE_BYTES = 64
const ID3_HEADER_BYTES = 10

/**
 * Returns the format of a file from its first bytes. Ignores its name and the content type that a client sent. Does not
 * check the rest of the file.
 * @throws UnsupportedMediaError for unknown formats
 */
export async function identifyMedia(source: MediaSource): Promise<MediaKind> {
  if ('buffer' in source) return identifyFrom(async (at) => source.buffer.subarray(at, at + SIGNATURE_BYTES))
  const file = await open(source.path)
  try {
    return await identifyFrom(async (at) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, at)
      return buffer.subarray(0, bytesRead)
    })
  } finally {
    await file.close()
  }
}

async function identifyFrom(read: (at: number) => Promise<Buffer>): Promise<MediaKind> {
  const head = await read(0)
  const format = imageFormatOf(head)
  if (format) return { type: 'image', format }
  const container =
    head.toString('latin1', 0, 3) === 'ID3' ? audioFormatOf(await read(id3TagEnd(head))) : containerOf(head)
  if (container) return { type: 'moving', container }
  throw new UnsupportedMediaError(isHeic(head) ? HEIC : undefined)
}

const HEIC = 'HEIC pictures are not supported: send them as JPEG'
const AVIF_BRANDS = ['avif', 'avis']
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']
const OTHER_BRANDS = ['crx ', 'jp2 ', 'jpx ', 'jpm ', 'mjp2']

function imageFormatOf(head: Buffer): ImageFormat | null {
  if (startsWith(head, 'ffd8ff')) return 'jpeg'
  if (startsWith(head, '89504e470d0a1a0a')) return 'png'
  const text = head.toString('latin1')
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp'
  return brandsOf(head).some((brand) => AVIF_BRANDS.includes(brand)) ? 'avif' : null
}

function isHeic(head: Buffer): boolean {
  return brandsOf(head).some((brand) => HEIC_BRANDS.includes(brand))
}

/** The brands of a file of the MP4 family, the major one first. */
function brandsOf(head: Buffer): string[] {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [head.toString('latin1', 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  return brands
}

function containerOf(head: Buffer): MediaContainer | null {
  const text = head.toString('latin1')
  const box = text.slice(4, 8)
  if (box === 'ftyp') {
    const [major = ''] = brandsOf(head)
    return HEIC_BRANDS.includes(major) || OTHER_BRANDS.includes(major) ? null : 'mp4'
  }
  // Old QuickTime files begin with one of these.
  if (['moov', 'mdat', 'wide', 'free', 'skip'].includes(box)) return 'mp4'
  if (startsWith(head, '1a45dfa3') && text.includes('webm')) return 'webm'
  if (text.startsWith('OggS')) return 'ogg'
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'wav'
  if (startsWith(head, '3026b2758e66cf11')) return 'asf'
  return audioFormatOf(head)
}

/** Returns the formats that may follow an ID3 tag. */
function audioFormatOf(head: Buffer): MediaContainer | null {
  if (head.toString('latin1', 0, 4) === 'fLaC') return 'flac'
  if (head.length < 4 || head[0] !== 0xff || (head[1]! & 0xe0) !== 0xe0) return null
  const layer = (head[1]! >> 1) & 3
  if (layer === 0) return (head[1]! & 0xf0) === 0xf0 ? 'aac' : null
  // All bits set are invalid for the bit rate and for the sample rate.
  return (head[2]! & 0xf0) !== 0xf0 && (head[2]! & 0x0c) !== 0x0c ? 'mp3' : null
}

/** Returns the end of an ID3 tag, whose length is stored as four bytes of seven bits. */
function id3TagEnd(head: Buffer): number {
  if (head.length < ID3_HEADER_BYTES) return 0
  return ID3_HEADER_BYTES + [6, 7, 8, 9].reduce((size, at) => (size << 7) | (head[at]! & 0x7f), 0)
}

function startsWith(head: Buffer, hex: string): boolean {
  return head.toString('hex', 0, hex.length / 2) === hex
}
