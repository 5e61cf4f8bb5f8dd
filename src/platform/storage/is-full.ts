/** Whether a write failed because the disk or its quota is used up. */
export function isFull(err: unknown): boolean {
  const code: unknown = err instanceof Error && 'code' in err ? err.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
}
