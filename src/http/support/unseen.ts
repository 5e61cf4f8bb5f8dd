import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { sendNothing } from './send.ts'

/** What is described for the answer of `sendUnseen`. */
export const Unseen = {
  description: 'The owner does not tell. Empty.',
  content: { 'text/html': { schema: Type.String({ maxLength: 0 }) } },
}

/** Says nothing, with 404, of what the owner does not want to be told. */
export function sendUnseen(reply: FastifyReply): FastifyReply {
  return sendNothing(reply.code(404))
}
