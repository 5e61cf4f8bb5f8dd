import type { FastifyReply } from 'fastify'
import type { Json } from '../../lib/json.ts'

/** Sends what is JSON text already. */
export function sendJson(reply: FastifyReply, json: Json<unknown>): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json)
}

/** Sends an answer of no bytes at all. It is called HTML, as Mastodon's are: some clients take nothing else without a body. */
export function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.type('text/html; charset=utf-8').send('')
}
