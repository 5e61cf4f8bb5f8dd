/** What a file is that is kept as it came. */
export interface FileKind {
  type: 'image' | 'video' | 'audio'
  contentType: string
  /** Without the dot. */
  extension: string
}

const kind = (type: FileKind['type'], extension: string, contentType: string): FileKind => ({
  type,
  contentType,
  extension,
})

/** Nothing here can run in a browser, whatever else its bytes could be read as. */
const KINDS: Record<string, FileKind> = {
  'image/jpeg': kind('image', 'jpg', 'image/jpeg'),
  'image/png': kind('image', 'png', 'image/png'),
  'image/apng': kind('image', 'png', 'image/png'),
  'image/gif': kind('image', 'gif', 'image/gif'),
  'image/webp': kind('image', 'webp', 'image/webp'),
  'image/avif': kind('image', 'avif', 'image/avif'),
  'video/mp4': kind('video', 'mp4', 'video/mp4'),
  'video/x-m4v': kind('video', 'mp4', 'video/mp4'),
  'video/webm': kind('video', 'webm', 'video/webm'),
  'video/quicktime': kind('video', 'mov', 'video/quicktime'),
  'video/ogg': kind('video', 'ogv', 'video/ogg'),
  'audio/mpeg': kind('audio', 'mp3', 'audio/mpeg'),
  'audio/mp4': kind('audio', 'm4a', 'audio/mp4'),
  'audio/x-m4a': kind('audio', 'm4a', 'audio/mp4'),
  'audio/aac': kind('audio', 'aac', 'audio/aac'),
  'audio/ogg': kind('audio', 'ogg', 'audio/ogg'),
  'audio/flac': kind('audio', 'flac', 'audio/flac'),
  'audio/x-flac': kind('audio', 'flac', 'audio/flac'),
  'audio/wav': kind('audio', 'wav', 'audio/wav'),
}

/** Tells what a file is by its bytes alone; null for all that is no picture, video or sound that browsers know. */
export async function findFileKind(path: string): Promise<FileKind | null> {
  const { fileTypeFromFile } = await import('file-type')
  // The type of a sound in Ogg names its coding, too.
  const mime = (await fileTypeFromFile(path))?.mime.split(';')[0]
  return mime !== undefined && Object.hasOwn(KINDS, mime) ? KINDS[mime]! : null
}
