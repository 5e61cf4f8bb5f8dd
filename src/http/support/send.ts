import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Json } from '../../lib/json.ts'
import { bytesOfParts, writeParts } from '../../lib/json-parts.ts'
import type { JsonPart } from '../../lib/json-parts.ts'
import { giveSlab, takeSlab } from '../../lib/slabs.ts'

/** What is no longer than this is sent whole, with its length. */
const WHOLE_CHARACTERS = 256 * 1024

/** Sends what is JSON text already. */
export function sendJson(reply: FastifyReply, json: Json<unknown>): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json)
}

/** The same of JSON in parts. */
export function sendParts(reply: FastifyReply, parts: readonly JsonPart[]): FastifyReply {
  const slab = takeSlab()
  // By then all of it is with the kernel, or nobody waits for it any more.
  reply.raw.once('close', () => giveSlab(slab))
  const bytes = writeParts(parts, slab) ?? bytesOfParts(parts)
  return reply.type('application/json; charset=utf-8').send(bytes)
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
