/** Returns whether a write failed because the disk is full or the quota is exceeded. */
export function isStorageFullError(err: unknown): boolean {
  const code: unknown = err instanceof Error && 'code' in err ? err.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
}
