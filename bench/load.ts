import { connect } from 'node:net'
import type { Socket } from 'node:net'
import pg from 'pg'
import type { Connection } from '../src/platform/db/connect.ts'

/** What is asked again and again. Lists are gone through one by one, so that nobody reaches a limit. */
export interface Requests {
  port: number
  method: 'GET' | 'POST'
  paths: string[]
  tokens?: string[]
  /** So many addresses, which a proxy would name. */
  addresses?: number
  /** Posts a text that is never the same. */
  posts?: boolean
}

/** Commits of one row each, instead of requests. */
export interface Commits {
  connection: Connection
}

export type Work = Requests | Commits

export interface Order {
  work: Work
  connections: number
  warmUpMs: number
  windowMs: number
}

export interface Outcome {
  /** Per second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Answers that were not 2xx, in the window. */
  failures: number
  /** Of the last answer. */
  bytes: number
}

/** What a load process tells: that the window begins, that it is over, what came out. */
export type Report = { began: true } | { ended: true; outcome: Outcome }

class Window {
  #latencies: number[] = []
  failures = 0
  bytes = 0
  open = false

  count(ms: number, ok: boolean): void {
    if (!this.open) return
    this.#latencies.push(ms)
    if (!ok) this.failures += 1
  }

  close(windowMs: number): Outcome {
    this.open = false
    const sorted = Float64Array.from(this.#latencies).toSorted()
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    const { failures, bytes } = this
    return { rate: (sorted.length * 1000) / windowMs, p50: at(0.5), p99: at(0.99), failures, bytes }
  }
}

let sent = 0

function writeRequest({ port, method, paths, tokens, addresses, posts }: Requests): string {
  sent += 1
  const lines = [`${method} ${paths[sent % paths.length]} HTTP/1.1`, `Host: localhost:${port}`]
  if (tokens) lines.push(`Authorization: Bearer ${tokens[sent % tokens.length]}`)
  if (addresses)
    lines.push(`X-Forwarded-For: 198.18.${Math.floor((sent % addresses) / 250)}.${(sent % addresses) % 250}`)
  const body = posts ? JSON.stringify({ status: `Number ${sent} of many #bench`, visibility: 'public' }) : ''
  if (posts) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** One connection that stays open: a question, its whole answer, the next question. */
async function ask(requests: Requests, window: Window, isOver: () => boolean): Promise<void> {
  const socket = connect(requests.port, '127.0.0.1').setNoDelay()
  try {
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    while (!isOver()) {
      const start = performance.now()
      socket.write(writeRequest(requests))
      const { status, bytes } = await readAnswer(socket)
      window.count(performance.now() - start, status >= 200 && status < 300)
      window.bytes = bytes
    }
  } finally {
    socket.destroy()
  }
}

function readAnswer(socket: Socket): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    let head: Buffer | null = Buffer.alloc(0)
    let status = 0
    let bytes = 0
    let missing = 0
    const done = (finish: () => void) => {
      socket.off('data', read).off('close', fail)
      finish()
    }
    const fail = () => done(() => reject(new Error('The server closed the connection')))
    const read = (chunk: Buffer) => {
      if (head) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const text = head.toString('latin1', 0, end)
        status = Number(text.slice(9, 12))
        const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
        if (length === undefined) return done(() => reject(new Error(`An answer of unknown length: ${text}`)))
        bytes = Number(length)
        missing = bytes - (head.length - end - 4)
        head = null
      } else missing -= chunk.length
      if (missing <= 0) done(() => resolve({ status, bytes }))
    }
    socket.on('data', read).on('close', fail)
  })
}

async function commit({ connection }: Commits, window: Window, isOver: () => boolean): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    while (!isOver()) {
      const start = performance.now()
      const text = 'insert into bench_commits (text) values ($1)'
      await client.query({ name: 'commit', text, values: ['one row'] })
      window.count(performance.now() - start, true)
    }
  } finally {
    await client.end()
  }
}

async function obey({ work, connections, warmUpMs, windowMs }: Order, tell: (report: Report) => void): Promise<void> {
  const window = new Window()
  let over = false
  const isOver = () => over
  const asking = Array.from({ length: connections }, async () =>
    'connection' in work ? commit(work, window, isOver) : ask(work, window, isOver),
  )
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  await Promise.race([Promise.all(asking), pause(warmUpMs)])
  window.open = true
  const start = performance.now()
  tell({ began: true })
  await Promise.race([Promise.all(asking), pause(windowMs)])
  const outcome = window.close(performance.now() - start)
  over = true
  // Whoever hears of the end may stop the server at once.
  await Promise.all(asking)
  tell({ ended: true, outcome })
}

process.on('message', (order: Order) => {
  obey(order, (report) => process.send?.(report)).catch((err: unknown) => {
    console.error(err)
    process.exit(1)
  })
})
