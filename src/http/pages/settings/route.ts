import type { FastifyReply, FastifyRequest } from 'fastify'
import { changeEmail, findEmail } from '../../../domain/accounts/email/change-email.ts'
import { changeLocale } from '../../../domain/accounts/profile/change-locale.ts'
import { deleteAccount } from '../../../domain/account-deletion/delete-account.ts'
import { changePassword } from '../../../domain/auth/current-password.ts'
import { mayInvite } from '../../../domain/invites/write-invite.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { LOCALES } from '../../../lib/messages/locales.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { findPageAccount, sendPage } from '../../support/response/send-page.ts'
import { clearSession } from '../../support/auth/session.ts'
import { paths } from '../paths.ts'
import { deletionPage, emailPage, farewellPage, settingsPage } from './template.ts'
import type { EmailInput } from './template.ts'
import { Field, formOf } from '../support/form-body.ts'
import { hasRecentAuthentication, requireRecentAuthentication } from '../support/require-recent-authentication.ts'
import { codeOf, requireUser, problemsOf } from './own-account.ts'

/** The account settings: password, language, e-mail address, and deletion of the account. */
export async function settings(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.settings, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.settings })
    if (!user) return reply
    const input = { ...(await findSettingsInput(ctx, user)), confirmed: await hasRecentAuthentication(ctx, request) }
    return sendPage(ctx, { request, reply, page: (frame) => settingsPage(frame, input) })
  })

  api.post(paths.settings, { schema: { hide: true, body: formOf({ password: Field }) } }, async (request, reply) => {
    refuseWithoutPasswords(ctx)
    const user = requireUser(request, { reply, page: paths.settings })
    const sessionId = user && (await requireRecentAuthentication(ctx, { request, reply }))
    if (!user || sessionId === null) return reply
    const { password = '' } = request.body
    const errors = await problemsOf(changePassword(ctx, { userId: user.userId, password, sessionId }))
    const changed = errors.length === 0
    const input = { ...(await findSettingsInput(ctx, user)), confirmed: true, errors, changed }
    return sendPage(ctx, { request, reply: codeOf(reply, errors), page: (frame) => settingsPage(frame, input) })
  })

  api.post(paths.language, { schema: { hide: true, body: formOf({ locale: Field }) } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.settings })
    if (!user) return reply
    const locale = LOCALES.find((one) => one === request.body.locale)
    if (locale) await ctx.write((tx) => changeLocale(tx, { userId: user.userId, locale }))
    return reply.redirect(paths.settings, 303)
  })

  api.get(paths.email, { schema: { hide: true } }, async (request, reply) => {
    refuseWithoutPasswords(ctx)
    const user = requireUser(request, { reply, page: paths.email })
    if (!user || !(await requireRecentAuthentication(ctx, { request, reply }))) return reply
    return showEmail(ctx, { request, reply, user })
  })

  api.post(paths.email, { schema: { hide: true, body: formOf({ email: Field }) } }, async (request, reply) => {
    refuseWithoutPasswords(ctx)
    const user = requireUser(request, { reply, page: paths.email })
    const sessionId = user && (await requireRecentAuthentication(ctx, { request, reply }))
    if (!user || sessionId === null) return reply
    const { email = '' } = request.body
    const errors = await problemsOf(changeEmail(ctx, { userId: user.userId, sessionId, email }))
    const input = errors.length === 0 ? { sent: true } : { value: email, errors }
    return showEmail(ctx, { request, reply: codeOf(reply, errors), user, ...input })
  })

  api.get(paths.deletion, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.deletion })
    if (!user || !(await requireRecentAuthentication(ctx, { request, reply }))) return reply
    return sendPage(ctx, { request, reply, page: (frame) => deletionPage(frame, {}) })
  })

  api.post(paths.deletion, { schema: { hide: true, body: formOf({ username: Field }) } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.deletion })
    const sessionId = user && (await requireRecentAuthentication(ctx, { request, reply }))
    if (!user || sessionId === null) return reply
    const { accountId, userId, accountState } = user
    const { handle } = await findPageAccount(ctx, { accountId })
    // Without it, a single click would delete the account.
    if (!isNamed(handle, request.body.username ?? '')) {
      const errors = [{ attribute: 'username', code: 'ERR_OTHER_USERNAME', text: 'is not your username' }]
      return sendPage(ctx, { request, reply: reply.code(422), page: (frame) => deletionPage(frame, { errors }) })
    }
    await ctx.write((tx) => deleteAccount(tx, { accountId, session: { userId, sessionId } }))
    clearSession(ctx, reply)
    request.viewer = null
    const wasPending = accountState === 'pending'
    return sendPage(ctx, { request, reply, formless: true, page: (frame) => farewellPage(frame, { wasPending }) })
  })
}

/** Whether a user has entered the own username, with or without the domain. */
function isNamed(handle: string, input: string): boolean {
  const name = input.trim().replace(/^@/, '').toLowerCase()
  return [handle, handle.split('@', 1)[0]].some((one) => one?.toLowerCase() === name)
}

/** Returns what the settings page shows apart from the form for the password. */
async function findSettingsInput(ctx: Ctx, user: Viewer): Promise<{ canInvite: boolean; providerUrl: string | null }> {
  return { canInvite: await mayInvite(ctx, user), providerUrl: ctx.config.singleSignOn.accountSettingsUrl }
}

/** The providers of external log-ins have the addresses and passwords of all users. @throws NotFoundError */
function refuseWithoutPasswords(ctx: Ctx): void {
  if (ctx.config.singleSignOn.only) throw new NotFoundError()
}

/** Shows the confirmed address only. A pending address may belong to another user, who has not agreed to the change. */
async function showEmail(
  ctx: Ctx,
  {
    request,
    reply,
    user: { userId },
    ...input
  }: { request: FastifyRequest; reply: FastifyReply; user: Viewer } & Pick<EmailInput, 'value' | 'errors' | 'sent'>,
): Promise<FastifyReply> {
  const currentEmail = await findEmail(ctx, { userId })
  return sendPage(ctx, { request, reply, page: (frame) => emailPage(frame, { currentEmail, ...input }) })
}
