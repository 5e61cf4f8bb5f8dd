import { hideAddresses } from '../../../lib/text/hide-addresses.ts'

/** Returns the first line of a job's error, without e-mail addresses. */
export function describeLastError(lastError: string | null): string | null {
  return lastError === null ? null : hideAddresses(lastError.split('\n')[0]!)
}
