import type { FastifyReply, FastifyRequest } from 'fastify'
import { changeEmail, findEmail } from '../../../domain/accounts/email/change-email.ts'
import { changeLocale } from '../../../domain/accounts/profile/change-locale.ts'
import { deleteAccount } from '../../../domain/account-deletion/delete-account.ts'
import { changePassword, verifyCurrentPassword } from '../../../domain/auth/current-password.ts'
import { mayInvite } from '../../../domain/invites/write-invite.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { LOCALES } from '../../../lib/messages/locales.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { sendPage } from '../../support/response/send-page.ts'
import { clearSession, sessionSecretOf } from '../../support/auth/session.ts'
import { paths } from '../paths.ts'
import { deletionPage, emailPage, farewellPage, settingsPage } from './template.ts'
import type { EmailInput } from './template.ts'
import { Field, formOf } from '../support/form-body.ts'
import { codeOf, ownerOf, problemsOf } from './own-account.ts'

/** The account settings: password, language, e-mail address, and deletion of the account. */
export async function settings(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.settings, { schema: { hide: true } }, async (request, reply) => {
    const owner = ownerOf(request, { reply, path: paths.settings })
    if (!owner) return reply
    const canInvite = await mayInvite(ctx, owner)
    const providerUrl = ctx.config.singleSignOn.accountSettingsUrl
    return sendPage(ctx, { request, reply, page: (frame) => settingsPage(frame, { canInvite, providerUrl }) })
  })

  api.post(
    paths.settings,
    { schema: { hide: true, body: formOf({ current_password: Field, password: Field }) } },
    async (request, reply) => {
      refuseWithoutPasswords(ctx)
      const owner = ownerOf(request, { reply, path: paths.settings })
      if (!owner) return reply
      const { current_password: currentPassword = '', password = '' } = request.body
      const sessionId = sessionSecretOf(ctx, request)
      const errors = await problemsOf(
        changePassword(ctx, { userId: owner.userId, currentPassword, password, sessionId }),
      )
      const input = { errors, changed: errors.length === 0, canInvite: await mayInvite(ctx, owner) }
      return sendPage(ctx, { request, reply: codeOf(reply, errors), page: (frame) => settingsPage(frame, input) })
    },
  )

  api.post(paths.language, { schema: { hide: true, body: formOf({ locale: Field }) } }, async (request, reply) => {
    const owner = ownerOf(request, { reply, path: paths.settings })
    if (!owner) return reply
    const locale = LOCALES.find((one) => one === request.body.locale)
    if (locale) await ctx.write((tx) => changeLocale(tx, { userId: owner.userId, locale }))
    return reply.redirect(paths.settings, 303)
  })

  api.get(paths.email, { schema: { hide: true } }, async (request, reply) => {
    refuseWithoutPasswords(ctx)
    const owner = ownerOf(request, { reply, path: paths.email })
    return owner ? showEmail(ctx, { request, reply, owner }) : reply
  })

  api.post(
    paths.email,
    { schema: { hide: true, body: formOf({ current_password: Field, email: Field }) } },
    async (request, reply) => {
      refuseWithoutPasswords(ctx)
      const owner = ownerOf(request, { reply, path: paths.email })
      if (!owner) return reply
      const { current_password: currentPassword = '', email = '' } = request.body
      const errors = await problemsOf(changeEmail(ctx, { userId: owner.userId, currentPassword, email }))
      const input = errors.length === 0 ? { sent: true } : { value: email, errors }
      return showEmail(ctx, { request, reply: codeOf(reply, errors), owner, ...input })
    },
  )

  api.get(paths.deletion, { schema: { hide: true } }, async (request, reply) => {
    if (!ownerOf(request, { reply, path: paths.deletion })) return reply
    return sendPage(ctx, { request, reply, page: (frame) => deletionPage(frame, {}) })
  })

  api.post(
    paths.deletion,
    { schema: { hide: true, body: formOf({ current_password: Field }) } },
    async (request, reply) => {
      const owner = ownerOf(request, { reply, path: paths.deletion })
      if (!owner) return reply
      const { userId, accountId } = owner
      const password = request.body.current_password ?? ''
      const errors = await problemsOf(verifyCurrentPassword(ctx, { userId, password }))
      if (errors.length > 0) {
        return sendPage(ctx, { request, reply: reply.code(422), page: (frame) => deletionPage(frame, { errors }) })
      }
      await ctx.write((tx) => deleteAccount(tx, { accountId }))
      clearSession(ctx, reply)
      request.viewer = null
      return sendPage(ctx, { request, reply, formless: true, page: farewellPage })
    },
  )
}

/** The providers of external log-ins have the addresses and passwords of all users. @throws NotFoundError */
function refuseWithoutPasswords(ctx: Ctx): void {
  if (ctx.config.singleSignOn.only) throw new NotFoundError()
}

/**
 * Shows the confirmed address only. A pending address is never shown: if it belongs to another user, no change is
 * pending, so showing one would reveal which addresses have an account.
 */
async function showEmail(
  ctx: Ctx,
  {
    request,
    reply,
    owner: { userId },
    ...input
  }: { request: FastifyRequest; reply: FastifyReply; owner: Viewer } & Pick<EmailInput, 'value' | 'errors' | 'sent'>,
): Promise<FastifyReply> {
  const currentEmail = await findEmail(ctx, { userId })
  return sendPage(ctx, { request, reply, page: (frame) => emailPage(frame, { currentEmail, ...input }) })
}
