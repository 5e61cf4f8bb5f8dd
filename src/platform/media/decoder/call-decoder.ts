import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { withTimeout } from '../../../lib/async/with-timeout.ts'
import { bundledPath } from '../../bundled-path.ts'
import { minimalEnvironment, confineCommand } from '../sandbox/confine-command.ts'
import { restoreBuffers } from './protocol.ts'
import type { DecoderResponse, DecoderRequest, DecoderTask } from './protocol.ts'
import { createMessageReader } from './message-reader.ts'
import type { MessageReader } from './message-reader.ts'
import { killGroup } from '../sandbox/kill-group.ts'
import type { MediaSource } from '../identify-media.ts'
import { UnprocessableMediaError, damagedMediaError, UnsupportedMediaError } from '../media-errors.ts'
import { createConcurrencyLimiter } from '../sandbox/concurrency-limiter.ts'

const PROGRAM = bundledPath('decoder.js') ?? fileURLToPath(new URL('main.ts', import.meta.url))

/** Two images at the same time, each in its own process. */
const MAX_CONCURRENT_DECODERS = 2
const limitConcurrency = createConcurrencyLimiter({ slots: MAX_CONCURRENT_DECODERS })
/** Decoders that cannot work line by line hold the complete image in memory. Above this size, they run alone. */
const MAX_SHARED_DECODER_BYTES = 100_000_000

const TIMEOUT_SECONDS = 90
/** An idle decoder exits after this time to release its memory. */
const IDLE_MS = 30_000
/** Limits how long the effects of one image can persist in a process. */
const MAX_REQUESTS_PER_DECODER = 200
/** More than two images of the maximum size have. */
const MAX_RESPONSE_BYTES = 150_000_000

/** Measured: Node reserves 700 MB at its start, and AVIF with 33 megapixels needs 600 MB. */
const LIMITS = { memoryBytes: 1_700_000_000, cpuSeconds: 1_800, fileBytes: 0 }

/**
 * One arena of `malloc` for all threads: with several, a decoder keeps the memory of each thread that has processed an
 * image. Measured: 155 to 168 instead of 215 MB after 40 images of twelve megapixels, in the same time.
 */
const DECODER_ENVIRONMENT = { ...minimalEnvironment, MALLOC_ARENA_MAX: '1' }

interface Decoder {
  child: ChildProcessByStdio<Writable, Readable, null>
  reader: MessageReader
  requestCount: number
  idle?: NodeJS.Timeout
}

const idle: Decoder[] = []

/**
 * Decodes an image in a separate, confined process.
 * @throws UnsupportedMediaError if the file is not an image
 * @throws UnprocessableMediaError if it has more than `maxBytes` bytes or too many pixels, is damaged, takes too long,
 *   or crashes the decoder
 */
export async function callDecoder<T extends object>(input: {
  source: MediaSource
  task: DecoderTask
  maxBytes: number
}): Promise<T> {
  const { source, task, maxBytes } = input
  const byteSize = 'path' in source ? (await stat(source.path)).size : source.buffer.length
  if (byteSize > maxBytes) {
    const megabytes = Math.round((maxBytes / 1_048_576) * 100) / 100
    throw new UnprocessableMediaError({ fault: 'too-large', text: `size must be less than ${megabytes} MB` })
  }
  const send = (decoderTask: DecoderTask) =>
    withDecoder((decoder) =>
      sendRequest(decoder, { request: { ...decoderTask, ...sourceFields(source, byteSize) }, source }),
    )
  const header = await limitConcurrency({ slots: 1 }, () => send({ make: 'header' }))
  if (task.make === 'header') return header as T
  const slots =
    (header as { decoderBytes: number }).decoderBytes > MAX_SHARED_DECODER_BYTES ? MAX_CONCURRENT_DECODERS : 1
  return (await limitConcurrency({ slots }, () => send(task))) as T
}

function sourceFields(source: MediaSource, byteSize: number) {
  return { path: 'path' in source ? resolve(source.path) : null, byteSize }
}

/** Runs work with an idle or new decoder process. A process that received a damaged image or failed is not reused. */
async function withDecoder<T>(work: (decoder: Decoder) => Promise<T>): Promise<T> {
  const decoder = idle.pop() ?? (await spawnDecoder())
  let isReusable = false
  try {
    clearTimeout(decoder.idle)
    setReferenced(decoder, true)
    const result = await work(decoder)
    isReusable = true
    return result
  } catch (err) {
    isReusable =
      err instanceof UnsupportedMediaError || (err instanceof UnprocessableMediaError && err.fault !== 'damaged')
    throw err
  } finally {
    decoder.requestCount += 1
    if (isReusable && decoder.requestCount < MAX_REQUESTS_PER_DECODER) releaseDecoder(decoder)
    else killGroup(decoder.child)
  }
}

async function sendRequest(
  { child, reader }: Decoder,
  { request, source }: { request: DecoderRequest; source: MediaSource },
): Promise<object> {
  child.stdin.write(`${JSON.stringify(request)}\n`)
  if ('buffer' in source) child.stdin.write(source.buffer)
  const response = await withTimeout(TIMEOUT_SECONDS, readResponse(reader)).catch((err: unknown) => {
    throw damagedMediaError(err)
  })
  if ('broken' in response) throw new Error(`The decoder failed: ${response.broken}`)
  if ('unsupported' in response) throw new UnsupportedMediaError(response.unsupported)
  if ('unprocessable' in response) throw new UnprocessableMediaError(response.unprocessable)
  return response.made
}

async function readResponse(
  reader: MessageReader,
): Promise<Exclude<DecoderResponse, { made: unknown }> | { made: object }> {
  const response = (await reader.readLine()) as DecoderResponse | null
  if (response === null) throw new Error('The decoder exited unexpectedly')
  if (!('made' in response)) return response
  const totalBytes = response.byteSizes.reduce((sum, size) => sum + size, 0)
  if (!(totalBytes <= MAX_RESPONSE_BYTES)) throw new Error('The decoder response is too large')
  const buffers: Buffer[] = []
  for (const size of response.byteSizes) buffers.push(await reader.readBytes(size))
  return { made: restoreBuffers(response.made as object, buffers) }
}

async function spawnDecoder(): Promise<Decoder> {
  const [program = '', ...args] = await confineCommand(LIMITS, [process.execPath, PROGRAM])
  const child = spawn(program, args, {
    cwd: '/',
    env: DECODER_ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  await once(child, 'spawn')
  // Errors are ignored here: a pending request fails because the output ends.
  for (const part of [child, child.stdin, child.stdout]) part.on('error', () => {})
  const decoder = { child, reader: createMessageReader(child.stdout), requestCount: 0 }
  child.once('exit', () => removeIdleDecoder(decoder))
  return decoder
}

function releaseDecoder(decoder: Decoder): void {
  setReferenced(decoder, false)
  idle.push(decoder)
  decoder.idle = setTimeout(() => {
    removeIdleDecoder(decoder)
    killGroup(decoder.child)
  }, IDLE_MS).unref()
}

/** Removes a decoder from the idle ones, so that no request uses it. */
function removeIdleDecoder(decoder: Decoder): void {
  clearTimeout(decoder.idle)
  const index = idle.indexOf(decoder)
  if (index >= 0) idle.splice(index, 1)
}

/** Sets whether the decoder keeps this process alive. */
function setReferenced({ child }: Decoder, isBusy: boolean): void {
  for (const part of [child, child.stdin as Socket, child.stdout as Socket]) {
    if (isBusy) part.ref()
    else part.unref()
  }
}
