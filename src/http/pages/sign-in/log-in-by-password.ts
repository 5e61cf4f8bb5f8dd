import type { FastifyReply, FastifyRequest } from 'fastify'
import { findLogin } from '../../../domain/auth/find-login.ts'
import { logIn } from '../../../domain/auth/sessions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { ForbiddenError, RETRY_AFTER_SECONDS, TooManyRequestsError } from '../../../lib/errors.ts'
import { sessionSecretOf } from '../../support/auth/session.ts'
import { browserOf } from '../support/browser-of.ts'
import { countSignIn } from './count-sign-in.ts'
import { finishLogin } from './finish-login.ts'
import { logInByDirectory } from './log-in-by-directory.ts'
import { sendSignInPage } from './send-sign-in-page.ts'
import type { SignInInput } from './template.ts'

/** No e-mail address and no username is longer. Cuts the input, which the page shows again after an error. */
const MAX_LOGIN_CHARACTERS = 320

/**
 * Responds to a log-in with a password: as `finishLogin`, or with the log-in form, which shows `refusal` if the password
 * is wrong or the user unknown, or says that the directory does not respond.
 * @throws ForbiddenError if users log in with external providers only
 */
export async function logInByPassword(
  ctx: Ctx,
  {
    request,
    reply,
    password,
    next,
    refusal,
    ...input
  }: {
    request: FastifyRequest
    reply: FastifyReply
    /** An e-mail address or a username. */
    login: string
    password: string
    /** A path of this server to which a successful log-in leads. */
    next: string | null
    refusal: 'failed' | 'owner-exists'
  },
): Promise<FastifyReply> {
  if (ctx.config.singleSignOn.only) throw new ForbiddenError()
  const login = input.login.slice(0, MAX_LOGIN_CHARACTERS)
  const sendProblem = (problem: SignInInput['problem'], status: number) =>
    sendSignInPage(ctx, { request, reply: reply.code(status), next, login, problem })
  try {
    const { identifier, user } = await findLogin(ctx, { login })
    await countSignIn(ctx, { request, reply, userId: user?.userId ?? null, identifier })
    const byDirectory = await logInByDirectory(ctx, { request, reply, login, password, next })
    if (byDirectory && byDirectory !== 'unreachable') return byDirectory
    const previousSessionId = sessionSecretOf(ctx, request)
    const result = await logIn(ctx, { user, password, browser: browserOf(request), previousSessionId })
    // The password may be that of a user of the directory.
    if (result === 'failed' && byDirectory === 'unreachable') return await sendProblem('external-unreachable', 503)
    if (result === 'failed') return await sendProblem(refusal, 422)
    return await finishLogin(ctx, { request, reply, result, next })
  } catch (err) {
    if (!(err instanceof TooManyRequestsError)) throw err
    if (!reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_SECONDS)
    return sendProblem('throttled', 429)
  }
}
