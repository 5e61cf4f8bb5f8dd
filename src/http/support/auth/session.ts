import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { PENDING_LOGIN_MINUTES } from '../../../domain/auth/two-factor/pending-logins.ts'
import { hashSecret, generateSecret } from '../../../lib/secrets.ts'

/** The maximum that browsers permit. The server decides when a session expires, by its row in the table `sessions`. */
const COOKIE_SECONDS = 400 * 86_400

/**
 * Returns the name of a cookie. Here there are four: the session; the form cookie, which binds forms to the browser, so
 * that log-in and sign-up have CSRF protection before there is a session; a log-in that waits for the second factor;
 * and the e-mail address of a sign-up, for the page that shows to which address the mail was sent.
 */
export function cookieName(ctx: Ctx, name: string): string {
  return ctx.config.origin.startsWith('https:') ? `__Host-${name}` : name
}

/** Returns the attributes of all cookies. */
export function cookieOptions(ctx: Ctx) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: ctx.config.origin.startsWith('https:') } as const
}

/** Returns the secret of the session cookie, or null. */
export function sessionSecretOf(ctx: Ctx, request: FastifyRequest): string | null {
  return request.cookies[cookieName(ctx, 'linnet-session')] ?? null
}

/** Sets the session cookie and a new form cookie, so that no form from before the log-in stays valid. */
export function setSession(ctx: Ctx, reply: FastifyReply, { id }: { id: string }): void {
  clearPendingLogin(ctx, reply)
  reply.setCookie(cookieName(ctx, 'linnet-session'), id, { ...cookieOptions(ctx), maxAge: COOKIE_SECONDS })
  reply.setCookie(cookieName(ctx, 'linnet-form'), generateSecret(), cookieOptions(ctx))
}

/** Stores the secret of a log-in that waits for the second factor. */
export function setPendingLogin(ctx: Ctx, reply: FastifyReply, { id }: { id: string }): void {
  const maxAge = PENDING_LOGIN_MINUTES * 60
  reply.setCookie(cookieName(ctx, 'linnet-login'), id, { ...cookieOptions(ctx), maxAge })
}

/** Returns the secret of the log-in that waits for the second factor, or null. */
export function pendingLoginOf(ctx: Ctx, request: FastifyRequest): string | null {
  return request.cookies[cookieName(ctx, 'linnet-login')] || null
}

function clearPendingLogin(ctx: Ctx, reply: FastifyReply): void {
  reply.clearCookie(cookieName(ctx, 'linnet-login'), cookieOptions(ctx))
}

/** Deletes the session cookie and sets a new form cookie. The session itself stays in the database. */
export function clearSession(ctx: Ctx, reply: FastifyReply): void {
  reply.clearCookie(cookieName(ctx, 'linnet-session'), cookieOptions(ctx))
  reply.setCookie(cookieName(ctx, 'linnet-form'), generateSecret(), cookieOptions(ctx))
}

/** Stores the e-mail address of a sign-up in a cookie. It proves nothing; the server only shows it again. */
export function setSignUpEmail(ctx: Ctx, reply: FastifyReply, { email }: { email: string }): void {
  reply.setCookie(cookieName(ctx, 'linnet-address'), email, cookieOptions(ctx))
}

export function signUpEmailOf(ctx: Ctx, request: FastifyRequest): string | null {
  return request.cookies[cookieName(ctx, 'linnet-address')] || null
}

export function clearSignUpEmail(ctx: Ctx, reply: FastifyReply): void {
  reply.clearCookie(cookieName(ctx, 'linnet-address'), cookieOptions(ctx))
}

/** Returns the CSRF token that the forms of a page must send. Sets the form cookie if the browser has none. */
export function csrfToken(ctx: Ctx, request: FastifyRequest, reply: FastifyReply): string {
  let formSecret = request.cookies[cookieName(ctx, 'linnet-form')]
  if (!formSecret) {
    formSecret = generateSecret()
    reply.setCookie(cookieName(ctx, 'linnet-form'), formSecret, cookieOptions(ctx))
  }
  return ctx.secrets.sign('csrf', csrfBinding(ctx, request, formSecret))
}

/** Whether the request has the CSRF token of a page that this browser received in the same session. */
export function hasCsrfToken(ctx: Ctx, request: FastifyRequest): boolean {
  const formSecret = request.cookies[cookieName(ctx, 'linnet-form')]
  const body = request.body as { csrf?: unknown } | null | undefined
  const sent = body?.csrf ?? request.headers['x-csrf-token']
  return (
    Boolean(formSecret) &&
    typeof sent === 'string' &&
    ctx.secrets.verify('csrf', csrfBinding(ctx, request, formSecret!), sent)
  )
}

function csrfBinding(ctx: Ctx, request: FastifyRequest, formSecret: string): string {
  const session = sessionSecretOf(ctx, request)
  return `${formSecret}.${session === null ? '' : hashSecret(session).toString('base64url')}`
}
