import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { within } from '../../lib/within.ts'
import { bareEnvironment, confine } from './confine.ts'
import { attach } from './decoder/orders.ts'
import type { Answer, Order, Task } from './decoder/orders.ts'
import { readMessages } from './decoder/read-message.ts'
import type { MessageReader } from './decoder/read-message.ts'
import { killGroup } from './kill-group.ts'
import type { MediaSource } from './probe.ts'
import { MediaUnprocessable, refuseDamaged, UnsupportedMedia } from './refusals.ts'
import { takeTurns } from './take-turns.ts'

const PROGRAM = fileURLToPath(new URL('decoder/main.ts', import.meta.url))

/** Two pictures at once, each in a process of its own. */
const PLACES = 2
const inTurn = takeTurns({ places: PLACES })
/** Decoders that cannot work line by line hold the whole picture: above this they run alone. */
const MAX_SHARED_DECODER_BYTES = 100_000_000

const TIMEOUT_SECONDS = 90
/** Whoever waits no longer for pictures gives their memory back. */
const IDLE_MS = 30_000
/** What one picture may have left in a process is not there for ever. */
const MAX_ORDERS = 200
/** More than two pictures of the largest size can be. */
const MAX_ANSWER_BYTES = 150_000_000

/** As measured: Node reserves 700 MB before it does anything, and AVIF of 33 megapixels needs 600 MB. */
const LIMITS = { memoryBytes: 1_700_000_000, cpuSeconds: 1_800, fileBytes: 0 }

interface Decoder {
  child: ChildProcessByStdio<Writable, Readable, null>
  reader: MessageReader
  orders: number
  idle?: NodeJS.Timeout
}

const idle: Decoder[] = []

/**
 * Has a picture decoded in a process of its own. Refuses with `UnsupportedMedia` what is no picture, and with
 * `MediaUnprocessable` what has more bytes than `maxBytes`, is too large or damaged, takes too long, or breaks the
 * decoder.
 */
export async function askDecoder<T extends object>(input: {
  source: MediaSource
  task: Task
  maxBytes: number
}): Promise<T> {
  const { source, task, maxBytes } = input
  const byteSize = 'path' in source ? (await stat(source.path)).size : source.buffer.length
  if (byteSize > maxBytes) {
    throw new MediaUnprocessable({ fault: 'too-large', text: `size must be less than ${maxBytes / 1_048_576} MB` })
  }
  const ask = (one: Task) =>
    withDecoder((decoder) => converse(decoder, { order: { ...one, ...addressOf(source, byteSize) }, source }))
  const header = await inTurn({ places: 1 }, () => ask({ make: 'header' }))
  if (task.make === 'header') return header as T
  const places = (header as { decoderBytes: number }).decoderBytes > MAX_SHARED_DECODER_BYTES ? PLACES : 1
  return (await inTurn({ places }, () => ask(task))) as T
}

function addressOf(source: MediaSource, byteSize: number) {
  return { path: 'path' in source ? resolve(source.path) : null, byteSize }
}

/** A process whose picture was damaged, or that failed in any other way, is not asked again. */
async function withDecoder<T>(work: (decoder: Decoder) => Promise<T>): Promise<T> {
  const decoder = idle.pop() ?? (await start())
  let isSound = false
  try {
    clearTimeout(decoder.idle)
    hold(decoder, true)
    const result = await work(decoder)
    isSound = true
    return result
  } catch (err) {
    isSound = err instanceof UnsupportedMedia || (err instanceof MediaUnprocessable && err.fault !== 'damaged')
    throw err
  } finally {
    decoder.orders += 1
    if (isSound && decoder.orders < MAX_ORDERS) rest(decoder)
    else killGroup(decoder.child)
  }
}

async function converse(
  { child, reader }: Decoder,
  { order, source }: { order: Order; source: MediaSource },
): Promise<object> {
  child.stdin.write(`${JSON.stringify(order)}\n`)
  if ('buffer' in source) child.stdin.write(source.buffer)
  const answer = await within(TIMEOUT_SECONDS, readAnswer(reader)).catch((err: unknown) => {
    throw refuseDamaged(err)
  })
  if ('broken' in answer) throw new Error(`The decoder made a mistake: ${answer.broken}`)
  if ('unsupported' in answer) throw new UnsupportedMedia(answer.unsupported)
  if ('refused' in answer) throw new MediaUnprocessable(answer.refused)
  return answer.made
}

async function readAnswer(reader: MessageReader): Promise<Exclude<Answer, { made: unknown }> | { made: object }> {
  const answer = (await reader.readLine()) as Answer | null
  if (answer === null) throw new Error('The decoder died')
  if (!('made' in answer)) return answer
  const whole = answer.byteSizes.reduce((sum, one) => sum + one, 0)
  if (!(whole <= MAX_ANSWER_BYTES)) throw new Error('The decoder gives too much')
  const buffers: Buffer[] = []
  for (const size of answer.byteSizes) buffers.push(await reader.readBytes(size))
  return { made: attach(answer.made as object, buffers) }
}

async function start(): Promise<Decoder> {
  const [program = '', ...args] = await confine(LIMITS, [process.execPath, PROGRAM])
  const child = spawn(program, args, {
    cwd: '/',
    env: bareEnvironment,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  await once(child, 'spawn')
  // Whoever waits for an answer hears of its end.
  for (const part of [child, child.stdin, child.stdout]) part.on('error', () => {})
  const decoder = { child, reader: readMessages(child.stdout), orders: 0 }
  child.once('exit', () => forget(decoder))
  return decoder
}

function rest(decoder: Decoder): void {
  hold(decoder, false)
  idle.push(decoder)
  decoder.idle = setTimeout(() => {
    forget(decoder)
    killGroup(decoder.child)
  }, IDLE_MS).unref()
}

/** One that has ended is not asked any more. */
function forget(decoder: Decoder): void {
  clearTimeout(decoder.idle)
  const place = idle.indexOf(decoder)
  if (place >= 0) idle.splice(place, 1)
}

/** Whether this process stays alive for the other. */
function hold({ child }: Decoder, busy: boolean): void {
  for (const part of [child, child.stdin as Socket, child.stdout as Socket]) {
    if (busy) part.ref()
    else part.unref()
  }
}
