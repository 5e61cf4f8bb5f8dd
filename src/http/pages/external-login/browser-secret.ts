import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { generateSecret } from '../../../lib/secrets.ts'
import { cookieName, cookieOptions } from '../../support/auth/session.ts'

const COOKIE = 'linnet-external'
const COOKIE_SECONDS = 3_600

/** Returns the secret that binds external log-ins to the browser that began them, or null. */
export function browserSecretOf(ctx: Ctx, request: FastifyRequest): string | null {
  return request.cookies[cookieName(ctx, COOKIE)] || null
}

/** Returns the secret of the browser, and sets a cookie with a new one if there is none. Log-ins in other tabs share it. */
export function ensureBrowserSecret(
  ctx: Ctx,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): string {
  const secret = browserSecretOf(ctx, request) ?? generateSecret()
  reply.setCookie(cookieName(ctx, COOKIE), secret, { ...cookieOptions(ctx), maxAge: COOKIE_SECONDS })
  return secret
}
