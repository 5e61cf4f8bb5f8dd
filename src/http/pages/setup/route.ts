import {
  createOwner,
  OwnerExistsError,
  verifyOwnerSetupToken,
} from '../../../domain/accounts/registration/create-owner.ts'
import { openSession } from '../../../domain/auth/sessions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { ValidationError } from '../../../lib/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { TypedFastify } from '../../typed-fastify.ts'
import { languageOf, sendPage } from '../../support/response/send-page.ts'
import { setSession } from '../../support/auth/session.ts'
import { paths } from '../paths.ts'
import { logInByPassword } from '../sign-in/log-in-by-password.ts'
import { setupPage } from './template.ts'
import { browserOf } from '../support/browser-of.ts'
import { Field, formOf } from '../support/form-body.ts'

/** Creates the account of the owner on a new server, by a link that works once. */
export async function setup(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    paths.setup,
    { schema: { hide: true, querystring: Type.Object({ token: Field }) } },
    async (request, reply) => {
      const { token = '' } = request.query
      await verifyOwnerSetupToken(ctx, { token })
      return sendPage(ctx, { request, reply, page: (frame) => setupPage(frame, { token }) })
    },
  )

  api.post(
    paths.setup,
    { schema: { hide: true, body: formOf({ token: Field, username: Field, email: Field, password: Field }) } },
    async (request, reply) => {
      const { token = '', username = '', email = '', password = '' } = request.body
      try {
        const locale = languageOf(ctx, request)
        const { userId } = await createOwner(ctx, { token, username, email: email.trim(), password, locale })
        setSession(ctx, reply, {
          id: await ctx.write((tx) => openSession(tx, { userId, browser: browserOf(request) })),
        })
        return await reply.redirect(paths.start, 303)
      } catch (err) {
        if (err instanceof OwnerExistsError) return repeatSetup(ctx, { request, reply, login: email, password })
        if (!(err instanceof ValidationError)) throw err
        const input = { token, values: { username, email }, errors: err.fields }
        return sendPage(ctx, { request, reply: reply.code(422), page: (frame) => setupPage(frame, input) })
      }
    },
  )
}

/**
 * Responds to a form that was sent after the owner's account was created, for example by a double click, of which a
 * browser shows only the second response: logs in with the password of the form, and shows the log-in form to anybody
 * who does not know it.
 */
async function repeatSetup(
  ctx: Ctx,
  input: { request: FastifyRequest; reply: FastifyReply; login: string; password: string },
): Promise<FastifyReply> {
  if (ctx.config.singleSignOn.only) return input.reply.redirect(paths.start, 303)
  return logInByPassword(ctx, { ...input, next: paths.start, refusal: 'owner-exists' })
}
