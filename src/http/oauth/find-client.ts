import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { authenticateApplication } from '../../domain/auth/applications.ts'
import type { Application } from '../../domain/auth/applications.ts'
import { findOAuthClient, isWebClient } from '../../domain/auth/web-client.ts'
import type { Ctx } from '../../domain/context.ts'

/** Client credentials in the body of a request (RFC 6749 §2.3.1). */
export const CLIENT_PARAMS = {
  client_id: Type.Optional(Type.String()),
  client_secret: Type.Optional(Type.String()),
}

/**
 * Returns the application, authenticated by HTTP Basic or by the body; null if the credentials are missing or wrong. The
 * web client has no secret, so its client id only identifies it (RFC 6749 §3.2.1).
 */
export async function findClient(
  ctx: Ctx,
  { request, body }: { request: FastifyRequest; body: { client_id?: string; client_secret?: string } },
): Promise<Application | null> {
  const { id, secret } = readBasicCredentials(request.headers.authorization) ?? {
    id: body.client_id,
    secret: body.client_secret,
  }
  if (id && secret) return authenticateApplication(ctx, { clientId: id, clientSecret: secret })
  return id && isWebClient({ clientId: id }) ? findOAuthClient(ctx, { clientId: id }) : null
}

/** Sets `WWW-Authenticate` for a client that tried HTTP Basic (RFC 6749 §5.2). */
export function challengeClient(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.authorization !== undefined) reply.header('www-authenticate', 'Basic realm="OAuth"')
}

function readBasicCredentials(header: string | undefined): { id: string; secret: string } | null {
  const encoded = /^basic +([\w+/=-]+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return id === undefined || secret === undefined ? null : { id: decode(id), secret: decode(secret) }
}

/**
 * Decodes one half of the credentials, which are form-encoded before they are joined. Broken escapes stay as they are.
 */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
