import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { authenticateApp } from '../../domain/auth/apps.ts'
import type { Application } from '../../domain/auth/apps.ts'
import type { Ctx } from '../../domain/context.ts'

/** How an application names and proves itself in a body. */
export const CLIENT = {
  client_id: Type.Optional(Type.String()),
  client_secret: Type.Optional(Type.String()),
}

/** The application that sends a request, proven by HTTP Basic or by the body; null when it can not be. */
export async function findClient(
  ctx: Ctx,
  { request, body }: { request: FastifyRequest; body: { client_id?: string; client_secret?: string } },
): Promise<Application | null> {
  const { id, secret } = readBasic(request.headers.authorization) ?? { id: body.client_id, secret: body.client_secret }
  return id && secret ? authenticateApp(ctx, { clientId: id, clientSecret: secret }) : null
}

/** A client that came by HTTP Basic is told so, as RFC 6749 asks. */
export function challengeClient(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.authorization !== undefined) reply.header('www-authenticate', 'Basic realm="OAuth"')
}

function readBasic(header: string | undefined): { id: string; secret: string } | null {
  const encoded = /^basic +([\w+/=-]+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return id === undefined || secret === undefined ? null : { id: decode(id), secret: decode(secret) }
}

/** The two halves are form-encoded before they are joined; broken escapes stay as they are. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
