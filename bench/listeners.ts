import { WebSocket } from 'ws'
import { percentile } from './load/window.ts'
import { post } from './post.ts'

// A process of its own with all the sockets. It posts, too, so that one clock measures from the answer to the event.

export type ListenerOrder =
  | { open: { port: number; tokens: string[]; comeBack?: boolean } }
  | { await: 'return' }
  | { post: { port: number; token: string; posts: number } }

/** Milliseconds from an answer to each of its events; what came earlier than the answer counts as 0. */
export interface Heard {
  p50: number
  p99: number
  /** Events that never came. */
  missing: number
}

/** Milliseconds from the order to wait for it until each socket was open again. */
export interface Returned {
  p50: number
  p99: number
  last: number
}

/** Sockets that are being opened at once. */
const OPENERS = 20
const PATIENCE_MS = 10_000
/** Between the last event of a post and the next post. */
const PAUSE_MS = 100
/** A client that finds nobody at home tries again after as long as this, at most. */
const RETRY_MS = 1_000

let open = 0
/** What each message is looked for, and when it came. */
let marker = ''
let arrivals: number[] = []
let onAll = () => {}

/** When each socket that was lost was open again, and how many were lost. */
let returns: number[] = []
let lost = 0
let onReturned = () => {}

interface Door {
  port: number
  token: string
  comeBack: boolean
}

async function openOne(door: Door): Promise<void> {
  const headers = { authorization: `Bearer ${door.token}` }
  const url = `ws://127.0.0.1:${door.port}/api/v1/streaming?stream=user`
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).on('error', reject))
  open += 1
  socket.on('message', (data: Buffer) => {
    if (marker === '' || !data.includes(marker)) return
    arrivals.push(performance.now())
    if (arrivals.length === open) onAll()
  })
  if (door.comeBack) socket.once('close', () => void comeBack(door))
}

/** All of them try at once, as apps do, and go on until they are let in. */
async function comeBack(door: Door): Promise<void> {
  open -= 1
  lost += 1
  for (;;) {
    try {
      await openOne(door)
      break
    } catch {
      await pause(Math.random() * RETRY_MS)
    }
  }
  returns.push(performance.now())
  if (returns.length === lost && open === lost) onReturned()
}

async function openAll({
  port,
  tokens,
  comeBack = false,
}: {
  port: number
  tokens: string[]
  comeBack?: boolean
}): Promise<void> {
  const queue = tokens.values()
  const work = async () => {
    for (const token of queue) await openOne({ port, token, comeBack })
  }
  await Promise.all(Array.from({ length: OPENERS }, work))
}

async function awaitReturn(): Promise<Returned> {
  const start = performance.now()
  returns = []
  lost = 0
  await new Promise<void>((resolve) => (onReturned = resolve))
  const sorted = returns.map((at) => at - start).toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), last: sorted.at(-1) ?? 0 }
}

async function measure({ port, token, posts }: { port: number; token: string; posts: number }): Promise<Heard> {
  const latencies: number[] = []
  for (let n = 0; n < posts; n += 1) {
    arrivals = []
    marker = `m${process.pid}x${n}.`
    const all = new Promise<void>((resolve) => (onAll = resolve))
    const { at } = await post({ port }, { token, text: `${marker} Fog over the harbour, every mast a pencil line.` })
    await Promise.race([all, pause(PATIENCE_MS)])
    latencies.push(...arrivals.map((time) => Math.max(0, time - at)))
    await pause(PAUSE_MS)
  }
  const sorted = latencies.toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), missing: posts * open - latencies.length }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function obey(order: ListenerOrder): Promise<void> {
  if ('open' in order) {
    await openAll(order.open)
    process.send!({ open })
  } else if ('await' in order) process.send!(await awaitReturn())
  else process.send!(await measure(order.post))
}

process.on('message', (order: ListenerOrder) => {
  obey(order).catch((err: unknown) => {
    console.error(err)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit())
