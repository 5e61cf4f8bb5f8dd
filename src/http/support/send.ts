import type { FastifyReply } from 'fastify'
import type { Json } from '../../lib/json.ts'

/** Sends what is JSON text already. */
export function sendJson(reply: FastifyReply, json: Json<unknown>): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json)
}
