import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredKind } from '../lib/accept.ts'
import type { Json } from '../lib/json.ts'
import { ACTIVITY_JSON } from './wire/context.ts'

/** How long others may keep what is for everybody. */
const PUBLIC_SECONDS = 180

/** Everything here depends on whether a page or a document is asked for, and on who signed. */
const VARIES = 'Accept, Signature'

/** Sends a document. `shared`: it is for everybody, and made for nobody in particular. */
export function sendDocument(
  reply: FastifyReply,
  { json, shared }: { json: Json<object>; shared: boolean },
): FastifyReply {
  keepFor(reply, { seconds: shared ? PUBLIC_SECONDS : 0 })
  return reply.header('vary', VARIES).type(ACTIVITY_JSON).send(json)
}

/** Leads to where the same is found. */
export function redirect(reply: FastifyReply, { to, shared }: { to: string; shared: boolean }): FastifyReply {
  keepFor(reply, { seconds: shared ? PUBLIC_SECONDS : 0 })
  return reply.header('vary', VARIES).redirect(to, 302)
}

/** 0: no cache keeps it. */
export function keepFor(reply: FastifyReply, { seconds }: { seconds: number }): void {
  reply.header('cache-control', seconds === 0 ? 'private, no-store' : `public, max-age=${seconds}`)
}

/** Whether somebody wants to look at a page. Whoever says nothing of pages is a program, and gets the document. */
export function wantsPage(request: FastifyRequest): boolean {
  return preferredKind(request.headers.accept) === 'page'
}

/** The one text of a parameter; null where there is none, or something else. */
export function textOfQuery(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : null
}
