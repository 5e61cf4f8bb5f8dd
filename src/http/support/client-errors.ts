import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** For so long what still comes is read and thrown away: closing at once would take the answer back from the sender. */
const LINGER_MS = 1_000

const STATUSES: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/** Answers what never became a request: no HTTP, a head that is too large, a sender that is too slow. */
export function answerClientError(err: Error & { code?: string }, socket: Socket): void {
  if (err.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const status = STATUSES[err.code ?? ''] ?? 400
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
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
