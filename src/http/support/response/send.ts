import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { jsonBytes, shortJsonText, writeJson } from '../../../lib/json/json-content.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'

/** Up to this length, JSON is sent at once, with `Content-Length`. */
const MAX_UNSTREAMED_CHARACTERS = 256 * 1024

/** Up to this length, JSON is sent as text, because Node writes a text and the headers at once. */
const MAX_TEXT_LENGTH = 8 * 1024

/** Sends the JSON of an entity or a list of entities. */
export function sendJson(reply: FastifyReply, json: EntityJson<unknown>): FastifyReply {
  reply.type('application/json; charset=utf-8')
  if (typeof json.content === 'string') return reply.send(json.content)
  const text = shortJsonText(json, MAX_TEXT_LENGTH)
  if (text !== null) return reply.send(text)
  const slab = acquireBuffer()
  // When the response closes, its bytes are in the kernel, or the client is gone.
  reply.raw.once('close', () => releaseBuffer(slab))
  const bytes = writeJson(json, slab) ?? jsonBytes(json)
  return reply.send(bytes)
}

/**
 * Sends JSON that is generated in chunks, no faster than the client reads it. An error in the first chunks gets an
 * error response; a later one closes the connection, since the response has already started.
 */
export async function sendJsonChunks(
  reply: FastifyReply,
  chunks: AsyncGenerator<string, void, undefined>,
): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8')
  let buffered = ''
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    buffered += next.value
    if (buffered.length > MAX_UNSTREAMED_CHARACTERS)
      return reply.send(Readable.from(streamRest(buffered, chunks), { objectMode: false }))
  }
  return reply.send(buffered)
}

async function* streamRest(buffered: string, rest: AsyncGenerator<string, void, undefined>): AsyncGenerator<string> {
  yield buffered
  yield* rest
}

/**
 * Sends an empty response with the content type HTML, as Mastodon does: some clients accept no other type without a
 * body.
 */
export function sendEmpty(reply: FastifyReply): FastifyReply {
  return reply.type('text/html; charset=utf-8').send('')
}

/** Most responses fit into a buffer of this size. */
const BUFFER_BYTES = 128 * 1024

/** How many unused buffers are retained. */
const MAX_POOLED = 32

const pool: Buffer[] = []

/** Returns a buffer for temporary use. Reusing buffers avoids garbage collection for each response. */
function acquireBuffer(): Buffer {
  return pool.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)
}

/** Returns a buffer to the pool. The caller must not use it afterwards. */
function releaseBuffer(buffer: Buffer): void {
  if (pool.length < MAX_POOLED) pool.push(buffer)
}
