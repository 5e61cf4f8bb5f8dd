import { RequestError } from './errors.ts'

/**
 * Returns the message of an error for administrators, in the log and in the lists of jobs. The text of a request error
 * is for clients and does not say what failed, so the message of its cause follows.
 */
export function describeError(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  if (!(err instanceof RequestError) || !(err.cause instanceof Error)) return err.message
  const { message, name } = err.cause
  return `${err.message} (${message || name})`
}
