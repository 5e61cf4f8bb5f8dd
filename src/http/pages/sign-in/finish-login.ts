import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LoginResult } from '../../../domain/auth/sessions.ts'
import { findSessionViewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { setPendingLogin, setSession } from '../../support/auth/session.ts'
import { paths, secondFactorPath } from '../paths.ts'
import { CHECK_MAIL_PATH } from '../sign-up/route.ts'
import { sendSignInPage } from './send-sign-in-page.ts'

/**
 * Responds to a log-in whose first factor is proved, whichever it was: stores the session in the browser and redirects
 * to `next`, a path of this server (null: the account page). Redirects to the page of the second factor first, if the
 * user has one; and not to `next` if the user has not confirmed the e-mail address, since most pages would ask to log
 * in again.
 */
export async function finishLogin(
  ctx: Ctx,
  {
    request,
    reply,
    result,
    next,
  }: { request: FastifyRequest; reply: FastifyReply; result: LoginResult; next: string | null },
): Promise<FastifyReply> {
  if (result === 'memorial') {
    return sendSignInPage(ctx, { request, reply: reply.code(403), next, problem: 'disabled' })
  }
  if ('pendingId' in result) {
    setPendingLogin(ctx, reply, { id: result.pendingId })
    return reply.redirect(secondFactorPath(next), 303)
  }
  setSession(ctx, reply, { id: result.sessionId })
  const viewer = next === null ? null : await findSessionViewer(ctx, { sessionId: result.sessionId })
  return reply.redirect(viewer?.accountState === 'unconfirmed' ? CHECK_MAIL_PATH : (next ?? paths.account), 303)
}
