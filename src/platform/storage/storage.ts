import type { Readable } from 'node:stream'
import { OutOfStorage, Refusal, Unavailable } from '../../lib/errors.ts'

/** Where stored files are found on our host. */
export const STORAGE_URL_PREFIX = '/system/'

/**
 * Keeps files under keys such as `media/3f/3fa9…/original.jpg`. A file never changes under its key's readers: a second
 * `put` replaces it whole.
 */
export interface Storage {
  /**
   * Stores all of `body` or nothing; once it resolves, the file survives a power cut. The content type must be the one
   * of the key's extension. Refuses with `StorageFull`; an error of `body` itself comes back as it is.
   */
  put(input: { key: string; body: Readable | Buffer; contentType: string }): Promise<{ size: number }>
  /**
   * Null where nothing is stored, and for anything that could never be a key, so that the path of a request may be
   * passed on. Refuses a range outside the file with `RangeNotSatisfiable`. The caller reads the stream or destroys it.
   */
  open(input: { key: string; range?: ByteRange }): Promise<StoredFile | null>
  /** What is known of a file without reading it. Null as for `open`. */
  find(input: { key: string }): Promise<FileFacts | null>
  /** Absent keys are no error. */
  remove(input: { keys: string[] }): Promise<void>
  /** Everything whose key begins with a folder such as `media/`, in no particular order, while it is being read. */
  list(input: { folder: string }): AsyncIterable<ListedFile>
}

/** From `start` to `end`, both included and counted from 0, or the `last` bytes. */
export type ByteRange = { start: number; end?: number } | { last: number }

export interface FileFacts {
  /** Bytes of the whole file. */
  size: number
  contentType: string
  /** Quoted, as in the header. */
  etag: string
  lastModified: Date
}

export interface StoredFile extends FileFacts {
  stream: Readable
  /** The part that is in the stream, both ends included; null for the whole. */
  range: { start: number; end: number } | null
}

export interface ListedFile {
  key: string
  /** Bytes. */
  size: number
  lastModified: Date
}

/** 507: the disk or its quota is used up; nothing was kept. */
export class StorageFull extends OutOfStorage {
  constructor(cause: unknown) {
    super()
    this.cause = cause
  }
}

/** 503: the storage does not answer. */
export class StorageUnavailable extends Unavailable {
  constructor(cause: unknown) {
    super()
    this.cause = cause
  }
}

/** 416: the range begins after the end of the file. `size`, in bytes, belongs into the `Content-Range` header. */
export class RangeNotSatisfiable extends Refusal {
  readonly size: number

  constructor(size: number) {
    super(416, 'The requested range is outside the file')
    this.size = size
  }
}

/** A mistake of the caller, never of a person: keys are made by us. */
export class InvalidStorageKey extends Error {
  constructor(key: string) {
    super(`Not a storage key: ${JSON.stringify(key.slice(0, 100))}`)
    this.name = 'InvalidStorageKey'
  }
}

/** All that can be stored. Nothing here can run in a browser: no HTML, no SVG, no script. */
const contentTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  ogv: 'video/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  // What nobody has looked at yet: nobody is told its key.
  bin: 'application/octet-stream',
}

const KEY = /^(?:[A-Za-z0-9_-]{1,100}\/){0,8}[A-Za-z0-9_-]{1,100}\.([a-z0-9]{1,5})$/

/**
 * The type a key's file is served with: fixed by its extension, never guessed from its bytes. Null for what is no key:
 * a dot stands only before the extension, so no key can climb, hide or name a folder.
 */
export function contentTypeOf(key: string): string | null {
  const extension = KEY.exec(key)?.[1]
  return extension !== undefined && Object.hasOwn(contentTypes, extension) ? contentTypes[extension]! : null
}

/** @throws InvalidStorageKey · TypeError for a type that the file would not be served with */
export function checkType(key: string, contentType: string): void {
  const expected = contentTypeOf(key)
  if (expected === null) throw new InvalidStorageKey(key)
  if (contentType !== expected) throw new TypeError(`${key} would be served as ${expected}, not as ${contentType}`)
}

/** @throws InvalidStorageKey */
export function checkKeys(keys: readonly string[]): void {
  for (const key of keys) if (contentTypeOf(key) === null) throw new InvalidStorageKey(key)
}

/**
 * Both ends included; an end beyond the file is the file's end (RFC 9110, 14.1.2).
 * @throws RangeNotSatisfiable
 */
export function resolveRange(range: ByteRange, size: number): { start: number; end: number } {
  const start = 'last' in range ? Math.max(0, size - range.last) : range.start
  const end = 'last' in range ? size - 1 : Math.min(range.end ?? size - 1, size - 1)
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || start > end)
    throw new RangeNotSatisfiable(size)
  return { start, end }
}
