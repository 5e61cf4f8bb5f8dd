import type { Ctx } from '../../../domain/context.ts'
import { countMails } from '../../../domain/mails/outbox.ts'
import { ROLE_IDS } from '../../../domain/accounts/insert-person.ts'
import { Forbidden, NotFound } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Api } from '../../api.ts'
import { findPageAccount, sendPage } from '../../support/page.ts'
import { rememberedAddress } from '../../support/session.ts'
import { paths, signInPath } from '../paths.ts'
import { pendingPage } from './pending-template.ts'
import { signedInPage } from './template.ts'
import { CHECK_MAIL_PATH } from '../sign-up/route.ts'

const findSignUp = statement<{ params: { userId: string }; row: { email: string; sign_up_reason: string | null } }>(
  `select email, sign_up_reason from users where id = $userId`,
)

/** The page of somebody who is signed in, or who waits until that means something. */
export async function account(api: Api, ctx: Ctx): Promise<void> {
  api.get(paths.account, { schema: { hide: true } }, async (request, reply) => {
    const { viewer } = request
    if (!viewer) {
      const next = rememberedAddress(ctx, request) === null ? signInPath(paths.account) : CHECK_MAIL_PATH
      return reply.redirect(next, 303)
    }
    if (viewer.standing === 'unconfirmed') return reply.redirect(CHECK_MAIL_PATH, 303)
    if (viewer.standing === 'moved') return reply.redirect(paths.migration, 303)
    if (viewer.standing === 'disabled' || viewer.standing === 'suspended')
      throw new Forbidden('Your login is currently disabled')
    if (viewer.standing === 'pending') {
      const [signUp] = await findSignUp(ctx.db, { userId: viewer.userId })
      if (!signUp) throw new NotFound()
      const { email, sign_up_reason: reason } = signUp
      return sendPage(ctx, { request, reply, page: (frame) => pendingPage(frame, { email, confirmed: true, reason }) })
    }
    const keepsMail = viewer.roleId === ROLE_IDS.owner && ctx.smtp === null
    const [person, keptMail] = await Promise.all([
      findPageAccount(ctx, { accountId: viewer.accountId }),
      keepsMail ? countMails(ctx) : null,
    ])
    return sendPage(ctx, {
      request,
      reply,
      page: (frame) => signedInPage(frame, { account: person, serverAddress: ctx.config.webDomain, keptMail }),
    })
  })
}
