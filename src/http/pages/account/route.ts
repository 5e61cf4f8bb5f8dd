import type { Ctx } from '../../../domain/context.ts'
import { countUnsentMails } from '../../../domain/mails/outbox.ts'
import { ROLE_IDS } from '../../../domain/accounts/registration/insert-local-account.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { findPageAccount, sendPage } from '../../support/response/send-page.ts'
import { signUpEmailOf } from '../../support/auth/session.ts'
import { paths, signInPath } from '../paths.ts'
import { pendingPage } from './pending-template.ts'
import { restrictedPage } from './restricted-template.ts'
import { signedInPage } from './template.ts'
import { CHECK_MAIL_PATH } from '../sign-up/route.ts'

const findSignUp = statement<{ params: { userId: string }; row: { email: string; sign_up_reason: string | null } }>(
  `select email, sign_up_reason from users where id = $userId`,
)

/**
 * The home page of a user who is logged in. Redirects to logging in, to confirming the e-mail address, or to the
 * account migration. Shows users whose accounts are pending, disabled or suspended why they cannot use them, and which
 * pages they can open.
 */
export async function account(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.account, { schema: { hide: true } }, async (request, reply) => {
    const { viewer } = request
    if (!viewer) {
      const next = signUpEmailOf(ctx, request) === null ? signInPath(paths.account) : CHECK_MAIL_PATH
      return reply.redirect(next, 303)
    }
    if (viewer.accountState === 'unconfirmed') return reply.redirect(CHECK_MAIL_PATH, 303)
    if (viewer.accountState === 'without_second_factor') return reply.redirect(paths.twoFactor, 303)
    if (viewer.accountState === 'moved') return reply.redirect(paths.migration, 303)
    if (viewer.accountState === 'disabled' || viewer.accountState === 'suspended') {
      const state = viewer.accountState
      return sendPage(ctx, { request, reply, page: (frame) => restrictedPage(frame, { state }) })
    }
    if (viewer.accountState === 'pending') {
      const [signUp] = await findSignUp(ctx.db, { userId: viewer.userId })
      if (!signUp) throw new NotFoundError()
      const { email, sign_up_reason: reason } = signUp
      return sendPage(ctx, { request, reply, page: (frame) => pendingPage(frame, { email, confirmed: true, reason }) })
    }
    const seesOutbox = viewer.roleId === ROLE_IDS.owner && ctx.smtp === null
    const [viewerAccount, unsentMails] = await Promise.all([
      findPageAccount(ctx, { accountId: viewer.accountId }),
      seesOutbox ? countUnsentMails(ctx) : null,
    ])
    return sendPage(ctx, {
      request,
      reply,
      page: (frame) =>
        signedInPage(frame, { account: viewerAccount, serverAddress: ctx.config.webDomain, unsentMails }),
    })
  })
}
