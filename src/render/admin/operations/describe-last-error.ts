/** E-mail addresses and handles. Mail servers repeat the address of the recipient in their errors. */
const ADDRESS = /[^\s<>"'(),:;]+@[^\s<>"'(),:;]+/g

/** Returns the first line of a job's error, without e-mail addresses. */
export function describeLastError(lastError: string | null): string | null {
  return lastError?.split('\n')[0]!.replace(ADDRESS, '…') ?? null
}
