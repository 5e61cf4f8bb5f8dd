import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { sendEmpty } from './send.ts'

/** The OpenAPI description of the response of `sendHidden`. */
export const HiddenResponse = {
  description: 'Empty: the administrators do not publish this information.',
  content: { 'text/html': { schema: Type.String({ maxLength: 0 }) } },
}

/** Sends an empty 404 response, for information that the administrators do not publish. */
export function sendHidden(reply: FastifyReply): FastifyReply {
  return sendEmpty(reply.code(404))
}
