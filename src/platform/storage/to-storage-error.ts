import { StorageFullError, StorageUnavailableError } from './storage.ts'

const FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/**
 * The disk fails, the system has made it read-only after a failure, the file server does not respond, the server's user
 * may not use the folder, or too many files are open.
 */
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EHOSTDOWN',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOTCONN',
  'ENXIO',
  'EPERM',
  'EROFS',
  'ESTALE',
])

/** Returns a StorageFullError or a StorageUnavailableError for an error of a file or folder, and others unchanged. */
export function toStorageError(err: unknown): unknown {
  const { code, syscall = '' } = (err instanceof Error ? err : {}) as NodeJS.ErrnoException
  if (FULL_CODES.has(code)) return new StorageFullError(err)
  // Sockets and programs have some of the same errors.
  return UNAVAILABLE_CODES.has(code) && !/^(connect|spawn)/.test(syscall) ? new StorageUnavailableError(err) : err
}
