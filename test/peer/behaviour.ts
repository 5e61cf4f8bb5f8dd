import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'

/** A request to a fake host, read whole. */
export interface PeerRequest {
  method: string
  /** Path and query, as they came. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface PeerAnswer {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
}

/** One request that a behaviour has to deal with. */
interface Exchange {
  request: PeerRequest
  response: ServerResponse
  /** Answers as if there were no behaviour, with `change` done to the answer. */
  respond(change?: (answer: PeerAnswer) => PeerAnswer): Promise<void>
}

export type Behaviour = (exchange: Exchange) => void | Promise<void>

/** Answers so, whatever was asked. */
export function answer(status: number, { headers = {}, body = '' }: Omit<PeerAnswer, 'status'> = {}): Behaviour {
  return ({ response }) => void response.writeHead(status, headers).end(body)
}

/** 429, with a Retry-After of this many seconds or this very text. */
export function busy(retryAfter: number | string): Behaviour {
  return answer(429, { headers: { 'retry-after': String(retryAfter) } })
}

/** 410: it was here, and never will be again. */
export const gone: Behaviour = answer(410)

export function redirectTo(location: string, status = 302): Behaviour {
  return answer(status, { headers: { location } })
}

/** Takes the request and never says a word. */
export const hang: Behaviour = () => {}

/** Breaks the connection in the middle. */
export const reset: Behaviour = ({ response }) => void response.socket?.destroy()

/** Answers as usual, after a while. */
export function slow(ms: number): Behaviour {
  return async ({ respond }) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    await respond()
  }
}

/** Begins an answer and lets a byte fall now and then, without end. */
export function trickle(everyMs: number): Behaviour {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/activity+json' })
    const drip = setInterval(() => response.write(' '), everyMs)
    response.on('close', () => clearInterval(drip))
  }
}

/** A document of so many bytes, the length of which is told only if `told`. */
export function huge(bytes: number, { told = false }: { told?: boolean } = {}): Behaviour {
  return ({ response }) => {
    let left = bytes
    const spaces = new Readable({
      read(size) {
        const next = Math.min(size, left)
        left -= next
        this.push(next === 0 ? null : Buffer.alloc(next, ' '))
      },
    })
    const headers = { 'content-type': 'application/activity+json', ...(told && { 'content-length': String(bytes) }) }
    spaces.pipe(response.writeHead(200, headers).on('close', () => spaces.destroy()))
  }
}

/** A few bytes that are many once they are decoded. */
export function gzipBomb(bytes: number): Behaviour {
  const body = gzipSync(Buffer.alloc(bytes, ' '))
  return answer(200, {
    headers: { 'content-type': 'application/activity+json', 'content-encoding': 'gzip' },
    body,
  })
}

/** As usual, but called something else; null = called nothing. */
export function callIt(type: string | null): Behaviour {
  return async ({ respond }) =>
    respond((usual) => {
      const { 'content-type': _, ...headers } = usual.headers ?? {}
      return { ...usual, headers: type === null ? headers : { ...headers, 'content-type': type } }
    })
}

/** As usual, with another body. */
export function change(edit: (body: string) => string): Behaviour {
  return async ({ respond }) => respond((usual) => ({ ...usual, body: edit(String(usual.body ?? '')) }))
}
