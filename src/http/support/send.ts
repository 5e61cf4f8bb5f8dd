import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { jsonBytes, writeJson } from '../../lib/entity-json.ts'
import type { EntityJson } from '../../lib/entity-json.ts'
import { giveSlab, takeSlab } from '../../lib/slabs.ts'

/** What is no longer than this is sent whole, with its length. */
const WHOLE_CHARACTERS = 256 * 1024

/** Sends JSON of an entity or a list of them. */
export function sendJson(reply: FastifyReply, json: EntityJson<unknown>): FastifyReply {
  reply.type('application/json; charset=utf-8')
  const [text] = json.chunks
  if (json.chunks.length === 1 && typeof text === 'string') return reply.send(text)
  const slab = takeSlab()
  // When the response closes, its bytes are in the kernel, or the client is gone.
  reply.raw.once('close', () => giveSlab(slab))
  const bytes = writeJson(json, slab) ?? jsonBytes(json)
  return reply.send(bytes)
}

/**
 * Sends JSON text that is made piece by piece, no faster than it is taken. Whatever goes wrong with the first pieces is
 * answered like any error; later the connection is cut, since the answer has begun.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncGenerator<string, void, undefined>,
): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8')
  let begun = ''
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    begun += next.value
    if (begun.length > WHOLE_CHARACTERS) return reply.send(Readable.from(goOn(begun, pieces), { objectMode: false }))
  }
  return reply.send(begun)
}

async function* goOn(begun: string, rest: AsyncGenerator<string, void, undefined>): AsyncGenerator<string> {
  yield begun
  yield* rest
}

/** Sends an answer of no bytes at all. It is called HTML, as Mastodon's are: some clients take nothing else without a body. */
export function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.type('text/html; charset=utf-8').send('')
}
