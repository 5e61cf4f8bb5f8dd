import type { Readable } from 'node:stream'
import { InsufficientStorageError, RequestError, ServiceUnavailableError } from '../../lib/errors.ts'

/** Path prefix of stored files on this server. */
export const STORAGE_URL_PREFIX = '/system/'

/**
 * Stores files under keys such as `media/3f/3fa9…/original.jpg`. A second `put` replaces a file atomically, so readers
 * never see a mix of both.
 */
export interface Storage {
  /**
   * Stores `body` completely or not at all. When it resolves, the file survives a power failure. The content type must
   * be that of the key's extension.
   * @throws StorageFullError, StorageUnavailableError, and errors of `body`
   */
  put(input: { key: string; body: Readable | Buffer; contentType: string }): Promise<{ size: number }>
  /**
   * Opens a file. Returns null if nothing is stored, and for invalid keys, so that callers may pass the path of a
   * request. The caller must read the stream to its end or destroy it.
   * @throws RangeNotSatisfiableError for a range outside the file
   */
  open(input: { key: string; range?: ByteRange }): Promise<StoredFile | null>
  /** Returns the properties of a file without opening it. Null like `open`. */
  find(input: { key: string }): Promise<FileInfo | null>
  /** Removes files. Ignores missing ones. */
  remove(input: { keys: string[] }): Promise<void>
  /** Lists the files whose keys begin with a folder such as `media/`, in no particular order. */
  list(input: { folder: string }): AsyncIterable<ListedFile>
  /**
   * Makes files private, or readable for all clients as at first. Ignores missing ones. Null: the storage has no access
   * rights of single files, because clients read them only from this server.
   */
  readonly setPublic: ((input: { keys: string[]; isPublic: boolean }) => Promise<void>) | null
}

/** From `start` to `end`, both inclusive and zero-based, or the `last` bytes. */
export type ByteRange = { start: number; end?: number } | { last: number }

export interface FileInfo {
  /** Bytes of the complete file. */
  size: number
  contentType: string
  /** Quoted, like the header. */
  etag: string
  lastModified: Date
}

export interface StoredFile extends FileInfo {
  stream: Readable
  /** The part that is in the stream, both ends inclusive. Null: the complete file. */
  range: { start: number; end: number } | null
}

export interface ListedFile {
  key: string
  /** Bytes. */
  size: number
  lastModified: Date
}

/** 507: the disk is full or the quota is exceeded. Nothing was stored. */
export class StorageFullError extends InsufficientStorageError {
  constructor(cause: unknown) {
    super()
    this.cause = cause
  }
}

/** 503: the storage does not respond, or the disk fails. */
export class StorageUnavailableError extends ServiceUnavailableError {
  constructor(cause: unknown) {
    super()
    this.cause = cause
  }
}

/** 416: the range begins after the end of the file. `size`: bytes of the file, for the `Content-Range` header. */
export class RangeNotSatisfiableError extends RequestError {
  readonly size: number

  constructor(size: number) {
    super(416, 'The requested range is outside the file')
    this.size = size
  }
}

/** Thrown for an invalid key, which is a bug in the caller: users do not choose keys. */
export class InvalidStorageKeyError extends Error {
  constructor(key: string) {
    super(`Not a storage key: ${JSON.stringify(key.slice(0, 100))}`)
    this.name = 'InvalidStorageKeyError'
  }
}

/** All storable types by extension. None of them can execute code in a browser: no HTML, SVG or script. */
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
  // Archives of users, which only their owner can download.
  zip: 'application/zip',
  // Unprocessed uploads, whose keys are never published.
  bin: 'application/octet-stream',
}

const KEY = /^(?:[A-Za-z0-9_-]{1,100}\/){0,8}[A-Za-z0-9_-]{1,100}\.([a-z0-9]{1,5})$/

/**
 * Returns the content type with which a file is served. It depends only on the extension of the key. Null for invalid
 * keys: only the extension may follow a dot, so a key cannot contain `..`, a hidden file or a folder.
 */
export function contentTypeOf(key: string): string | null {
  const extension = KEY.exec(key)?.[1]
  return extension !== undefined && Object.hasOwn(contentTypes, extension) ? contentTypes[extension]! : null
}

/** @throws InvalidStorageKeyError, or TypeError if the file would be served with another type */
export function checkContentType(key: string, contentType: string): void {
  const expected = contentTypeOf(key)
  if (expected === null) throw new InvalidStorageKeyError(key)
  if (contentType !== expected) throw new TypeError(`${key} would be served as ${expected}, not as ${contentType}`)
}

/** @throws InvalidStorageKeyError */
export function checkKeys(keys: readonly string[]): void {
  for (const key of keys) if (contentTypeOf(key) === null) throw new InvalidStorageKeyError(key)
}

/**
 * Returns the first and last byte of a range. An end beyond the file is the end of the file (RFC 9110 §14.1.2).
 * @throws RangeNotSatisfiableError
 */
export function resolveRange(range: ByteRange, size: number): { start: number; end: number } {
  const start = 'last' in range ? Math.max(0, size - range.last) : range.start
  const end = 'last' in range ? size - 1 : Math.min(range.end ?? size - 1, size - 1)
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || start > end)
    throw new RangeNotSatisfiableError(size)
  return { start, end }
}
