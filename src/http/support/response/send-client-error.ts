import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/**
 * How long incoming data is still discarded: closing the connection at once would reset it before the client has the
 * response.
 */
const DRAIN_MS = 1_000

const STATUS_OF_CODE: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/**
 * Responds to errors before a request exists: malformed HTTP (400), headers that are too large (431), timeouts (408).
 */
export function sendClientError(err: Error & { code?: string }, socket: Socket): void {
  if (err.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const status = STATUS_OF_CODE[err.code ?? ''] ?? 400
  const body = JSON.stringify({ error: STATUS_CODES[status] })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  )
  socket.resume()
  setTimeout(() => socket.destroy(), DRAIN_MS).unref()
}
