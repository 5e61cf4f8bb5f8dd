import { unlinkIdentity } from '../../../domain/auth/external/identities.ts'
import type { Ctx } from '../../../domain/context.ts'
import { UnprocessableError } from '../../../lib/errors.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { requireUser } from '../settings/own-account.ts'
import { Field, formOf } from '../support/form-body.ts'
import { sendExternalLoginsPage } from './send-external-logins-page.ts'

/** The external log-ins of a user: which are linked, and unlinking them. */
export async function externalLogins(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.externalLogins, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.externalLogins })
    return user ? sendExternalLoginsPage(ctx, { request, reply, userId: user.userId }) : reply
  })

  api.post(
    paths.unlinkExternalLogin,
    { schema: { hide: true, body: formOf({ provider: Field }) } },
    async (request, reply) => {
      const user = requireUser(request, { reply, page: paths.externalLogins })
      if (!user) return reply
      const { userId } = user
      const { provider = '' } = request.body
      const { only } = ctx.config.singleSignOn
      const { providers, directory } = ctx.externalLogins
      const usable: string[] = [...providers.map(({ name }) => name), ...(directory ? ['ldap'] : [])]
      try {
        await ctx.write((tx) => unlinkIdentity(tx, { userId, provider, usable, acceptsPasswords: !only }))
      } catch (err) {
        if (!(err instanceof UnprocessableError)) throw err
        return sendExternalLoginsPage(ctx, { request, reply: reply.code(422), userId, problem: 'last' })
      }
      return reply.redirect(paths.externalLogins, 303)
    },
  )
}
