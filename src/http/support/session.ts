import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { hashSecret, makeSecret } from '../../lib/secrets.ts'

/** As long as browsers keep any cookie. When a session ends is decided here, by its row. */
const COOKIE_SECONDS = 400 * 86_400

/**
 * Three cookies: the session (who is logged in); the form cookie, which only ties a form to the browser that was
 * shown it, so that log-in and sign-up are protected before there is a session; and the address that a sign-up was
 * made with, for the page that says where the letter went.
 */
function cookieName(ctx: Ctx, name: string): string {
  return ctx.config.origin.startsWith('https:') ? `__Host-${name}` : name
}

function cookieOptions(ctx: Ctx) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: ctx.config.origin.startsWith('https:') } as const
}

/** The secret of the browser's session, or null. */
export function sessionIdOf(ctx: Ctx, request: FastifyRequest): string | null {
  return request.cookies[cookieName(ctx, 'linnet-session')] ?? null
}

/** Gives the browser a session, and a new form cookie with it: nothing from before the log-in stays valid. */
export function setSession(ctx: Ctx, reply: FastifyReply, { id }: { id: string }): void {
  reply.setCookie(cookieName(ctx, 'linnet-session'), id, { ...cookieOptions(ctx), maxAge: COOKIE_SECONDS })
  reply.setCookie(cookieName(ctx, 'linnet-form'), makeSecret(), cookieOptions(ctx))
}

export function clearSession(ctx: Ctx, reply: FastifyReply): void {
  reply.clearCookie(cookieName(ctx, 'linnet-session'), cookieOptions(ctx))
  reply.setCookie(cookieName(ctx, 'linnet-form'), makeSecret(), cookieOptions(ctx))
}

/** Notes the address that a sign-up was made with. It proves nothing, it is only shown again. */
export function rememberAddress(ctx: Ctx, reply: FastifyReply, { email }: { email: string }): void {
  reply.setCookie(cookieName(ctx, 'linnet-address'), email, cookieOptions(ctx))
}

export function rememberedAddress(ctx: Ctx, request: FastifyRequest): string | null {
  return request.cookies[cookieName(ctx, 'linnet-address')] || null
}

export function forgetAddress(ctx: Ctx, reply: FastifyReply): void {
  reply.clearCookie(cookieName(ctx, 'linnet-address'), cookieOptions(ctx))
}

/** The token that a form of this page must send back. Sets the form cookie if the browser has none. */
export function csrfToken(ctx: Ctx, request: FastifyRequest, reply: FastifyReply): string {
  let form = request.cookies[cookieName(ctx, 'linnet-form')]
  if (!form) {
    form = makeSecret()
    reply.setCookie(cookieName(ctx, 'linnet-form'), form, cookieOptions(ctx))
  }
  return ctx.secrets.seal('csrf', boundTo(ctx, request, form))
}

/** Whether the request carries the token of a page that this very browser and session were shown. */
export function hasCsrfToken(ctx: Ctx, request: FastifyRequest): boolean {
  const form = request.cookies[cookieName(ctx, 'linnet-form')]
  const body = request.body as { csrf?: unknown } | null | undefined
  const sent = body?.csrf ?? request.headers['x-csrf-token']
  return Boolean(form) && typeof sent === 'string' && ctx.secrets.isSealed('csrf', boundTo(ctx, request, form!), sent)
}

function boundTo(ctx: Ctx, request: FastifyRequest, form: string): string {
  const session = sessionIdOf(ctx, request)
  return `${form}.${session === null ? '' : hashSecret(session).toString('base64url')}`
}
