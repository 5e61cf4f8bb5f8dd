import { MastoHttpError } from 'masto'

/**
 * Returns what the server says about a failed request; `otherwise` if there was no usable response: the errors of
 * browsers and of masto.js are in English, and explain nothing to users.
 */
export function reasonOf(error: unknown, otherwise: string): string {
  return error instanceof MastoHttpError && error.message !== '' ? error.message : otherwise
}
