import { UnsupportedMedia } from './refusals.ts'

export type MediaSource = { path: string } | { buffer: Buffer }

export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'

export interface MediaKind {
  type: 'image'
  format: ImageFormat
}

/** What counts as which kind. Of an animated PNG the still picture is taken. */
const formats: Record<string, ImageFormat> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

/**
 * Tells what a file is by its bytes alone: its name and the type a client claims are not asked for. It looks at the
 * beginning only; whether the rest is sound shows when it is decoded. Refuses all else with `UnsupportedMedia`.
 */
export async function identify(source: MediaSource): Promise<MediaKind> {
  const mime = await detect(source)
  const format = mime !== undefined && Object.hasOwn(formats, mime) ? formats[mime] : undefined
  if (format === undefined) throw new UnsupportedMedia()
  return { type: 'image', format }
}

/** Loaded on first use: a process that handles no media shall not pay for it. */
async function detect(source: MediaSource): Promise<string | undefined> {
  const { fileTypeFromBuffer, fileTypeFromFile } = await import('file-type')
  const found = 'path' in source ? fileTypeFromFile(source.path) : fileTypeFromBuffer(source.buffer)
  return (await found)?.mime
}
