import { MastoHttpError } from 'masto'

/** Returns whether the server has no such thing, or none that the user may see. */
export function isMissing(error: unknown): boolean {
  return error instanceof MastoHttpError && error.statusCode === 404
}
