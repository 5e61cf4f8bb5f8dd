import { identifyMedia } from './identify-media.ts'
import type { MediaContainer, ImageFormat } from './identify-media.ts'
import { UnsupportedMediaError } from './media-errors.ts'

/** How a file is served that is stored without conversion. */
export interface FileType {
  isImage: boolean
  contentType: string
  /** Without the dot. */
  extension: string
}

/** None of these types can execute code in a browser. ASF is missing because browsers do not support it. */
const FILE_TYPES: Record<ImageFormat | Exclude<MediaContainer, 'asf'>, [contentType: string, extension: string]> = {
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

/** Returns the type of a file from its content. @throws UnsupportedMediaError for types that browsers do not support */
export async function detectFileType(path: string): Promise<FileType> {
  const kind = await identifyMedia({ path })
  const format = kind.type === 'image' ? kind.format : kind.container
  if (format === 'asf') throw new UnsupportedMediaError()
  const [contentType, extension] = FILE_TYPES[format]
  return { isImage: kind.type === 'image', contentType, extension }
}
