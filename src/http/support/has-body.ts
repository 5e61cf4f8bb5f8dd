import type { IncomingMessage } from 'node:http'

/** Whether a body follows the headers of a request. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
