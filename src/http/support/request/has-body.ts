import type { IncomingMessage } from 'node:http'

/** Whether a request has a body, by its headers. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Whether a part of the body is still to arrive. If the socket has ended, nothing more can. */
export function awaitsBody(request: IncomingMessage): boolean {
  return !request.complete && hasBody(request) && request.socket.readable
}
