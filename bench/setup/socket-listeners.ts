import { WebSocket } from 'ws'
import { percentile } from '../load/measurement-window.ts'
import { post } from './post-status.ts'

// A process with all sockets. It also posts, so that one clock measures the time from the response to the event.

export type ListenerCommand =
  | { open: { port: number; tokens: string[]; reconnects?: boolean } }
  | { await: 'reconnects' }
  | { post: { port: number; token: string; posts: number } }

/** Milliseconds from the response to each of its events; events that arrive before the response count as 0. */
export interface EventLatencies {
  p50: number
  p99: number
  /** The number of missing events. */
  missing: number
}

/** Milliseconds from the command until each socket was open again. */
export interface ReconnectTimes {
  p50: number
  p99: number
  last: number
}

/** The number of sockets that are opened concurrently. */
const OPENERS = 20
const TIMEOUT_MS = 10_000
/** The pause between the last event of a post and the next post. */
const PAUSE_MS = 100
/** The maximum pause before a client reconnects. */
const RETRY_MS = 1_000

let open = 0
/** The text that identifies the events of the current post, and their times. */
let marker = ''
let arrivals: number[] = []
let onAll = () => {}

/** The times at which lost sockets were open again, and the number of lost sockets. */
let reconnectTimes: number[] = []
let lost = 0
let onReconnected = () => {}

interface ServerEndpoint {
  port: number
  token: string
  reconnects: boolean
}

async function openOne(endpoint: ServerEndpoint): Promise<void> {
  const headers = { authorization: `Bearer ${endpoint.token}` }
  const url = `ws://127.0.0.1:${endpoint.port}/api/v1/streaming?stream=user`
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).on('error', reject))
  open += 1
  socket.on('message', (data: Buffer) => {
    if (marker === '' || !data.includes(marker)) return
    arrivals.push(performance.now())
    if (arrivals.length === open) onAll()
  })
  if (endpoint.reconnects) socket.once('close', () => void reconnect(endpoint))
}

/** Reconnects a socket, repeatedly until the server accepts it; all sockets do so at once, like apps. */
async function reconnect(endpoint: ServerEndpoint): Promise<void> {
  open -= 1
  lost += 1
  for (;;) {
    try {
      await openOne(endpoint)
      break
    } catch {
      await pause(Math.random() * RETRY_MS)
    }
  }
  reconnectTimes.push(performance.now())
  if (reconnectTimes.length === lost && open === lost) onReconnected()
}

async function openAll({
  port,
  tokens,
  reconnects = false,
}: {
  port: number
  tokens: string[]
  reconnects?: boolean
}): Promise<void> {
  const queue = tokens.values()
  const work = async () => {
    for (const token of queue) await openOne({ port, token, reconnects })
  }
  await Promise.all(Array.from({ length: OPENERS }, work))
}

async function awaitReconnects(): Promise<ReconnectTimes> {
  const start = performance.now()
  reconnectTimes = []
  lost = 0
  await new Promise<void>((resolve) => (onReconnected = resolve))
  const sorted = reconnectTimes.map((at) => at - start).toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), last: sorted.at(-1) ?? 0 }
}

async function measure({
  port,
  token,
  posts,
}: {
  port: number
  token: string
  posts: number
}): Promise<EventLatencies> {
  const latencies: number[] = []
  for (let n = 0; n < posts; n += 1) {
    arrivals = []
    marker = `m${process.pid}x${n}.`
    const all = new Promise<void>((resolve) => (onAll = resolve))
    const { at } = await post({ port }, { token, text: `${marker} Fog over the harbour, every mast a pencil line.` })
    await Promise.race([all, pause(TIMEOUT_MS)])
    latencies.push(...arrivals.map((time) => Math.max(0, time - at)))
    await pause(PAUSE_MS)
  }
  const sorted = latencies.toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), missing: posts * open - latencies.length }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function execute(command: ListenerCommand): Promise<void> {
  if ('open' in command) {
    await openAll(command.open)
    process.send!({ open })
  } else if ('await' in command) process.send!(await awaitReconnects())
  else process.send!(await measure(command.post))
}

process.on('message', (command: ListenerCommand) => {
  execute(command).catch((err: unknown) => {
    console.error(err)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit())
