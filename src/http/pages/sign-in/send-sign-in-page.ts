import type { FastifyReply, FastifyRequest } from 'fastify'
import { findApplication } from '../../../domain/auth/applications.ts'
import type { Ctx } from '../../../domain/context.ts'
import { sendPage } from '../../support/response/send-page.ts'
import { paths } from '../paths.ts'
import { logInOptionsFor } from '../support/passkey-options.ts'
import { signInPage } from './template.ts'
import type { SignInInput } from './template.ts'

/** Sends the log-in form, with the name of the app that the user will authorise after the log-in. */
export async function sendSignInPage(
  ctx: Ctx,
  { request, reply, ...input }: { request: FastifyRequest; reply: FastifyReply } & Omit<SignInInput, 'passkeyOptions'>,
): Promise<FastifyReply> {
  const passkeyOptions = ctx.config.singleSignOn.only ? null : logInOptionsFor(ctx)
  const appName = await findAppName(ctx, input.next ?? null)
  return sendPage(ctx, {
    request,
    reply,
    withPasskeys: passkeyOptions !== null,
    page: (frame) => signInPage(frame, { ...input, appName, passkeyOptions, resetUrl: paths.forgottenPassword }),
  })
}

/** Returns the name of the application that the user will authorise after the log-in; null if there is none. */
async function findAppName(ctx: Ctx, next: string | null): Promise<string | null> {
  if (!next?.startsWith(`${paths.authorize}?`)) return null
  const clientId = new URL(next, ctx.config.origin).searchParams.get('client_id')
  const app = clientId ? await findApplication(ctx, { clientId }) : null
  return app?.name ?? null
}
