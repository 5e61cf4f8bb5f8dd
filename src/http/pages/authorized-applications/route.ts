import { listAuthorizedApplications, revokeApplication } from '../../../domain/auth/authorized-applications.ts'
import type { Ctx } from '../../../domain/context.ts'
import { IdParams } from '../../support/request/path-params.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { requireUser } from '../settings/own-account.ts'
import { formOf } from '../support/form-body.ts'
import { authorizedApplicationsPage } from './template.ts'

/** The apps that the user has authorised (Mastodon: /oauth/authorized_applications). */
export async function authorizedApplications(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.authorizedApplications, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.authorizedApplications })
    if (!user) return reply
    const applications = await listAuthorizedApplications(ctx, { userId: user.userId })
    return sendPage(ctx, { request, reply, page: (frame) => authorizedApplicationsPage(frame, { applications }) })
  })

  api.post(
    `${paths.authorizedApplications}/:id`,
    { schema: { hide: true, params: IdParams, body: formOf({}) } },
    async (request, reply) => {
      const user = requireUser(request, { reply, page: paths.authorizedApplications })
      if (!user) return reply
      const { userId } = user
      await ctx.write((tx) => revokeApplication(tx, { userId, applicationId: request.params.id }))
      return reply.redirect(paths.authorizedApplications, 303)
    },
  )
}
