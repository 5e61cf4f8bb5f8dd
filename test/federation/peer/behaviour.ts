import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'

/** A request to a fake host, with its complete body. */
export interface PeerRequest {
  method: string
  /** The path and query, unchanged. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface PeerResponse {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
}

/** A request and its response, which a behaviour handles. */
interface Exchange {
  request: PeerRequest
  response: ServerResponse
  /** Sends the usual response, after `change`. */
  respond(change?: (answer: PeerResponse) => PeerResponse): Promise<void>
}

export type Behaviour = (exchange: Exchange) => void | Promise<void>

/** Sends this response to every request. */
export function respondWith(status: number, { headers = {}, body = '' }: Omit<PeerResponse, 'status'> = {}): Behaviour {
  return ({ response }) => void response.writeHead(status, headers).end(body)
}

/** Responds 429 with this `Retry-After`, in seconds or as text. */
export function tooManyRequests(retryAfter: number | string): Behaviour {
  return respondWith(429, { headers: { 'retry-after': String(retryAfter) } })
}

/** Responds 410. */
export const gone: Behaviour = respondWith(410)

export function redirectTo(location: string, status = 302): Behaviour {
  return respondWith(status, { headers: { location } })
}

/** Accepts the request and never responds. */
export const neverRespond: Behaviour = () => {}

/** Closes the connection without a response. */
export const resetConnection: Behaviour = ({ response }) => void response.socket?.destroy()

/** Sends the usual response after a delay. */
export function respondAfter(ms: number): Behaviour {
  return async ({ respond }) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    await respond()
  }
}

/** Starts a response and sends one byte at each interval, without end. */
export function trickleResponse(everyMs: number): Behaviour {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/activity+json' })
    const drip = setInterval(() => response.write(' '), everyMs)
    response.on('close', () => clearInterval(drip))
  }
}

/** Responds with a document of `bytes` bytes, with `Content-Length` only if `declaresLength`. */
export function largeBody(bytes: number, { declaresLength = false }: { declaresLength?: boolean } = {}): Behaviour {
  return ({ response }) => {
    let remaining = bytes
    const spaces = new Readable({
      read(size) {
        const next = Math.min(size, remaining)
        remaining -= next
        this.push(next === 0 ? null : Buffer.alloc(next, ' '))
      },
    })
    const headers = {
      'content-type': 'application/activity+json',
      ...(declaresLength && { 'content-length': String(bytes) }),
    }
    spaces.pipe(response.writeHead(200, headers).on('close', () => spaces.destroy()))
  }
}

/** Responds with a small gzip body of `bytes` bytes when decoded. */
export function gzipBomb(bytes: number): Behaviour {
  const body = gzipSync(Buffer.alloc(bytes, ' '))
  return respondWith(200, {
    headers: { 'content-type': 'application/activity+json', 'content-encoding': 'gzip' },
    body,
  })
}

/** Sends the usual response with another `Content-Type`; null: without one. */
export function withContentType(type: string | null): Behaviour {
  return async ({ respond }) =>
    respond((usual) => {
      const { 'content-type': _, ...headers } = usual.headers ?? {}
      return { ...usual, headers: type === null ? headers : { ...headers, 'content-type': type } }
    })
}

/** Sends the usual response with a changed body. */
export function withChangedBody(edit: (body: string) => string): Behaviour {
  return async ({ respond }) => respond((usual) => ({ ...usual, body: edit(String(usual.body ?? '')) }))
}
