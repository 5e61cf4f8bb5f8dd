import { identify } from './probe.ts'
import type { Container, ImageFormat } from './probe.ts'
import { UnsupportedMedia } from './refusals.ts'

/** How a file is served that is kept as it came. */
export interface FileKind {
  isImage: boolean
  contentType: string
  /** Without the dot. */
  extension: string
}

/** Nothing here can run in a browser, whatever else its bytes could be read as. Of ASF no browser knows. */
const KINDS: Record<ImageFormat | Exclude<Container, 'asf'>, [contentType: string, extension: string]> = {
  jpeg: ['image/jpeg', 'jpg'],
  png: ['image/png', 'png'],
  gif: ['image/gif', 'gif'],
  webp: ['image/webp', 'webp'],
  avif: ['image/avif', 'avif'],
  mp4: ['video/mp4', 'mp4'],
  webm: ['video/webm', 'webm'],
  ogg: ['audio/ogg', 'ogg'],
  mp3: ['audio/mpeg', 'mp3'],
  aac: ['audio/aac', 'aac'],
  flac: ['audio/flac', 'flac'],
  wav: ['audio/wav', 'wav'],
}

/** Tells what a file is by its bytes alone. @throws UnsupportedMedia for all that browsers do not know */
export async function findFileKind(path: string): Promise<FileKind> {
  const kind = await identify({ path })
  const format = kind.type === 'image' ? kind.format : kind.container
  if (format === 'asf') throw new UnsupportedMedia()
  const [contentType, extension] = KINDS[format]
  return { isImage: kind.type === 'image', contentType, extension }
}
